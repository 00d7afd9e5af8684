#include "executors/docker/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/tree_file.h"
#include "executors/docker/inside/inside.h"

static void say_refused(struct unpack *unpack, const char *name, const char *why)
{
	char shown[256];
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_LINE);
	utf8_scrub(&clean, name, strlen(name));
	utf8_format(shown, sizeof shown, "%s", clean.text);
	unpack->refuse(unpack->owner, shown, why);
}

/* The last part of a name is the number; `n`: there is none of that number. */
static size_t number_of(const struct unpack *unpack, const char *name)
{
	const char *last = file_name(name);
	char *end;
	if (*last < '0' || *last > '9' || strlen(last) > 6)
		return unpack->n;
	unsigned long number = strtoul(last, &end, 10);
	return *end || number >= unpack->n ? unpack->n : number;
}

static void put(struct unpack *unpack, size_t number, const char *bytes, size_t n)
{
	struct answer_item item = *unpack->wanted[number];
	const char *refusal;
	item.bytes = bytes;
	item.n = n;
	unpack->came[number] = true;
	if (unpack->has_failed)
		return;
	if (mirror_take(unpack->mirror, &item, &refusal, &unpack->err) < 0)
		unpack->has_failed = true;
	else if (refusal)
		say_refused(unpack, item.path, refusal);
}

/* A second name of a file that came before: what it holds is here by now. */
static void put_again(struct unpack *unpack, size_t number, const char *target)
{
	size_t first = number_of(unpack, target);
	AUTO_STRBUF text = STRBUF_INIT((size_t)INSIDE_MOST_FILE);
	char bytes[65536];
	if (first == unpack->n || !unpack->came[first] || !unpack->wanted[first])
		return;
	AUTO_CLOSE fd = tree_file_open(unpack->mirror->dir, unpack->wanted[first]->path);
	if (fd < 0)
		return;
	for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0;)
		strbuf_add(&text, bytes, (size_t)n);
	if (!text.cut)
		put(unpack, number, text.text, text.length);
}

static bool begin(void *owner, const struct tar_entry *entry)
{
	struct unpack *unpack = owner;
	size_t number = number_of(unpack, entry->name);
	if (entry->refusal) {
		say_refused(unpack, entry->name, entry->refusal);
		return false;
	}
	if (entry->kind == TAR_DIR)
		return false;
	if (number < unpack->n && !unpack->wanted[number]) /* its name was refused before */
		return false;
	if (number == unpack->n || unpack->came[number]) {
		say_refused(unpack, entry->name, "nobody has asked for it");
		return false;
	}
	if (entry->kind == TAR_HARD_LINK)
		put_again(unpack, number, entry->target);
	unpack->open = number;
	strbuf_reset(&unpack->bytes);
	return entry->kind == TAR_FILE && entry->size <= (uint64_t)INSIDE_MOST_FILE;
}

static void take(void *owner, const char *bytes, size_t n)
{
	strbuf_add(&((struct unpack *)owner)->bytes, bytes, n);
}

static void end(void *owner)
{
	struct unpack *unpack = owner;
	put(unpack, unpack->open, unpack->bytes.text, unpack->bytes.length);
}

void unpack_init(struct unpack *unpack, struct mirror *mirror, struct answer_item *const *wanted, size_t n, unpack_refuse *refuse,
	void *owner)
{
	*unpack = (struct unpack){.mirror = mirror, .wanted = wanted, .n = n, .refuse = refuse, .owner = owner,
		.bytes = STRBUF_INIT((size_t)INSIDE_MOST_FILE), .reader = {.begin = begin, .take = take, .end = end}};
	unpack->came = arena_alloc(&unpack->arena, (n + 1) * sizeof *unpack->came);
	unpack->reader.owner = unpack;
	tar_reader_init(&unpack->reader);
}

void unpack_release(struct unpack *unpack)
{
	tar_reader_release(&unpack->reader);
	strbuf_release(&unpack->bytes);
	arena_release(&unpack->arena);
}

int unpack_feed(struct unpack *unpack, const char *bytes, size_t n, struct rondo_error *err)
{
	if (tar_reader_feed(&unpack->reader, bytes, n, err) < 0)
		return -1;
	if (!unpack->has_failed)
		return 0;
	*err = unpack->err;
	return -1;
}

int unpack_finish(struct unpack *unpack, struct rondo_error *err)
{
	if (tar_reader_finish(&unpack->reader, err) < 0)
		return -1;
	for (size_t i = 0; i < unpack->n; i++)
		if (unpack->wanted[i] && !unpack->came[i])
			say_refused(unpack, unpack->wanted[i]->path, "it could not be fetched");
	return 0;
}
