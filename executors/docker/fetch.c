/* What comes out of a container that has a tree of its own: what a line changed there, which the helper has listed. */
#include <string.h>

#include "base/memory.h"
#include "executors/docker/docker.h"
#include "executors/docker/listing.h"
#include "executors/docker/unpack.h"

#define FETCH_MS ((int64_t)600000) /* where it can be cancelled */
#define MOST_NAMED 8 /* refused files that the output names */

struct fetching {
	struct executor *executor;
	struct docker_listing listing;
	struct strbuf refused;
	size_t n_refused;
	struct unpack *unpack; /* that takes what comes just now */
	struct arena arena;
	struct rondo_error err;
	bool has_failed;
};

static void refuse(void *owner, const char *name, const char *why)
{
	struct fetching *fetching = owner;
	if (fetching->n_refused++ < MOST_NAMED)
		strbuf_addf(&fetching->refused, "\n[%s stays in the container: %s]", name, why);
}

static struct mirror *mirror_of(const struct fetching *fetching, const struct answer_item *item)
{
	struct docker *docker = fetching->executor->state;
	return item->in_cache ? &docker->carry.cache : &docker->carry.tree;
}

static int take_item(struct fetching *fetching, const struct answer_item *item, struct rondo_error *err)
{
	const char *refusal;
	if (item->kind == ANSWER_FILE)
		return 0;
	if (mirror_take(mirror_of(fetching, item), item, &refusal, err) < 0)
		return -1;
	if (refusal)
		refuse(fetching, item->path, refusal);
	return 0;
}

/* What has no bytes: first what is gone, from what lies deepest on, so that directories are empty when their turn comes. */
static int take_all_but_files(struct fetching *fetching, struct rondo_error *err)
{
	const struct docker_listing *listing = &fetching->listing;
	for (size_t i = listing->n; i-- > 0;)
		if (listing->items[i].kind == ANSWER_GONE && take_item(fetching, &listing->items[i], err) < 0)
			return -1;
	for (size_t i = 0; i < listing->n; i++)
		if (listing->items[i].kind != ANSWER_GONE && take_item(fetching, &listing->items[i], err) < 0)
			return -1;
	return 0;
}

static enum http_taken take_bytes(void *owner, const char *bytes, size_t n)
{
	struct fetching *fetching = owner;
	fetching->has_failed = unpack_feed(fetching->unpack, bytes, n, &fetching->err) < 0;
	return fetching->has_failed ? HTTP_STOP : HTTP_USED;
}

/* The files of one of the two, by their numbers: one whose name was refused is nobody's. */
static struct answer_item **find_files(struct fetching *fetching, bool in_cache, size_t *ret_n)
{
	const struct docker_listing *listing = &fetching->listing;
	struct answer_item **files = NULL;
	size_t n = 0;
	for (size_t i = 0; i < listing->n; i++) {
		struct answer_item *item = &listing->items[i];
		if (item->kind != ANSWER_FILE || item->in_cache != in_cache)
			continue;
		while (n <= item->n)
			ARENA_PUSH(&fetching->arena, files, n, NULL);
		files[item->n] = item;
	}
	*ret_n = n;
	return files;
}

static int fetch(struct fetching *fetching, bool in_cache, const struct cancel *cancel, struct rondo_error *err)
{
	struct docker *docker = fetching->executor->state;
	AUTO_DOCKER_ANSWER answer = {0};
	struct unpack unpack;
	size_t n;
	struct answer_item **files = find_files(fetching, in_cache, &n);
	const char *root = in_cache ? docker_cache_at(fetching->executor, &fetching->arena) : fetching->executor->world->tree_at;
	const char *path = docker_encode(arena_printf(&fetching->arena, "%s/" INSIDE_HANDED, root), &fetching->arena);
	struct docker_request request = {.method = "GET", .take = take_bytes, .owner = fetching, .total_ms = cancel ? FETCH_MS : DOCKER_END_MS,
		.path = arena_printf(&fetching->arena, "/containers/%s/archive?path=%s", docker->container, path)};
	if (!n)
		return 0;
	unpack_init(&unpack, in_cache ? &docker->carry.cache : &docker->carry.tree, files, n, refuse, fetching);
	fetching->unpack = &unpack;
	int status = docker_do(&docker->api, &request, &answer, "cannot fetch what changed in the container", cancel, err);
	if (fetching->has_failed) {
		*err = fetching->err;
		status = -1;
	}
	if (status == 0)
		status = unpack_finish(&unpack, err);
	unpack_release(&unpack);
	return status;
}

static void tell_refused(const struct fetching *fetching, struct strbuf *output)
{
	if (!output || !fetching->n_refused)
		return;
	strbuf_adds(output, fetching->refused.text);
	if (fetching->n_refused > MOST_NAMED)
		strbuf_addf(output, "\n[and %zu more]", fetching->n_refused - MOST_NAMED);
	strbuf_addc(output, '\n');
}

/* What was sent is in its place, since the line ran behind it. */
static void accept(struct docker_carry *carry)
{
	mirror_accept(&carry->tree, &carry->tree_changes);
	mirror_accept(&carry->cache, &carry->cache_changes);
}

int docker_carry_fetch(struct executor *executor, const struct docker_exec *exec, struct strbuf *output, const struct cancel *cancel,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct fetching fetching = {.executor = executor, .refused = STRBUF_INIT(STRBUF_LINE)};
	int status = 0;
	docker_listing_read(exec->listing.text, exec->listing.cut ? 0 : exec->listing.length, &fetching.arena, &fetching.listing);
	if (fetching.listing.is_whole) {
		accept(&docker->carry);
		if (take_all_but_files(&fetching, err) < 0 || fetch(&fetching, false, cancel, err) < 0 || fetch(&fetching, true, cancel, err) < 0)
			status = -1;
		tell_refused(&fetching, output);
	}
	if (status < 0 || !fetching.listing.is_whole)
		docker_container_drop(docker, exec->container, "what the command changed in it could not be told");
	strbuf_release(&fetching.refused);
	arena_release(&fetching.arena);
	return status;
}
