/*
 * Programs in a sandbox of Daytona's, by its REST API: one sandbox per executor, created at its
 * start and deleted at its stop. The trees are synchronised around each command
 * (executors/remote.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executors/daytona/daytona.h"
#include "executors/functions.h"
#include "executors/owner.h"
#include "executors/world.h"

#define OWN_URL "https://app.daytona.io/api"
#define KEY "DAYTONA_API_KEY"
#define PROBE_MS ((int64_t)5000)
#define FILL_MS ((int64_t)600000)

static const char *const languages[] = {"python", "javascript", "typescript", NULL};

#define AT(member) offsetof(struct daytona, member)
#define RESOURCE(member, unit) \
	{.name = #member, .kind = OPTION_INT, .offset = offsetof(struct daytona_resources, member), \
		.most = 65536, .help = unit "; 0 leaves it to Daytona"}

static const struct option resources[] = {
	RESOURCE(cpu, "cores"), RESOURCE(memory, "GiB"), RESOURCE(disk, "GiB"), OPTION_END};

static const struct option options[] = {
	{.name = "api_url", .kind = OPTION_STRING, .offset = AT(api_url), .argument = "URL",
		.help = "where the API is; default DAYTONA_API_URL, else " OWN_URL},
	{.name = "target", .kind = OPTION_STRING, .offset = AT(target), .argument = "REGION",
		.help = "where the sandbox runs; default DAYTONA_TARGET, else the organization's"},
	{.name = "snapshot", .kind = OPTION_STRING, .offset = AT(snapshot), .argument = "NAME",
		.help = "what the sandbox is made of; else Daytona's default"},
	{.name = "image", .kind = OPTION_STRING, .offset = AT(image), .argument = "IMAGE",
		.help = "the same by an image of containers, such as python:3.12-slim"},
	{.name = "name", .kind = OPTION_STRING, .offset = AT(name),
		.help = "of the sandbox; default rondo- and eight digits"},
	{.name = "language", .kind = OPTION_ENUM, .offset = AT(language), .values = languages,
		.fallback = "python", .help = "what the sandbox is labelled with for Daytona's own tools"},
	{.name = "resources", .kind = OPTION_SECTION, .offset = AT(resources), .table = resources,
		.help = "what it has; needs 'image'"},
	{.name = "auto_stop", .kind = OPTION_DURATION, .offset = AT(stop_ms), .fallback = "15m",
		.help = "it stops by itself when idle for so long, in whole minutes; 0: never"},
	{.name = "auto_delete", .kind = OPTION_DURATION, .offset = AT(delete_ms), .fallback = "60m",
		.help = "and is deleted so long after it stopped; 0: at once"},
	{.name = "start_timeout", .kind = OPTION_DURATION, .offset = AT(start_ms), .fallback = "60s",
		.least = 1, .help = "how long to wait for it to start"},
	OPTION_END,
};

/* --- Whom to ask --- */

static const char *daytona_setting(const struct secrets *secrets, const char *given,
	const char *name, const char *fallback)
{
	const char *value = secrets_setting(secrets, name, KEY);
	return given ? given : value ? value : fallback;
}

static int daytona_check_key(const char *key, struct rondo_error *err)
{
	if (!key) {
		error_set(err, RONDO_ERROR_USAGE, "no key: " KEY " is not set");
		return error_help(err,
			"export " KEY
			"=..., with a key made at https://app.daytona.io/dashboard/keys");
	}
	for (const char *c = key; *c; c++)
		if (*c < '!' || *c > '~')
			return error_set(err, RONDO_ERROR_USAGE,
				"the key in " KEY
				" holds a space or a character that is not ASCII");
	return 0;
}

/* The API by options, else by the environment. Strings lie in the arena. */
static int daytona_find_api(const char *url, const struct secrets *secrets, struct arena *arena,
	struct daytona_api *ret_api, struct rondo_error *err)
{
	struct secrets *own = arena_alloc(arena, sizeof *own);
	struct http_url parts;
	if (!secrets)
		secrets_from_environment(own, arena);
	struct daytona_api api = {.secrets = secrets ? secrets : own};
	api.key = secrets_get(api.secrets, KEY);
	url = daytona_setting(api.secrets, url, "DAYTONA_API_URL", OWN_URL);
	size_t n = strlen(url);
	while (n && url[n - 1] == '/')
		n--;
	api.url = arena_strndup(arena, url, n);
	if (daytona_check_key(api.key, err) < 0)
		return -1;
	if (http_url_read(api.url, &parts, err) < 0)
		return error_prefix(err, "DAYTONA_API_URL or api_url");
	api.http = http_new();
	*ret_api = api;
	return 0;
}

static void daytona_leave_api(struct daytona_api *api)
{
	http_free(api->http);
	api->http = NULL;
}

static int daytona_check(
	const struct executor_plan *plan, const char **ret_option, struct rondo_error *err)
{
	const struct daytona *daytona = plan->options;
	const struct daytona_resources *asked = &daytona->resources;
	struct http_url parts;
	*ret_option = "image";
	if (daytona->snapshot && daytona->image)
		return error_set(err, RONDO_ERROR_USAGE,
			"Cannot specify both snapshot '%s' and image '%s': a sandbox is made of one of them",
			daytona->snapshot, daytona->image);
	*ret_option = "resources";
	if (!daytona->image && (asked->cpu || asked->memory || asked->disk))
		return error_set(err, RONDO_ERROR_USAGE,
			"Cannot specify resources for %s: it has its own; they go with an image",
			daytona->snapshot ? "a snapshot" : "Daytona's default snapshot");
	*ret_option = "read_only";
	if (plan->settings->read_only.n)
		return error_set(err, RONDO_ERROR_USAGE,
			"'%s' is on this machine, and programs at Daytona see only what is in the tree: "
			"workspace.copy takes it there",
			plan->settings->read_only.items[0]);
	*ret_option = "api_url";
	return daytona->api_url ? http_url_read(daytona->api_url, &parts, err) : 0;
}

/* --- A place in the sandbox --- */

/* The tree has the same path as here if that directory can be created and is empty: by the user, or
 * by sudo, which Daytona's images have. Otherwise it lies in the user's home. The same for the
 * home. */
static const char prepare[] =
	"make() { mkdir -p \"$1\" 2>/dev/null || "
	"{ sudo -n mkdir -p \"$1\" && sudo -n chown \"$(id -u):$(id -g)\" \"$1\"; } >/dev/null 2>&1; "
	"cd \"$1\" 2>/dev/null && [ -w . ] && [ -z \"$(ls -A)\" ]; }\n"
	"own=${HOME:-/tmp}; [ -w \"$own\" ] || own=/tmp\n"
	"tree=$1; make \"$tree\" || { tree=$own/$3/tree; make \"$tree\" || exit 1; }\n"
	"home=$2; make \"$home\" || { home=$own/$3/home; make \"$home\" || exit 1; }\n"
	"mkdir -p \"$home/.cache\" && printf \"%s\\n%s\\n%s\\n\" \"$tree\" \"$home\" \"$(uname -m)\"";

static void daytona_add_words(struct strbuf *line, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_addc(line, ' ');
		strbuf_add_word(line, words[i]);
	}
}

/* The next line of prepare's output, in the arena. */
static const char *daytona_take_line(const char **text, struct arena *arena)
{
	size_t n = strcspn(*text, "\n");
	const char *line = arena_strndup(arena, *text, n);
	*text += n + ((*text)[n] == '\n');
	return line;
}

static bool daytona_is_place(const char *path)
{
	return path[0] == '/' && path[1] && strlen(path) < 1024;
}

/* The helper for the sandbox's machine, or for this one if the sandbox does not tell. */
static int daytona_choose_helper(struct daytona *daytona, const char *machine, struct arena *arena,
	struct rondo_error *err)
{
	const struct inside_program *program = NULL;
	char hash[HASH_SIZE];
	for (size_t i = 0; i < inside_programs_n && !program; i++)
		if (!*machine || strcmp(inside_programs[i].machine, machine) == 0)
			program = &inside_programs[i];
	if (!program) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"the sandbox is a machine of the kind %s, and this "
			"rondo has its helper for %s only", machine, inside_programs[0].machine);
		return error_help(err, "choose another 'target', or build rondo with "
			"INSIDE_CROSS=%s-linux-gnu-gcc", machine);
	}
	hash_bytes(program->bytes, program->n, hash);
	daytona->program = program;
	daytona->hash = arena_strdup(arena, hash);
	return 0;
}

int daytona_send_helper(struct daytona *daytona, const struct cancel *cancel,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct daytona_file file = {.to = arena_printf(&arena, "%s/inside", daytona->place),
		.bytes = daytona->program->bytes, .n = daytona->program->n};
	return daytona_upload(&daytona->api, &daytona->sandbox, &file, cancel, err);
}

const char *daytona_helper_line(const struct daytona *daytona, const char *const *words, size_t n,
	const char *input, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&line,
		"f=%s/inside; chmod 700 \"$f\" 2>/dev/null\n"
		"[ -x \"$f\" ] && { ! command -v sha256sum >/dev/null || "
		"[ \"$(sha256sum <\"$f\")\" = '%s  -' ]; } || exit %d\n\"$f\"",
		daytona->place, daytona->hash, DAYTONA_NO_HELPER);
	daytona_add_words(&line, words, n);
	if (input)
		strbuf_addf(&line, " <%s 2>/dev/null", input);
	strbuf_adds(&line, "\nexit $?");
	return arena_strndup(arena, line.text, line.length);
}

static int daytona_settle(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct daytona *daytona = executor->state;
	struct arena *arena = &executor->arena;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	const char *const words[] = {
		prepare, "rondo", daytona->given->tree_at, daytona->given->home, daytona->folder};
	strbuf_adds(&text, "sh -c");
	daytona_add_words(&text, words, ARRAY_SIZE(words));
	struct daytona_line line = {.line = text.text, .timeout_ms = 30000};
	if (daytona_execute(&daytona->api, &daytona->sandbox, &line, arena, ctx->cancel, err) < 0)
		return -1;
	const char *said = line.text, *tree = daytona_take_line(&said, arena),
		*home = daytona_take_line(&said, arena);
	if (line.code != 0 || !daytona_is_place(tree) || !daytona_is_place(home))
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"the sandbox has no place for the tree: exit code %d: %s", line.code, line.text);
	world_settle(daytona->given, tree, home, arena, &daytona->world);
	executor->world = &daytona->world;
	return daytona_choose_helper(daytona, daytona_take_line(&said, arena), arena, err);
}

/* Of the world's directories only the installed packages are copied to the sandbox. */
static int daytona_fill_packages(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct daytona *daytona = executor->state;
	const struct world *world = executor->world;
	const char *at = arena_printf(&arena, "%s/" WORLD_PACKAGES, world->home);
	for (size_t i = 0; i < world->n; i++) {
		struct remote_stream stream;
		struct daytona_file file = {
			.to = arena_printf(&arena, "%s/packages", daytona->place), .stream = &stream};
		const char *const words[] = {INSIDE_FILL, at};
		struct daytona_line line = {.timeout_ms = FILL_MS,
			.line = daytona_helper_line(daytona, words, ARRAY_SIZE(words), file.to, &arena)};
		if (strcmp(world->mounts[i].target, at) != 0)
			continue;
		if (remote_stream_of(&stream, world->mounts[i].source, &arena, err) < 0 ||
			daytona_upload(&daytona->api, &daytona->sandbox, &file, ctx->cancel, err) < 0 ||
			daytona_execute(&daytona->api, &daytona->sandbox, &line, &arena, ctx->cancel, err) < 0)
			return -1;
		if (line.code != 0)
			return error_set(err, RONDO_ERROR_TRANSIENT,
				"the sandbox does not take the packages: exit code %d: %s", line.code, line.text);
	}
	return 0;
}

/* --- The type --- */

void daytona_drop(struct daytona *daytona, const char *why)
{
	struct rondo_error ignored;
	if (daytona->sandbox.id)
		daytona_sandbox_delete(&daytona->api, daytona->sandbox.id, &ignored);
	daytona->sandbox.id = NULL;
	daytona->why_new = why;
	remote_release(&daytona->remote);
}

static void daytona_stop(struct executor *executor)
{
	struct daytona *daytona = executor->state;
	daytona_drop(daytona, NULL);
	daytona_leave_api(&daytona->api);
}

/* Strings of earlier sandboxes stay in the arena. */
int daytona_have(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct daytona *daytona = executor->state;
	struct arena *arena = &executor->arena;
	char digits[9], owner[OWNER_SIZE];
	if (daytona->sandbox.id)
		return 0;
	hash_random(digits, 8);
	owner_self(owner);
	struct daytona_spec spec = {.label = digits, .snapshot = daytona->snapshot,
		.image = daytona->image, .language = daytona->language, .owner = owner,
		.cpu = daytona->resources.cpu, .memory = daytona->resources.memory,
		.disk = daytona->resources.disk, .stop_ms = daytona->stop_ms,
		.delete_ms = daytona->delete_ms, .start_ms = daytona->start_ms,
		.has_network = strcmp(executor->settings->network, "host") == 0,
		.env = &executor->settings->env,
		.target = daytona_setting(daytona->api.secrets, daytona->target, "DAYTONA_TARGET", NULL)};
	spec.name = daytona->name ? daytona->name : arena_printf(arena, "rondo-%s", digits);
	if (daytona_sandbox_make(&daytona->api, &spec, arena, &daytona->sandbox, ctx, err) < 0)
		return -1;
	daytona->folder = daytona->folder ? daytona->folder : spec.name;
	daytona->place = arena_printf(arena, "/tmp/rondo-%s", digits);
	daytona->idle_ms = daytona->stop_ms;
	if (daytona_settle(executor, ctx, err) < 0 || daytona_send_helper(daytona, ctx->cancel,
		err) < 0 || daytona_fill_packages(executor, ctx, err) < 0) {
		daytona_drop(daytona, daytona->why_new);
		return -1;
	}
	remote_init(&daytona->remote, executor, "sandbox", FUNCTIONS_FOLDER);
	return 0;
}

static int daytona_start(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct daytona *daytona = executor->state;
	struct rondo_error ignored;
	size_t n;
	if (daytona_find_api(daytona->api_url, executor->secrets, &executor->arena, &daytona->api,
		err) < 0)
		return -1;
	daytona->given = executor->world;
	/* A failure does not concern this run. */
	daytona_sandbox_collect(&daytona->api, ctx->cancel, &n, &ignored);
	if (daytona_have(executor, ctx, err) == 0)
		return 0;
	daytona_stop(executor);
	return -1;
}

static int daytona_probe(struct strbuf *found, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct daytona_api api = {0};
	struct json *json = NULL;
	if (daytona_find_api(NULL, NULL, &arena, &api, err) < 0)
		return -1;
	struct daytona_call call = {.doing = "ask Daytona", .method = "GET", .limit_ms = PROBE_MS,
		.is_once = true, .patience_ms = 1, .url = arena_printf(&arena, "%s/sandbox?labels=%s",
		api.url, "%7B%22rondo%22%3A%22-%22%7D")};
	int status = daytona_call(&api, &call, &json, NULL, err);
	json_free(json);
	daytona_leave_api(&api);
	if (status < 0) {
		strbuf_adds(found, api.url);
		if (!*err->help)
			error_help(err, "check DAYTONA_API_URL (%s) and the way there", api.url);
		return -1;
	}
	strbuf_addf(found, "%s, the key in " KEY " is accepted", api.url);
	return 0;
}

/* Without a key there is nothing to collect. */
static int daytona_collect(size_t *ret_n, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct daytona_api api = {0};
	struct rondo_error refusal;
	*ret_n = 0;
	if (daytona_find_api(NULL, NULL, &arena, &api, &refusal) < 0)
		return 0;
	int status = daytona_sandbox_collect(&api, NULL, ret_n, err);
	daytona_leave_api(&api);
	return status;
}

const struct executor_type daytona_executor = {
	.name = "daytona",
	.summary = "a sandbox at Daytona, by its API; the key is in DAYTONA_API_KEY",
	.state_size = sizeof(struct daytona),
	.options = options,
	.sees = EXECUTOR_SEES_ITSELF,
	.check = daytona_check,
	.probe = daytona_probe,
	.collect = daytona_collect,
	.start = daytona_start,
	.run = daytona_run,
	.stop = daytona_stop,
};
