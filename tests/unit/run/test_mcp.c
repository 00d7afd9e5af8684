/* rondo mcp within one process: arguments, directories, and calls side by side that are cancelled
 * or end with their client. */
#include "tests/unit/unit.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/mcp/mcp.h"

enum { SOON_MS = 60000 };

static char top[TOP_SIZE];

static int set_up(void **state)
{
	(void)state;
	struct rondo_error err;
	static const char program[] =
		"def area(a, b):\n    return a + b\n\n\nassert area(3, 5) == 15\n";
	if (!make_top(top) || chdir(top) < 0)
		return -1;
	setenv("HOME", top, 1);
	setenv("XDG_STATE_HOME", top, 1);
	setenv("XDG_CACHE_HOME", top, 1);
	return file_make_dir("in/deep", 0755, &err) < 0 || file_make_dir("out", 0755, &err) < 0 ||
			symlink("../out", "in/link") < 0
		? -1
		: file_write("in/program.py", program, sizeof program - 1, 0644, &err);
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return chdir("/") == 0 ? file_remove_tree(top, &err) : -1;
}

/* --- Arguments --- */

struct given {
	const char *text;
	struct option_strings list;
	bool flag;
	struct option_settings settings;
};

#define AT(member) offsetof(struct given, member)

static const struct option given_options[] = {
	OPTION("text", STRING, AT(text), "a text"),
	OPTION("list", STRINGS, AT(list), "texts"),
	OPTION("flag", BOOL, AT(flag), "on or off"),
	OPTION("time", SETTING, AT(settings), NULL, .key = "limits.time", .argument = "N"),
	OPTION("dirty", SETTING, AT(settings), "what", .key = "workspace.on_dirty", .argument = "WHAT"),
	OPTION_END,
};

static int read_given(
	const char *text, struct given *given, struct arena *arena, struct rondo_error *err)
{
	AUTO_JSON *json = json_parse(text, strlen(text), err);
	assert_non_null(json);
	return arguments_read(given_options, json, given, arena, err);
}

static void options_are_read_from_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct given given = {0};
	struct rondo_error err;
	assert_int_equal(read_given("{\"text\": \"a\", \"list\": [\"b\", \"c\"], \"flag\": true, "
								"\"time\": 90, \"dirty\": \"head\"}",
						 &given, &arena, &err),
		0);
	assert_string_equal(given.text, "a");
	assert_int_equal(given.list.n, 2);
	assert_string_equal(given.list.items[1], "c");
	assert_true(given.flag);
	assert_int_equal(given.settings.n, 2);
	assert_string_equal(given.settings.items[0].key, "limits.time");
	assert_string_equal(given.settings.items[0].value, "90");
	given = (struct given){0};
	assert_int_equal(read_given("{\"text\": null, \"list\": \"one\"}", &given, &arena, &err), 0);
	assert_null(given.text);
	assert_int_equal(given.list.n, 1);
}

static void wrong_arguments_are_named(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"{\"texd\": \"a\"}", "unknown argument 'texd', did you mean 'text'?"},
		{"{\"text\": {}}", "'text' must be a text"},
		{"{\"text\": \"\"}", "'text' is empty: leave it out"},
		{"{\"text\": [\"a\"]}", "'text' must be a text"},
		{"{\"list\": [[]]}", "'list' must be a list of texts"},
		{"{\"flag\": \"maybe\"}", "flag must be true or false, found 'maybe'"},
		{"{\"time\": \"soon\"}", "time must be a duration such as 90s or 5m, found 'soon'"},
		{"{\"dirty\": \"me\"}", "dirty must be one of snapshot, head, refuse, found 'me'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct given given = {0};
		struct rondo_error err;
		assert_int_equal(read_given(rows[i][0], &given, &arena, &err), -1);
		assert_string_equal(err.message, rows[i][1]);
	}
}

static void options_have_a_schema(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *schema = json_object();
	arguments_describe(given_options, schema);
	const struct json *properties = json_get(schema, "properties");
	assert_int_equal(json_count(properties), ARRAY_SIZE(given_options) - 1);
	assert_false(json_bool(schema, "additionalProperties", true));
	assert_string_equal(json_print_in(json_get(properties, "list"), &arena),
		"{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"texts\"}");
	assert_string_equal(json_print_in(json_get(properties, "dirty"), &arena),
		"{\"type\":\"string\",\"enum\":[\"snapshot\",\"head\",\"refuse\"],\"description\":"
		"\"what\"}");
	assert_string_equal(json_string(json_get(properties, "flag"), "type", ""), "boolean");
	assert_string_equal(json_string(json_get(properties, "time"), "description", ""),
		"the whole run"); /* the key's own words */
}

/* --- Directories --- */

static void only_what_lies_below_a_root_is_resolved(void **state)
{
	(void)state;
	static const struct {
		const char *path, *found;
	} rows[] = {
		{NULL, "in"},
		{".", "in"},
		{"deep", "in/deep"},
		{"deep/..", "in"},
		{"program.py", "in/program.py"},
		{"..", NULL},
		{"../out", NULL},
		{"link", NULL},
		{"link/../in", "in"},
		{"nowhere", NULL},
		{"/", NULL},
	};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char *root = "in", *real = file_real_path(&arena, top, &err);
	struct mcp_options options = {.roots = {&root, 1}};
	struct mcp_server server = {.options = &options,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER};
	assert_int_equal(roots_begin(&server, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct option_strings roots;
		const char *found = roots_resolve(&server, rows[i].path, &arena, &roots, &err);
		if (rows[i].found)
			assert_string_equal(found, arena_printf(&arena, "%s/%s", real, rows[i].found));
		else
			assert_null(found);
	}
	arena_release(&server.arena);
}

/* --- A client --- */

struct client {
	struct mcp_options options;
	struct json_rpc_lines lines;
	struct cancel cancel;
	pthread_t thread;
	int fd, status;
	const char *root;
};

static void *serve(void *owner)
{
	struct client *client = owner;
	struct rondo_error err;
	client->status = run_mcp(&client->options, &client->cancel, &err);
	close(client->options.in);
	return NULL;
}

static void say(struct client *client, const char *line)
{
	struct rondo_error err;
	bool taken = false;
	assert_int_equal(json_rpc_say(client->fd, line, SOON_MS, NULL, &taken, &err), 0);
	assert_true(taken);
}

static void begin(struct client *client)
{
	int fds[2];
	struct rondo_error err;
	*client = (struct client){.root = "in", .lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT)};
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(cancel_init(&client->cancel, NULL, 0, &err), 0);
	client->fd = fds[0];
	client->options.in = client->options.out = fds[1];
	client->options.roots = (struct option_strings){&client->root, 1};
	client->options.fix.executor = "local";
	assert_int_equal(thread_start(&client->thread, serve, client), 0);
	say(client,
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
		"{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
}

/* What it says up to a line that has this text; all of it. */
static void hear(struct client *client, const char *text, struct strbuf *heard)
{
	for (const char *line = ""; !strstr(line, text);) {
		struct rondo_error err;
		enum json_rpc_came came;
		size_t n;
		AUTO_STRBUF copy = STRBUF_INIT(STRBUF_TEXT);
		assert_int_equal(
			json_rpc_hear(&client->lines, client->fd, SOON_MS, NULL, &line, &n, &came, &err), 0);
		assert_int_equal(came, JSON_RPC_LINE);
		size_t at = heard->length;
		strbuf_add(heard, line, n);
		strbuf_addc(heard, '\n');
		line = heard->text + at;
	}
}

static void end(struct client *client)
{
	shutdown(client->fd, SHUT_WR);
	pthread_join(client->thread, NULL);
	assert_int_equal(client->status, 0);
	close(client->fd);
	cancel_release(&client->cancel);
	json_rpc_lines_release(&client->lines);
}

#define CALL(id, tool, arguments) \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool \
	"\",\"arguments\":{" arguments "},\"_meta\":{\"progressToken\":" id "}}}"
#define SLOW "\"repo\":\"program.py\",\"test\":\"echo 1..1; sleep 1000\""
#define PROGRESS(id) "\"progressToken\":" id ",\"progress\":1"

static void calls_run_side_by_side(void **state)
{
	(void)state;
	struct client client;
	AUTO_STRBUF heard = STRBUF_INIT(STRBUF_TEXT);
	begin(&client);
	say(&client, CALL("1", "fix", "\"repo\":\"program.py\""));
	say(&client, CALL("2", "fix", "\"repo\":\"program.py\""));
	say(&client, CALL("3", "status", ""));
	say(&client, CALL("4", "show", "\"run\":\"nothing\""));
	say(&client, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/list\"}");
	for (int i = 0; i < 2; i++)
		hear(&client, "\"outcome\":\"verified\"", &heard);
	say(&client, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}");
	hear(&client, "\"id\":6,", &heard);
	for (int i = 1; i <= 5; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_non_null(strstr(heard.text, arena_printf(&arena, "\"id\":%d,\"result\"", i)));
	}
	end(&client);
}

/* Its schemas, too: a key that stands twice is none to many clients. */
static void what_it_offers_is_json_by_all_rules(void **state)
{
	(void)state;
	struct client client;
	struct rondo_error err;
	AUTO_STRBUF first = STRBUF_INIT(STRBUF_TEXT), tools = STRBUF_INIT(STRBUF_RECORD);
	begin(&client);
	hear(&client, "\"id\":0,", &first);
	say(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	hear(&client, "\"id\":1,", &tools);
	AUTO_JSON *json = json_parse(tools.text, tools.length, &err);
	if (!json)
		fail_msg("%s", err.message);
	assert_int_equal(json_count(json_get(json_get(json, "result"), "tools")), 5);
	end(&client);
}

static void a_cancelled_call_is_silent(void **state)
{
	(void)state;
	struct client client;
	AUTO_STRBUF heard = STRBUF_INIT(STRBUF_TEXT);
	begin(&client);
	say(&client, CALL("1", "fix", SLOW));
	say(&client, CALL("2", "baseline", SLOW));
	hear(&client, PROGRESS("1"), &heard);
	say(&client,
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		"cancelled\",\"params\":{\"requestId\":1}}");
	do {
		strbuf_reset(&heard);
		say(&client, CALL("3", "status", ""));
		hear(&client, "\"id\":3,", &heard);
	} while (strstr(heard.text, "\"tool\":\"fix\""));
	assert_non_null(strstr(heard.text, "\"tool\":\"baseline\""));
	assert_null(strstr(heard.text, "\"id\":1,"));
	end(&client); /* in the middle of the other one */
}

static void all_ends_with_the_client_or_the_token(void **state)
{
	(void)state;
	for (int by_token = 0; by_token < 2; by_token++) {
		struct client client;
		AUTO_STRBUF heard = STRBUF_INIT(STRBUF_TEXT);
		begin(&client);
		say(&client, CALL("1", "fix", SLOW));
		say(&client, CALL("2", "fix", SLOW));
		hear(&client, PROGRESS("1"), &heard);
		if (!by_token) {
			end(&client);
			continue;
		}
		cancel_fire(&client.cancel, 15);
		pthread_join(client.thread, NULL);
		assert_int_equal(client.status, -1);
		close(client.fd);
		cancel_release(&client.cancel);
		json_rpc_lines_release(&client.lines);
	}
}

UNIT(mcp)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_read_from_json),
		cmocka_unit_test(wrong_arguments_are_named),
		cmocka_unit_test(options_have_a_schema),
		cmocka_unit_test(only_what_lies_below_a_root_is_resolved),
		cmocka_unit_test(calls_run_side_by_side),
		cmocka_unit_test(what_it_offers_is_json_by_all_rules),
		cmocka_unit_test(a_cancelled_call_is_silent),
		cmocka_unit_test(all_ends_with_the_client_or_the_token),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
