/* Which directories calls may name: real paths, so that no link and no ".." leads out. */
#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/mcp/mcp.h"

#define ROOTS_WAIT_MS 5000
#define ROOTS_ID "\"rondo-roots-%lld\""

static void roots_set(struct mcp_server *server, struct option_strings roots)
{
	pthread_mutex_lock(&server->lock);
	server->roots = roots;
	server->awaits_roots = false;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
}

/* The top of the repository around a directory, or the directory. */
static const char *roots_around(const char *dir, struct arena *arena)
{
	for (char *top = arena_strdup(arena, dir), *slash; *top; *slash = '\0') {
		if (file_exists(arena_printf(arena, "%s/.git", top)))
			return top;
		if (!(slash = strrchr(top, '/')))
			break;
	}
	return dir;
}

int roots_begin(struct mcp_server *server, struct rondo_error *err)
{
	const struct option_strings *given = &server->options->roots;
	struct arena *arena = &server->arena;
	struct option_strings roots = {0};
	for (size_t i = 0; i < given->n; i++) {
		const char *real = file_real_path(arena, given->items[i], err);
		if (!real)
			return error_prefix(err, "--root");
		if (!file_is_dir(real))
			return error_set(
				err, RONDO_ERROR_USAGE, "--root: '%s' is not a directory", given->items[i]);
		ARENA_PUSH(arena, roots.items, roots.n, real);
	}
	if (!given->n) {
		const char *here = file_real_path(arena, ".", err);
		if (!here)
			return -1;
		ARENA_PUSH(arena, roots.items, roots.n, roots_around(here, arena));
	}
	server->first_roots = roots;
	roots_set(server, roots);
	return 0;
}

/* --- Those of the client --- */

void roots_ask(struct mcp_server *server)
{
	if (!server->offers_roots || server->options->roots.n)
		return;
	pthread_mutex_lock(&server->lock);
	server->awaits_roots = true;
	const char *id = arena_printf(&server->arena, ROOTS_ID, (long long)++server->n_asked);
	outbox_add_locked(server, json_rpc_request(id, "roots/list", NULL));
	pthread_mutex_unlock(&server->lock);
}

/* "file:///home/me/a%20b" as a path, in the arena; NULL: it is none of this machine. */
static const char *roots_path(const char *uri, struct arena *arena)
{
	static const char scheme[] = "file://", host[] = "localhost";
	if (!text_starts_with(uri, scheme))
		return NULL;
	uri += strlen(scheme);
	uri += text_starts_with(uri, host) ? strlen(host) : 0;
	char *path = arena_strdup(arena, uri), *to = path;
	for (const char *at = path; *at; at++) {
		if (*at == '%' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2])) {
			*to++ = (char)strtol(arena_strndup(arena, at + 1, 2), NULL, 16);
			at += 2;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
	return *path == '/' ? path : NULL;
}

/* Where the client names none, or answers with an error, those of the start count. */
void roots_take(struct mcp_server *server, const struct json_rpc_message *answer)
{
	struct arena *arena = &server->arena;
	struct option_strings roots = {0};
	const char *expected = arena_printf(arena, ROOTS_ID, (long long)server->n_asked);
	if (!server->n_asked || !json_rpc_same_id(answer->id, expected))
		return;
	const struct json *list = json_get(answer->result, "roots");
	for (const struct json *root = json_first(list); root; root = json_next(root)) {
		struct rondo_error err;
		const char *path = roots_path(json_string(root, "uri", ""), arena);
		const char *real = path ? file_real_path(arena, path, &err) : NULL;
		if (real && file_is_dir(real))
			ARENA_PUSH(arena, roots.items, roots.n, real);
	}
	roots_set(server, json_count(list) ? roots : server->first_roots);
}

struct option_strings roots_now(struct mcp_server *server)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ROOTS_WAIT_MS / 1000;
	pthread_mutex_lock(&server->lock);
	bool waits = !pthread_equal(pthread_self(), server->hearer);
	while (waits && server->awaits_roots && !cancel_reason(&server->cancel) &&
		pthread_cond_timedwait(&server->changed, &server->lock, &until) == 0)
		;
	server->awaits_roots &= !waits; /* one wait is enough */
	struct option_strings roots = server->roots;
	pthread_mutex_unlock(&server->lock);
	return roots;
}

/* --- What a call names --- */

static int roots_refuse(
	const char *path, const struct option_strings *roots, struct rondo_error *err)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_list(&list, roots->items, roots->n);
	if (!roots->n)
		error_set(err, RONDO_ERROR_USAGE,
			"no directory may be touched: none that the client named is there");
	else if (path)
		error_set(err, RONDO_ERROR_USAGE,
			"'%s' is nothing below the directories that may be touched: %s", path, list.text);
	else
		error_set(err, RONDO_ERROR_USAGE, "which repository? repo must name one of %s", list.text);
	return error_help(err, "only the user can allow more: rondo mcp --root DIR");
}

const char *roots_resolve(struct mcp_server *server, const char *path, struct arena *arena,
	struct option_strings *ret_roots, struct rondo_error *err)
{
	struct option_strings roots = roots_now(server);
	if ((!path && roots.n != 1) || !roots.n) {
		roots_refuse(path, &roots, err);
		return NULL;
	}
	const char *whole = !path ? roots.items[0]
		: *path == '/'        ? path
							  : arena_printf(arena, "%s/%s", roots.items[0], path);
	const char *real = file_real_path(arena, whole, err);
	bool is_inside = false;
	for (size_t i = 0; real && i < roots.n; i++)
		is_inside |= file_is_below(real, roots.items[i]);
	if (!is_inside) /* whether it is there, outside, is nobody's business */
		roots_refuse(path, &roots, err);
	*ret_roots = roots;
	return is_inside ? real : NULL;
}
