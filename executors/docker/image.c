/* The image of containers: present, or pulled by the engine, which reports its progress. */
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "executors/docker/docker.h"

enum { TELL_EVERY_MS = 500, MOST_LAYERS = 256, PULL_MS = 3600000 };

struct layer {
	char id[32];
	int64_t has, size;
};

/* A pull in progress: a stream of JSON objects, one per line. */
struct pull {
	const struct context *ctx;
	const char *image;
	struct strbuf line;
	struct layer layers[MOST_LAYERS];
	size_t n;
	int64_t told_ms;
	char fault[512]; /* errors come with HTTP 200 */
};

static void image_tell(struct pull *pull)
{
	int64_t has = 0, size = 0, now_ms = clock_now_ms();
	if (now_ms - pull->told_ms < TELL_EVERY_MS)
		return;
	pull->told_ms = now_ms;
	for (size_t i = 0; i < pull->n; i++) {
		has += pull->layers[i].has;
		size += pull->layers[i].size;
	}
	context_progress_of(pull->ctx, "docker", has, size, "pulling %s: %.1f of %.1f MB", pull->image,
		(double)has / 1e6, (double)size / 1e6);
}

static void image_note_layer(struct pull *pull, const char *id, int64_t has, int64_t size)
{
	size_t i = 0;
	while (i < pull->n && strcmp(pull->layers[i].id, id) != 0)
		i++;
	if (i == MOST_LAYERS || has < 0 || size < has)
		return;
	if (i == pull->n)
		utf8_format(pull->layers[pull->n++].id, sizeof pull->layers[i].id, "%s", id);
	pull->layers[i].has = has;
	pull->layers[i].size = size;
}

static void image_read_line(struct pull *pull)
{
	struct rondo_error not_json;
	AUTO_JSON *json = json_parse(pull->line.text, pull->line.length, &not_json);
	const char *fault = json_string(json, "error", NULL), *id = json_string(json, "id", NULL);
	const struct json *progress = json_get(json, "progressDetail");
	if (fault)
		utf8_format(pull->fault, sizeof pull->fault, "%s", fault);
	if (id && strlen(id) < sizeof pull->layers->id &&
		strcmp(json_string(json, "status", ""), "Downloading") == 0)
		image_note_layer(pull, id, json_int(progress, "current", 0),
			json_int(progress, "total", 0));
	image_tell(pull);
}

static enum http_taken image_take(void *owner, const char *bytes, size_t n)
{
	struct pull *pull = owner;
	for (const char *end = bytes + n; bytes < end;) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
		size_t part = (size_t)((newline ? newline : end) - bytes);
		strbuf_add(&pull->line, bytes, part);
		bytes += part + (newline ? 1 : 0);
		if (!newline)
			continue;
		image_read_line(pull);
		strbuf_reset(&pull->line);
		pull->line.cut = 0;
	}
	return HTTP_USED;
}

/* "host:5000/a/b:tag", "a@sha256:..." or "a" as the engine wants it. */
static const char *image_pull_path(const char *image, struct arena *arena)
{
	const char *slash = strrchr(image, '/'), *at = strchr(image, '@');
	const char *colon = strrchr(slash ? slash : image, ':'), *mark = at ? at : colon;
	const char *name = mark ? arena_strndup(arena, image, (size_t)(mark - image)) : image;
	return arena_printf(arena, "/images/create?fromImage=%s&tag=%s", http_quote(name, arena),
		http_quote(mark ? mark + 1 : "latest", arena));
}

static bool image_has_word(const char *text, const char *const *words)
{
	while (*words && !strcasestr(text, *words))
		words++;
	return *words;
}

/* Explain a failed pull by the words of engines and registries. */
static int image_explain(const struct docker *docker, const char *said, struct rondo_error *err)
{
	static const char *const denied[] = {"denied", "unauthorized", "authentication",
		"no basic auth", NULL};
	static const char *const absent[] = {"not found", "manifest unknown", "does not exist",
		"no such image", NULL};
	static const char *const unreachable[] = {"dial tcp", "no such host", "timeout",
		"connection refused", "network is unreachable",
		"EOF", "TLS handshake", NULL};
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "cannot pull the image %s: %s", docker->image, said);
	if (strcasestr(said, "no space left")) {
		err->code = RONDO_ERROR_TRANSIENT;
		return error_help(err, DOCKER_MAKE_ROOM);
	}
	if (image_has_word(said, unreachable)) {
		err->code = RONDO_ERROR_TRANSIENT;
		return error_help(err,
			"docker pull %s where its registry can be reached, or docker load -i FILE",
			docker->image);
	}
	if (image_has_word(said, denied))
		return error_help(err,
			"docker login and docker pull %s; or name another image by executor.image",
			docker->image);
	if (image_has_word(said, absent))
		return error_help(err, "name an image that exists by executor.image");
	return -1;
}

static int image_pull(struct docker *docker, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct pull *pull = arena_alloc(&arena, sizeof *pull);
	*pull = (struct pull){.ctx = ctx, .image = docker->image, .line = STRBUF_INIT(STRBUF_LINE)};
	struct docker_request request = {.method = "POST",
		.path = image_pull_path(docker->image, &arena), .take = image_take, .owner = pull,
		.total_ms = PULL_MS};
	context_progress(ctx, "docker", "pulling %s", docker->image);
	int status = docker_send(&docker->api, &request, &answer, ctx->cancel, err);
	strbuf_release(&pull->line);
	if (status < 0)
		return error_prefix(err, "cannot pull the image %s", docker->image);
	if (*answer.message || *pull->fault)
		return image_explain(docker, *answer.message ? answer.message : pull->fault, err);
	return 0;
}

static int image_look(struct docker *docker, bool *ret_there, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {.method = "GET",
		.path = arena_printf(&arena, "/images/%s/json", http_quote(docker->image, &arena))};
	if (docker_send(&docker->api, &request, &answer, ctx->cancel, err) < 0)
		return -1;
	*ret_there = answer.status == 200;
	return answer.status == 200 || answer.status == 404 ? 0 : docker_refused(&docker->api, &answer,
		"cannot look for the image", err);
}

int docker_image_bring(struct docker *docker, const struct context *ctx, struct rondo_error *err)
{
	bool there = false;
	if (strcmp(docker->pull, "always") == 0)
		return image_pull(docker, ctx, err);
	if (image_look(docker, &there, ctx, err) < 0)
		return -1;
	if (there)
		return 0;
	if (strcmp(docker->pull, "missing") == 0)
		return image_pull(docker, ctx, err);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"the image %s is not there, and executor.pull is never", docker->image);
	return error_help(err, "docker pull %s", docker->image);
}
