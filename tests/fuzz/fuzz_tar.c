/* Archives: cut anywhere they say the same, names that are not refused lead nowhere else, and what was read can be written and read
 * again. The first byte says where it is cut. What the helper lists is read, too. */
#include "executors/docker/listing.h"
#include "executors/docker/tar.h"
#include "tests/fuzz/fuzz.h"

struct told {
	struct strbuf text, again; /* what was told, and the same as an archive */
	size_t left;               /* of the file that is open */
};

static void assert_leads_nowhere(const char *name)
{
	assert(*name != '/' && strlen(name) <= TAR_LONGEST_NAME);
	for (const char *part = name; *part;) {
		size_t n = strcspn(part, "/");
		assert(n > 0 && !(n == 1 && *part == '.') && !(n == 2 && memcmp(part, "..", 2) == 0));
		part += n + (part[n] == '/');
	}
}

static bool begin(void *owner, const struct tar_entry *entry)
{
	struct told *told = owner;
	assert(!told->left);
	strbuf_addf(&told->text, "%d %s %s %o %llu %s\n", (int)entry->kind, entry->name, entry->target, entry->mode,
		(unsigned long long)entry->size, entry->refusal ? entry->refusal : "");
	if (entry->refusal)
		return false;
	assert_leads_nowhere(entry->name);
	assert(entry->kind != TAR_OTHER);
	bool is_small = entry->size < 100000;
	if (is_small)
		tar_add(&told->again, entry);
	told->left = is_small ? entry->size : 0;
	return is_small;
}

static void take(void *owner, const char *bytes, size_t n)
{
	struct told *told = owner;
	assert(n > 0 && n <= told->left);
	told->left -= n;
	strbuf_add(&told->text, bytes, n);
	strbuf_add(&told->again, bytes, n);
	static const char zeros[TAR_BLOCK];
	if (!told->left)
		strbuf_add(&told->again, zeros, (TAR_BLOCK - told->again.length % TAR_BLOCK) % TAR_BLOCK);
}

static void end(void *owner)
{
	assert(!((struct told *)owner)->left);
}

static bool feed(struct told *told, const char *data, size_t size, size_t piece)
{
	struct rondo_error err;
	struct tar_reader reader = {.begin = begin, .take = take, .end = end, .owner = told};
	bool is_good = true;
	tar_reader_init(&reader);
	for (size_t i = 0, n; is_good && i < size; i += n) {
		n = piece && piece < size - i ? piece : size - i;
		AUTO_FREE char *bytes = memory_alloc(n);
		memcpy(bytes, data + i, n);
		is_good = tar_reader_feed(&reader, bytes, n, &err) == 0;
	}
	is_good = is_good && tar_reader_finish(&reader, &err) == 0;
	tar_reader_release(&reader);
	return is_good;
}

static struct told nothing(void)
{
	return (struct told){.text = STRBUF_INIT((size_t)1 << 30), .again = STRBUF_INIT((size_t)1 << 30)};
}

static void release(struct told *told)
{
	strbuf_release(&told->text);
	strbuf_release(&told->again);
}

static void list(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker_listing listing;
	AUTO_FREE char *bytes = memory_alloc(size);
	memcpy(bytes, data, size);
	docker_listing_read(bytes, size, &arena, &listing);
	for (size_t i = 0; i < listing.n; i++) {
		assert_text(listing.items[i].path);
		if (listing.items[i].kind != ANSWER_REFUSED)
			assert_leads_nowhere(listing.items[i].path);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct told whole = nothing(), cut = nothing(), again = nothing();
	if (!size)
		return 0;
	const char *bytes = (const char *)data + 1;
	bool ends_well = feed(&whole, bytes, size - 1, 0);
	cut.left = 0;
	assert(feed(&cut, bytes, size - 1, data[0] + 1U) == ends_well);
	assert(whole.text.length == cut.text.length && memcmp(whole.text.text, cut.text.text, cut.text.length) == 0);
	if (ends_well) {
		tar_add_end(&whole.again);
		assert(feed(&again, whole.again.text, whole.again.length, 0));
		assert(again.again.length + 2 * TAR_BLOCK == whole.again.length &&
			memcmp(again.again.text, whole.again.text, again.again.length) == 0);
	}
	list(data, size);
	release(&whole);
	release(&cut);
	release(&again);
	return 0;
}
