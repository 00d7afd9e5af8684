#include "executors/docker/docker_api.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

/* The newest version that rondo knows and the oldest that it can use. Servers have a minimum,
 * too. */
#define NEWEST "1.47"
#define OLDEST "1.41"

#define MOST_ANSWER ((size_t)8 << 20)

void docker_answer_release(struct docker_answer *answer)
{
	json_free(answer->json);
	*answer = (struct docker_answer){0};
}

/* An answer that is being received. Errors are read here, other bodies by the request's `take`. */
struct reading {
	const struct docker_request *request;
	struct http_response response;
	struct strbuf body;
};

static enum http_taken docker_take(void *owner, const char *bytes, size_t n)
{
	struct reading *reading = owner;
	if (reading->request->take && reading->response.status < 300)
		return reading->request->take(reading->request->owner, bytes, n);
	strbuf_add(&reading->body, bytes, n);
	return HTTP_USED;
}

static void docker_read_answer(const struct reading *reading, struct docker_answer *ret_answer)
{
	struct rondo_error not_json;
	struct docker_answer answer = {.status = reading->response.status};
	if (reading->body.length && !reading->body.cut)
		answer.json = json_parse(reading->body.text, reading->body.length, &not_json);
	if (answer.status >= 400) {
		AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
		utf8_scrub(&said, reading->body.text, reading->body.length);
		strbuf_rtrim(&said);
		utf8_format(answer.message, sizeof answer.message, "%s",
			json_string(answer.json, "message", said.text));
	}
	*ret_answer = answer;
}

int docker_send(struct docker_api *api, const struct docker_request *request,
	struct docker_answer *answer, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_STRBUF url = STRBUF_INIT(STRBUF_LINE);
	AUTO_FREE char *json = request->body ? json_print(request->body) : NULL;
	const struct strbuf *archive = request->archive;
	const char *body = archive ? archive->text : json;
	int64_t total_ms = request->total_ms ? request->total_ms : DOCKER_CALL_MS;
	*answer = (struct docker_answer){0};
	strbuf_addf(&url, "http://engine%s%s%s", api->version ? "/v" : "", api->version ? api->version
		: "", request->path);
	const char *type = archive ? "Content-Type: application/x-tar"
		: "Content-Type: application/json";
	const char *const headers[] = {body ? type : NULL, NULL};
	struct reading reading = {.request = request, .body = STRBUF_INIT(MOST_ANSWER)};
	struct http_request http = {.url = url.text, .unix_socket = api->socket,
		.method = request->method, .headers = headers, .body = body, .body_length = archive
		? archive->length : body ? strlen(body) : 0, .take = docker_take, .owner = &reading,
		.limits = {.connect_ms = 10000, .first_ms = total_ms, .idle_ms = total_ms,
		.total_ms = total_ms, .rest_ms = 1000, .body = request->take ? (size_t)1 << 40
		: MOST_ANSWER}};
	pthread_mutex_lock(&api->lock);
	int status = http_send(api->http, &http, &reading.response, cancel, err);
	pthread_mutex_unlock(&api->lock);
	if (status == 0)
		docker_read_answer(&reading, answer);
	strbuf_release(&reading.body);
	return status < 0 ? docker_socket_explain(api->socket, err) : 0;
}

int docker_refused(const struct docker_api *api, const struct docker_answer *answer,
	const char *what, struct rondo_error *err)
{
	const char *name = api->name ? api->name : api->socket;
	if (!*answer->message)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s: %s answers with status %d", what, name,
			answer->status);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s: %s says: %s", what, name, answer->message);
	if (strstr(answer->message, "no space left on device")) {
		err->code = RONDO_ERROR_TRANSIENT;
		error_help(err, DOCKER_MAKE_ROOM);
	}
	return -1;
}

int docker_do(struct docker_api *api, const struct docker_request *request,
	struct docker_answer *answer, const char *what, const struct cancel *cancel,
	struct rondo_error *err)
{
	if (docker_send(api, request, answer, cancel, err) < 0)
		return error_prefix(err, "%s", what);
	return answer->status >= 400 ? docker_refused(api, answer, what, err) : 0;
}

/* --- Who is there --- */

/* "1.41" as 1041; -1: not a version. */
static int docker_read_version(const char *text)
{
	char *end;
	long major = strtol(text, &end, 10);
	if (end == text || *end != '.' || major < 0 || major > 99)
		return -1;
	long minor = strtol(end + 1, &end, 10);
	return *end || minor < 0 || minor > 999 ? -1 : (int)(major * 1000 + minor);
}

static bool docker_is_podman(const struct json *version)
{
	const struct json *component = json_first(json_get(version, "Components"));
	return strstr(json_string(component, "Name", ""), "Podman");
}

static int docker_agree(struct docker_api *api, const struct json *version, struct rondo_error *err)
{
	const char *newest = json_string(version, "ApiVersion", ""),
		*oldest = json_string(version, "MinAPIVersion", OLDEST);
	api->is_podman = docker_is_podman(version);
	api->name = arena_printf(api->arena, "%s %.40s", api->is_podman ? "Podman" : "Docker",
		json_string(version, "Version", "?"));
	if (docker_read_version(newest) < 0)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"%s: what answers there is no container engine", api->socket);
	if (docker_read_version(newest) < docker_read_version(OLDEST)) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s at %s speaks API %s, and rondo needs %s",
			api->name, api->socket, newest, OLDEST);
		return error_help(err, "upgrade to Docker 20.10 or Podman 4 or newer");
	}
	if (docker_read_version(oldest) > docker_read_version(NEWEST)) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"%s at %s speaks API %s and newer, and rondo no newer than %s", api->name, api->socket,
			oldest, NEWEST);
		return error_help(err, "upgrade rondo, or start the engine with DOCKER_MIN_API_VERSION=%s",
			NEWEST);
	}
	int agreed = docker_read_version(newest);
	api->version = agreed < docker_read_version(NEWEST)
		? arena_printf(api->arena, "%d.%d", agreed / 1000, agreed % 1000) /* it goes into URLs */
		: NEWEST;
	return 0;
}

static int docker_read_security(struct docker_api *api, const struct cancel *cancel,
	struct rondo_error *err)
{
	AUTO_DOCKER_ANSWER answer = {0};
	if (docker_do(api, &(struct docker_request){.method = "GET", .path = "/info"}, &answer,
		"cannot ask the engine about itself", cancel, err) < 0)
		return -1;
	const struct json *option = json_first(json_get(answer.json, "SecurityOptions"));
	for (; option; option = json_next(option)) {
		api->is_rootless = api->is_rootless || strstr(json_text(option, ""), "name=rootless");
		api->maps_users = api->maps_users || strstr(json_text(option, ""), "name=userns");
	}
	return 0;
}

static int docker_meet(struct docker_api *api, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request version = {.method = "GET", .path = "/version",
		.total_ms = DOCKER_END_MS};
	if (docker_do(api, &version, &answer, "cannot speak with the engine", cancel, err) < 0 ||
		docker_agree(api, answer.json, err) < 0)
		return -1;
	return docker_read_security(api, cancel, err);
}

int docker_api_open(struct docker_api *ret_api, const char *socket, struct arena *arena,
	const struct cancel *cancel, struct rondo_error *err)
{
	struct docker_api api = {.arena = arena, .lock = PTHREAD_MUTEX_INITIALIZER};
	api.socket = docker_socket_find(socket, arena, err);
	if (!api.socket || docker_socket_try(api.socket, err) < 0)
		return -1;
	api.http = http_new();
	if (docker_meet(&api, cancel, err) < 0) {
		docker_api_close(&api);
		return -1;
	}
	*ret_api = api;
	pthread_mutex_init(&ret_api->lock, NULL);
	return 0;
}

void docker_api_close(struct docker_api *api)
{
	http_free(api->http);
	api->http = NULL;
}
