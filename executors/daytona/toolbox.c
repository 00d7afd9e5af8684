/* The toolbox of a sandbox: run a line, upload and download files. */
#include <string.h>

#include "base/memory.h"
#include "executors/daytona/daytona.h"

#define DAY_S ((int64_t)86400)
#define GRACE_MS ((int64_t)5000) /* the SDK's grace for an answer after the timeout */
#define TRANSFER_MS ((int64_t)1800000)

static void toolbox_add_env(struct json *to, const char *const *env)
{
	for (; env && *env; env++) {
		const char *equals = strchr(*env, '=');
		char name[256];
		if (!equals || equals - *env >= (ptrdiff_t)sizeof name)
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(equals - *env), *env);
		if (!json_get(to, name))
			json_add_string(to, name, equals + 1);
	}
}

int daytona_execute(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	struct daytona_line *line, struct arena *arena, const struct cancel *cancel,
	struct rondo_error *err)
{
	AUTO_JSON *body = json_object();
	AUTO_JSON *answer = NULL;
	int64_t timeout_s = line->timeout_ms ? (line->timeout_ms + 999) / 1000 : DAY_S;
	json_add_string(body, "command", line->line);
	json_add_string(body, "cwd", line->cwd);
	json_add_int(body, "timeout", timeout_s);
	struct json *env = json_add_object(body, "envs");
	toolbox_add_env(env, line->more_env);
	toolbox_add_env(env, line->env);
	struct daytona_call call = {.doing = "run a command in the sandbox", .method = "POST",
		.url = arena_printf(arena, "%s/process/execute", sandbox->toolbox), .body = body,
		.is_once = line->is_once, .limit_ms = timeout_s * 1000 + GRACE_MS};
	int status = daytona_call(api, &call, &answer, cancel, err);
	line->status = call.status;
	line->code = (int)json_int(answer, "exitCode", json_int(answer, "code", -1));
	line->text = arena_strdup(arena, json_string(answer, "result", ""));
	return status;
}

/* A multipart body, produced as it is sent: a file's path and its contents. */
struct upload {
	const struct daytona_file *file;
	char boundary[33];
	struct strbuf text; /* what comes before the stream, then what comes after it */
	size_t sent;        /* of it */
	bool is_over;       /* the stream is */
};

static void upload_rewind(void *owner)
{
	struct upload *upload = owner;
	const struct daytona_file *file = upload->file;
	if (file->stream)
		remote_stream_rewind(file->stream);
	upload->sent = 0;
	upload->is_over = false;
	strbuf_reset(&upload->text);
	strbuf_addf(&upload->text,
		"--%s\r\nContent-Disposition: form-data; name=\"files[0].path\"\r\n\r\n%s\r\n"
		"--%s\r\nContent-Disposition: form-data; name=\"files[0].file\"; filename=\"0\"\r\n"
		"Content-Type: application/octet-stream\r\n\r\n",
		upload->boundary, file->to, upload->boundary);
	strbuf_add(&upload->text, file->bytes, file->n);
}

static ssize_t upload_give(void *owner, char *bytes, size_t n)
{
	struct upload *upload = owner;
	for (;;) {
		size_t left = upload->text.length - upload->sent;
		left = left < n ? left : n;
		memcpy(bytes, upload->text.text + upload->sent, left);
		upload->sent += left;
		if (left || upload->is_over)
			return (ssize_t)left;
		ssize_t got = upload->file->stream ? remote_stream_give(upload->file->stream, bytes, n) : 0;
		if (got)
			return got;
		upload->is_over = true;
		upload->sent = 0;
		strbuf_reset(&upload->text);
		strbuf_addf(&upload->text, "\r\n--%s--\r\n", upload->boundary);
	}
}

int daytona_upload(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const struct daytona_file *file, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct upload upload = {.file = file, .text = STRBUF_INIT(STRBUF_TEXT)};
	hash_random(upload.boundary, sizeof upload.boundary - 1);
	struct daytona_call call = {.doing = "send files to the sandbox", .method = "POST",
		.url = arena_printf(&arena, "%s/files/bulk-upload", sandbox->toolbox),
		.type = arena_printf(&arena, "multipart/form-data; boundary=%s", upload.boundary),
		.give = upload_give, .rewind = upload_rewind, .owner = &upload, .limit_ms = TRANSFER_MS,
		.patience_ms = TRANSFER_MS};
	int status = daytona_call(api, &call, NULL, cancel, err);
	if (file->stream)
		remote_stream_rewind(file->stream);
	strbuf_release(&upload.text);
	return status;
}

int daytona_download(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const char *path, int fd, size_t most_bytes, const struct cancel *cancel,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct daytona_call call = {.doing = "fetch a file from the sandbox", .method = "GET",
		.url = arena_printf(&arena, "%s/files/download?path=%s", sandbox->toolbox,
		http_quote(path, &arena)), .limit_ms = TRANSFER_MS, .fd = fd, .most_bytes = most_bytes};
	return daytona_call(api, &call, NULL, cancel, err);
}
