/* Each dialect and every fault of faults.rows: what comes of it is what the row wants. With
 * FAULTS_TABLE=FILE what was wanted and seen is written there, a line a row and dialect. */
#include <signal.h>

#include "base/cancel.h"
#include "models/hosted.h"
#include "tests/unit/certificate_fixture.h"
#include "tests/unit/models/faults.h"

#define DAY_S 86400L

static const struct model_type *const dialects[] = {
	&openai_model, &openai_responses_model, &anthropic_model};
static struct arena rows_arena;
static struct faults faults;
static FILE *table;

static bool fault_is_of(const struct fault *fault, const struct model_type *type)
{
	return !fault->only || strcmp(fault->only, type->name) == 0;
}

static const char *fault_scene(
	const struct fault *fault, const struct model_type *type, struct arena *arena)
{
	return arena_printf(arena, "%s-%zu", type->name, (size_t)(fault - faults.items) + 1);
}

/* A URL with PORT and SCENE put in. */
static const char *fault_url(const char *at, const char *scene, struct arena *arena)
{
	AUTO_STRBUF url = STRBUF_INIT(STRBUF_LINE);
	while (*at) {
		bool is_port = text_starts_with(at, "PORT"), is_scene = text_starts_with(at, "SCENE");
		if (is_port)
			strbuf_addf(&url, "%d", server.port);
		else if (is_scene)
			strbuf_adds(&url, scene);
		else
			strbuf_addc(&url, *at);
		at += is_port ? strlen("PORT") : is_scene ? strlen("SCENE") : 1;
	}
	return arena_strndup(arena, url.text, url.length);
}

/* What is heard while a call goes on. */
struct heard {
	struct strbuf words;
	const char *notice;
	struct arena *arena;
	struct cancel *cancel; /* to be fired at the first word */
};

static void hear(void *owner, const struct rondo_event *event)
{
	struct heard *heard = owner;
	struct rondo_error err;
	if (event->type == RONDO_EVENT_NOTICE)
		heard->notice = arena_strdup(heard->arena, event->text);
	if (event->type != RONDO_EVENT_CHUNK)
		return;
	AUTO_JSON *data = json_parse(event->data, strlen(event->data), &err);
	if (json_int(data, "at", -1) == 0)
		strbuf_reset(&heard->words);
	strbuf_adds(&heard->words, event->text);
	if (heard->cancel)
		cancel_fire(heard->cancel, SIGINT);
}

static void set_proxy(const struct fault *fault)
{
	char url[64];
	unsetenv("http_proxy");
	unsetenv("https_proxy");
	if (!fault->proxy)
		return;
	snprintf(url, sizeof url, "http://127.0.0.1:%d",
		strcmp(fault->proxy, "here") == 0 ? server.port : 1);
	setenv("http_proxy", url, 1);
	setenv("https_proxy", url, 1);
}

static void open_fault(struct client *client, const struct fault *fault, const char *scene)
{
	/* on a slow machine for the good answer, too: and asks again */
	static const char *const fast[] = {"first_timeout=150ms", "idle_timeout=150ms", NULL};
	const char *url =
		fault_url(fault->at ? fault->at : "http://127.0.0.1:PORT/SCENE", scene, &client->arena);
	set_proxy(fault);
	assert_non_null(open_model(client, url,
		strstr(fault->script, "stall") && !fault->is_cancelled ? fast : fault->settings));
}

/* What came of it, in words. */
static void run_fault(const struct fault *fault, const struct model_type *type, struct strbuf *seen)
{
	struct client client = {.type = type};
	struct cancel cancel;
	struct heard heard = {.words = STRBUF_INIT(STRBUF_RECORD), .arena = &client.arena};
	struct context ctx = {.emit = {hear, &heard}};
	const char *scene = fault_scene(fault, type, &client.arena);
	open_fault(&client, fault, scene);
	if (fault->is_cancelled) {
		assert_int_equal(cancel_init(&cancel, NULL, 0, &client.err), 0);
		ctx.cancel = heard.cancel = &cancel;
	}
	struct outcome outcome = {.err = &client.err,
		.url = ((struct hosted *)client.model->state)->url,
		.model = arena_printf(&client.arena, "model %s: ", client.model->name),
		.scene = scene,
		.port = server.port,
		.may_repeat = strstr(fault->script, "stall")};
	for (int i = 0; i < fault->calls; i++)
		outcome.status = model_complete(
			client.model, &request, &client.arena, &outcome.reply, &ctx, &client.err);
	outcome.requests = server_count(&server, scene);
	outcome.notice = heard.notice;
	outcome_describe(seen, &outcome);
	assert_null(strstr(seen->text, KEY));
	if (outcome.status == 0 && heard.words.length && outcome.reply.finish != MODEL_FINISH_REFUSED)
		assert_string_equal(heard.words.text, outcome.reply.text);
	if (fault->is_cancelled)
		cancel_release(&cancel);
	strbuf_release(&heard.words);
	release(&client);
}

static void run_dialect(const struct model_type *type)
{
	size_t wrong = 0;
	for (size_t i = 0; i < faults.n; i++) {
		const struct fault *fault = &faults.items[i];
		AUTO_STRBUF seen = STRBUF_INIT(STRBUF_TEXT);
		if (!fault_is_of(fault, type))
			continue;
		run_fault(fault, type, &seen);
		if (table)
			fprintf(table, "%s\t%s\t%s\t%s\t%s\n", fault->number, fault->title, type->name,
				fault->want, seen.text);
		if (outcome_fits(fault->want, seen.text))
			continue;
		print_message("# %s: %s %s\n# want %s\n# seen %s\n", type->name, fault->number,
			fault->title, fault->want, seen.text);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void chat_completions_are_as_the_rows_want(void **state)
{
	(void)state;
	run_dialect(dialects[0]);
}

static void responses_are_as_the_rows_want(void **state)
{
	(void)state;
	run_dialect(dialects[1]);
}

static void messages_are_as_the_rows_want(void **state)
{
	(void)state;
	run_dialect(dialects[2]);
}

/* Of these hosts; the last two are trusted, but have expired, or are another's. */
static void make_certificates(void)
{
	char path[TOP_SIZE + 32];
	snprintf(path, sizeof path, "%s/trusted", server.dir);
	FILE *trusted = fopen(path, "we");
	assert_non_null(trusted);
	certificate_write(server.dir, "unknown.localhost", "unknown.localhost", 0, DAY_S, NULL);
	certificate_write(server.dir, "localhost", "localhost", -DAY_S, DAY_S, trusted);
	certificate_write(
		server.dir, "expired.localhost", "expired.localhost", -2 * DAY_S, -DAY_S, trusted);
	certificate_write(server.dir, "other.localhost", "elsewhere.example", -DAY_S, DAY_S, trusted);
	assert_int_equal(fclose(trusted), 0);
	setenv("SSL_CERT_FILE", path, 1);
}

static void start(void)
{
	AUTO_STRBUF script = STRBUF_INIT(STRBUF_TEXT);
	faults = faults_read(&rows_arena);
	for (size_t i = 0; i < faults.n; i++)
		for (size_t j = 0; j < ARRAY_SIZE(dialects); j++)
			if (fault_is_of(&faults.items[i], dialects[j]))
				strbuf_addf(&script, "scene %s\n%s",
					fault_scene(&faults.items[i], dialects[j], &rows_arena),
					faults.items[i].script);
	server_start(&server, script.text);
	make_certificates();
	if (getenv("FAULTS_TABLE"))
		table = fopen(getenv("FAULTS_TABLE"), "we");
}

UNIT(faults)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chat_completions_are_as_the_rows_want),
		cmocka_unit_test(responses_are_as_the_rows_want),
		cmocka_unit_test(messages_are_as_the_rows_want),
	};
	start();
	int result = RUN_TESTS(tests);
	if (table && fclose(table) != 0)
		result++;
	server_stop(&server);
	arena_release(&rows_arena);
	unsetenv("SSL_CERT_FILE");
	return result;
}
