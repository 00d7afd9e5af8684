/* Sandboxes at Daytona: creating, waiting, deleting, and collecting those of dead processes. */
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "executors/daytona/daytona.h"
#include "executors/owner.h"

#define CREATE_MS ((int64_t)60000)
#define LIST_MS ((int64_t)5000)
#define LOOK_MS ((int64_t)20000)
#define DELETE_MS ((int64_t)15000)
#define MINUTE_MS ((int64_t)60000)
#define MOST_ORPHANS 100

static int64_t daytona_in_minutes(int64_t duration_ms)
{
	return (duration_ms + MINUTE_MS - 1) / MINUTE_MS;
}

static const char *daytona_url_of(
	const struct daytona_api *api, const char *id, const char *rest, struct arena *arena)
{
	return arena_printf(arena, "%s/sandbox/%s%s", api->url, http_quote(id, arena), rest);
}

/* Auto-stop and auto-delete are always set, so that a dead client leaks nothing for long. */
static struct json *daytona_describe(const struct daytona_spec *spec)
{
	struct json *json = json_object();
	json_add_string(json, "name", spec->name);
	struct json *labels = json_add_object(json, "labels");
	json_add_string(labels, "code-toolbox-language", spec->language);
	json_add_string(labels, "rondo", spec->label);
	json_add_string(labels, "rondo-owner", spec->owner);
	struct json *env = json_add_object(json, "env");
	for (size_t i = 0; spec->env && i < spec->env->n; i++)
		json_add_string(env, spec->env->names[i], spec->env->items[i]);
	json_add_string(json, "target", spec->target);
	json_add_string(json, "snapshot", spec->snapshot);
	json_add_int(json, "autoStopInterval", daytona_in_minutes(spec->stop_ms));
	json_add_int(json, "autoDeleteInterval", daytona_in_minutes(spec->delete_ms));
	json_add_bool(json, "networkBlockAll", !spec->has_network);
	json_add_array(json, "volumes");
	return json;
}

static void daytona_add_image(struct json *json, const struct daytona_spec *spec,
	struct arena *arena)
{
	if (!spec->image)
		return;
	json_add_string(json_add_object(json, "buildInfo"), "dockerfileContent",
		arena_printf(arena, "FROM %s\n", spec->image));
	if (spec->cpu)
		json_add_int(json, "cpu", spec->cpu);
	if (spec->memory)
		json_add_int(json, "memory", spec->memory);
	if (spec->disk)
		json_add_int(json, "disk", spec->disk);
}

/* The toolbox's proxy if the sandbox names one, otherwise the legacy path through the API. */
static void daytona_read(const struct daytona_api *api, const struct json *json,
	struct arena *arena, struct daytona_sandbox *sandbox)
{
	const char *proxy = json_string(json, "toolboxProxyUrl", "");
	size_t n = strlen(proxy);
	sandbox->id = arena_strdup(arena, json_string(json, "id", sandbox->id));
	while (n && proxy[n - 1] == '/')
		n--;
	if (n)
		sandbox->toolbox = arena_printf(
			arena, "%.*s/%s", (int)n, proxy, http_quote(sandbox->id, arena));
	else
		sandbox->toolbox = arena_printf(arena, "%s/toolbox/%s/toolbox", api->url,
			http_quote(sandbox->id, arena));
}

static int daytona_look(const struct daytona_api *api, const char *id, struct arena *arena,
	struct json **ret_json, const struct cancel *cancel, struct rondo_error *err)
{
	struct daytona_call call = {.doing = "look at the sandbox", .method = "GET",
		.url = daytona_url_of(api, id, "", arena), .limit_ms = LOOK_MS};
	*ret_json = NULL;
	return daytona_call(api, &call, ret_json, cancel, err);
}

/* What an answer says, without keys. */
static const char *daytona_text(const struct daytona_api *api, const struct json *json,
	const char *key, const char *fallback, struct arena *arena)
{
	return secrets_redacted(api->secrets, json_string(json, key, fallback), arena);
}

/* 1: started; 0: not yet; -1: it never will. */
static int daytona_judge_state(const struct daytona_api *api, const struct json *json,
	struct arena *arena, struct rondo_error *err)
{
	static const char *const dead[] = {"error", "build_failed", "destroyed", "destroying"};
	const char *state = daytona_text(api, json, "state", "unknown", arena);
	const char *reason = daytona_text(api, json, "errorReason", "", arena);
	for (size_t i = 0; i < ARRAY_SIZE(dead); i++)
		if (strcmp(state, dead[i]) == 0)
			return error_set(err, i < 2 ? RONDO_ERROR_USAGE : RONDO_ERROR_TRANSIENT,
				"the sandbox is in the state '%s'%s%s", state, *reason ? ": " : "",
				reason);
	return strcmp(state, "started") == 0;
}

/* Poll like the SDK: every 0.1 s, after 5 s at growing intervals up to 1 s. */
static int daytona_await_start(const struct daytona_api *api, struct json **json, int64_t limit_ms,
	struct daytona_sandbox *sandbox, struct arena *arena, const struct cancel *cancel,
	struct rondo_error *err)
{
	int64_t start_ms = clock_now_ms(), wait_ms = 100;
	int state;
	while ((state = daytona_judge_state(api, *json, arena, err)) == 0) {
		int64_t waited_ms = clock_now_ms() - start_ms;
		if (waited_ms >= limit_ms)
			return error_set(err, RONDO_ERROR_TRANSIENT,
				"the sandbox has not started in %d s; its state is '%s' (start_timeout)",
				(int)(limit_ms / 1000), daytona_text(api, *json, "state", "unknown", arena));
		if (waited_ms > 5000)
			wait_ms = wait_ms * 11 / 10 < 1000 ? wait_ms * 11 / 10 : 1000;
		if (!retry_sleep(wait_ms < limit_ms - waited_ms ? wait_ms : limit_ms - waited_ms, cancel))
			return cancel_error(cancel, err);
		struct json *next;
		if (daytona_look(api, sandbox->id, arena, &next, cancel, err) < 0)
			return -1;
		json_free(*json);
		*json = next;
	}
	if (state < 0)
		return -1;
	daytona_read(api, *json, arena, sandbox);
	return 0;
}

/* List sandboxes with these labels: an array, or a page with items. */
static int daytona_list(const struct daytona_api *api, const struct json *labels,
	struct json **ret_json, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_FREE char *text = labels ? json_print(labels) : NULL;
	const char *filter = text ? arena_printf(&arena, "?labels=%s", http_quote(text, &arena)) : "";
	struct daytona_call call = {.doing = "list sandboxes",
		.method = "GET",
		.limit_ms = LIST_MS,
		.is_once =
			true, /* leftovers stop by themselves or are found by the next start */
		.url = arena_printf(&arena, "%s/sandbox%s", api->url, filter)};
	*ret_json = NULL;
	return daytona_call(api, &call, ret_json, cancel, err);
}

static const struct json *daytona_items_of(const struct json *json)
{
	return json_is_array(json) ? json : json_get(json, "items");
}

/* Delete a sandbox whose creation was requested but not confirmed. */
static void daytona_delete_unseen(const struct daytona_api *api, const char *label)
{
	struct rondo_error err;
	AUTO_JSON *labels = json_object();
	AUTO_JSON *found = NULL;
	json_add_string(labels, "rondo", label);
	if (daytona_list(api, labels, &found, NULL, &err) < 0)
		return;
	for (const struct json *item = json_first(daytona_items_of(found)); item;
		item = json_next(item))
		if (strcmp(json_string(json_get(item, "labels"), "rondo", ""), label) == 0)
			daytona_sandbox_delete(api, json_string(item, "id", ""), &err);
}

static int daytona_create(const struct daytona_api *api, const struct daytona_spec *spec,
	struct arena *arena, struct json **ret_json, const struct cancel *cancel,
	struct rondo_error *err)
{
	AUTO_JSON *body = daytona_describe(spec);
	daytona_add_image(body, spec, arena);
	struct daytona_call call = {.doing = "create a sandbox", .method = "POST",
		.url = arena_printf(arena, "%s/sandbox", api->url), .body = body, .limit_ms = CREATE_MS,
		.is_once = true};
	*ret_json = NULL;
	int ret = daytona_call(api, &call, ret_json, cancel, err);
	if (ret == 0 && *json_string(*ret_json, "id", ""))
		return 0;
	/* 409: a reused connection broke, and libcurl sent the request twice. */
	if (call.status == 0 || call.status / 100 == 2 || call.status == 409 || call.status >= 500)
		daytona_delete_unseen(api, spec->label);
	return ret < 0
		? ret
		: error_set(err, RONDO_ERROR_TRANSIENT, "Daytona's answer names no sandbox");
}

int daytona_sandbox_make(const struct daytona_api *api, const struct daytona_spec *spec,
	struct arena *arena, struct daytona_sandbox *ret_sandbox, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_JSON *json = NULL;
	struct daytona_sandbox sandbox = {0};
	struct rondo_error ignored;
	context_progress(ctx, "daytona", "waiting for a sandbox");
	if (daytona_create(api, spec, arena, &json, ctx->cancel, err) < 0)
		return err->code == RONDO_ERROR_CANCELLED ? -1
			: error_prefix(err, "Failed to create Daytona sandbox");
	daytona_read(api, json, arena, &sandbox);
	if (daytona_await_start(api, &json, spec->start_ms, &sandbox, arena, ctx->cancel, err) < 0) {
		daytona_sandbox_delete(api, sandbox.id, &ignored);
		return err->code == RONDO_ERROR_CANCELLED ? -1
			: error_prefix(err, "Failed to create Daytona sandbox");
	}
	*ret_sandbox = sandbox;
	return 0;
}

int daytona_sandbox_delete(const struct daytona_api *api, const char *id, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	int64_t end_ms = clock_now_ms() + DELETE_MS;
	struct daytona_call call = {.doing = "delete the sandbox", .method = "DELETE",
		.url = daytona_url_of(api, id, "", &arena), .limit_ms = DELETE_MS / 3,
		.patience_ms = DELETE_MS};
	if (!*id)
		return 0;
	/* 409: it is changing its state. */
	while (daytona_call(api, &call, NULL, NULL, err) < 0) {
		if (call.status == 404)
			return 0;
		if (call.status != 409 || clock_now_ms() > end_ms) {
			log_line(LOG_INFO, "daytona", "%s", err->message);
			return -1;
		}
		retry_sleep(250, NULL);
	}
	return 0;
}

int daytona_sandbox_revive(const struct daytona_api *api, const char *id, int64_t start_ms,
	bool *ret_started, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *json = NULL;
	struct daytona_sandbox sandbox = {.id = id};
	*ret_started = false;
	if (daytona_look(api, id, &arena, &json, cancel, err) < 0)
		return -1;
	const char *state = json_string(json, "state", "unknown");
	bool sleeps = strcmp(state, "stopped") == 0 || strcmp(state, "archived") == 0;
	if (!sleeps && strcmp(state, "stopping") != 0 && strcmp(state, "archiving") != 0)
		return daytona_judge_state(api, json, &arena, err) < 0 ? -1 : 0;
	struct daytona_call call = {.doing = "start the sandbox again", .method = "POST",
		.url = daytona_url_of(api, id, "/start", &arena), .limit_ms = CREATE_MS,
		.patience_ms = CREATE_MS};
	json_free(json);
	json = NULL;
	if (daytona_call(api, &call, &json, cancel, err) < 0 ||
		daytona_await_start(api, &json, start_ms, &sandbox, &arena, cancel, err) < 0)
		return -1;
	*ret_started = true;
	return 0;
}

int daytona_sandbox_collect(const struct daytona_api *api, const struct cancel *cancel,
	size_t *ret_n, struct rondo_error *err)
{
	AUTO_JSON *found = NULL;
	size_t n = 0;
	*ret_n = 0;
	if (daytona_list(api, NULL, &found, cancel, err) < 0)
		return -1;
	for (const struct json *item = json_first(daytona_items_of(found)); item && n < MOST_ORPHANS;
		item = json_next(item)) {
		const struct json *labels = json_get(item, "labels");
		if (json_string(labels, "rondo", NULL) &&
			owner_is_gone(json_string(labels, "rondo-owner", ""), false))
			n += daytona_sandbox_delete(api, json_string(item, "id", ""), err) == 0;
	}
	*ret_n = n;
	return 0;
}

int daytona_sandbox_allow_idle(const struct daytona_api *api, const char *id, int64_t idle_ms,
	const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct daytona_call call = {.doing = "let the sandbox run for longer", .method = "POST",
		.limit_ms = LOOK_MS,
		.url = daytona_url_of(api, id,
		arena_printf(&arena, "/autostop/%d", (int)daytona_in_minutes(idle_ms)), &arena)};
	return daytona_call(api, &call, NULL, cancel, err);
}
