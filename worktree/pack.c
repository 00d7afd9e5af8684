/*
 * Packs whose objects are stored, not compressed: they live as long as a run, and writing them
 * takes a tenth of what compressing takes. Their indexes are of git's first version, which has no
 * checksums an object, and offsets of 32 bits; every git reads both.
 */
#include <endian.h>
#include <errno.h>
#include <openssl/evp.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/internal.h"

#define SHA1_SIZE 20
#define LARGEST_STORED 65535 /* of one block of zlib's format */

/* A file with the hash of all that is written to it at its end. */
struct hashed_file {
	FILE *file;
	EVP_MD_CTX *hash;
	uint64_t length;
	unsigned char digest[SHA1_SIZE];
	bool failed;
};

static void hashed_put(struct hashed_file *out, const void *bytes, size_t n)
{
	out->failed = out->failed || fwrite(bytes, 1, n, out->file) != n ||
		!EVP_DigestUpdate(out->hash, bytes, n);
	out->length += n;
}

static void hashed_release(struct hashed_file *out)
{
	if (out->file)
		fclose(out->file);
	EVP_MD_CTX_free(out->hash);
}

#define AUTO_HASHED __attribute__((cleanup(hashed_release))) struct hashed_file

static int hashed_open(struct hashed_file *out, const char *path, struct rondo_error *err)
{
	*out = (struct hashed_file){.file = fopen(path, "w+xe"), .hash = EVP_MD_CTX_new()};
	if (!out->file)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s'", path);
	if (!out->hash || !EVP_DigestInit_ex(out->hash, EVP_sha1(), NULL))
		return error_set(err, RONDO_ERROR_INTERNAL, "SHA-1 is not available");
	return 0;
}

/* Put other bytes in place of the first ones, which needs all that was written to be hashed again.
 */
static void hashed_replace(struct hashed_file *out, const void *bytes, size_t n)
{
	unsigned char read[65536];
	size_t n_read;
	out->failed = out->failed || fseeko(out->file, 0, SEEK_SET) < 0 ||
		fwrite(bytes, 1, n, out->file) != n || fseeko(out->file, 0, SEEK_SET) < 0 ||
		!EVP_DigestInit_ex(out->hash, EVP_sha1(), NULL);
	while (!out->failed && (n_read = fread(read, 1, sizeof read, out->file)) > 0)
		out->failed = !EVP_DigestUpdate(out->hash, read, n_read);
	out->failed = out->failed || ferror(out->file) || fseeko(out->file, 0, SEEK_END) < 0;
}

static int hashed_end(struct hashed_file *out, const char *path, struct rondo_error *err)
{
	out->failed = out->failed || !EVP_DigestFinal_ex(out->hash, out->digest, NULL) ||
		fwrite(out->digest, 1, SHA1_SIZE, out->file) != SHA1_SIZE || fflush(out->file) != 0;
	if (out->failed)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s'", path);
	return 0;
}

static uint32_t adler32(const unsigned char *bytes, size_t n)
{
	uint32_t a = 1, b = 0;
	while (n) {
		size_t part = n < 5552 ? n : 5552; /* as many as 32 bits can sum up */
		n -= part;
		for (; part; part--) {
			a += *bytes++;
			b += a;
		}
		a %= 65521;
		b %= 65521;
	}
	return b << 16 | a;
}

/* An object's type and size, seven bits a byte. */
static void put_header(struct hashed_file *out, git_object_t type, size_t n)
{
	unsigned char bytes[16];
	size_t length = 0;
	unsigned char byte = (unsigned char)((unsigned)type << 4 | (n & 15));
	for (n >>= 4; n; n >>= 7) {
		bytes[length++] = byte | 0x80;
		byte = n & 0x7f;
	}
	bytes[length++] = byte;
	hashed_put(out, bytes, length);
}

static void put_stored(struct hashed_file *out, const unsigned char *bytes, size_t n)
{
	uint32_t sum = htobe32(adler32(bytes, n));
	hashed_put(out, "\x78\x01", 2);
	bool last;
	do {
		size_t part = n < LARGEST_STORED ? n : LARGEST_STORED;
		last = part == n;
		unsigned char head[] = {last, part & 0xff, (unsigned char)(part >> 8), ~part & 0xff,
			(unsigned char)(~part >> 8)};
		hashed_put(out, head, sizeof head);
		hashed_put(out, bytes, part);
		bytes += part;
		n -= part;
	} while (!last);
	hashed_put(out, &sum, sizeof sum);
}

static int compare_ids(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

static size_t make_unique(git_oid *ids, size_t n)
{
	size_t unique = 0;
	qsort(ids, n, sizeof *ids, compare_ids);
	for (size_t i = 0; i < n; i++)
		if (!unique || !git_oid_equal(&ids[unique - 1], &ids[i]))
			ids[unique++] = ids[i];
	return unique;
}

struct pack_head {
	char magic[4];
	uint32_t version, n;
};

static struct pack_head pack_head(size_t n)
{
	return (struct pack_head){{'P', 'A', 'C', 'K'}, htobe32(2), htobe32((uint32_t)n)};
}

/* As many of them as begin below the limit. How many that are is known only then. */
static int put_objects(struct store *store, const git_oid *ids, size_t n, uint64_t largest,
	uint32_t *offsets, struct hashed_file *out, size_t *ret_n, struct rondo_error *err)
{
	struct pack_head head = pack_head(n);
	hashed_put(out, &head, sizeof head);
	size_t i = 0;
	for (; i < n && (i == 0 || out->length < largest); i++) {
		AUTO_STORED object = {0};
		offsets[i] = htobe32((uint32_t)out->length);
		if (store_read(store, &ids[i], GIT_OBJECT_ANY, &object, err) < 0)
			return -1;
		put_header(out, object.type, object.n);
		put_stored(out, (const unsigned char *)object.bytes, object.n);
	}
	head = pack_head(i);
	if (i < n)
		hashed_replace(out, &head, sizeof head);
	*ret_n = i;
	return 0;
}

static int write_index(const char *path, const git_oid *ids, size_t n, const uint32_t *offsets,
	const unsigned char *pack, struct rondo_error *err)
{
	AUTO_HASHED out = {0};
	if (hashed_open(&out, path, err) < 0)
		return -1;
	for (size_t byte = 0, at = 0; byte < 256; byte++) {
		while (at < n && ids[at].id[0] <= byte)
			at++;
		uint32_t count = htobe32((uint32_t)at);
		hashed_put(&out, &count, sizeof count);
	}
	for (size_t i = 0; i < n; i++) {
		hashed_put(&out, &offsets[i], sizeof offsets[i]);
		hashed_put(&out, ids[i].id, SHA1_SIZE);
	}
	hashed_put(&out, pack, SHA1_SIZE);
	return hashed_end(&out, path, err);
}

static int gather_entry(struct gathering *gathering, const git_tree_entry *entry,
	const git_tree_entry *old, struct rondo_error *err)
{
	const git_oid *id = git_tree_entry_id(entry);
	git_object_t type = git_tree_entry_type(entry);
	if (type == GIT_OBJECT_COMMIT || (old && git_oid_equal(git_tree_entry_id(old), id)))
		return 0;
	if (type == GIT_OBJECT_TREE)
		return gathering_add(gathering, id,
			old && git_tree_entry_type(old) == GIT_OBJECT_TREE ? git_tree_entry_id(old) : NULL,
			err);
	ARENA_PUSH(&gathering->arena, gathering->ids, gathering->n, *id);
	return 0;
}

int gathering_add(struct gathering *gathering, const git_oid *tree_id, const git_oid *old_id,
	struct rondo_error *err)
{
	AUTO_GIT(tree) *tree = NULL;
	AUTO_GIT(tree) *old = NULL;
	if (store_tree(gathering->store, tree_id, &tree, err) < 0 ||
		(old_id && store_tree(gathering->store, old_id, &old, err) < 0))
		return -1;
	ARENA_PUSH(&gathering->arena, gathering->ids, gathering->n, *tree_id);
	for (size_t i = 0; i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
		if (gather_entry(gathering, entry,
				old ? git_tree_entry_byname(old, git_tree_entry_name(entry)) : NULL, err) < 0)
			return -1;
	}
	return 0;
}

/* Write the next objects that fit into one pack. */
static int write_pack(struct store *store, const git_oid *ids, size_t n, uint64_t largest,
	const char *path, size_t *ret_n, struct rondo_error *err)
{
	AUTO_HASHED pack = {0};
	AUTO_STRBUF file = STRBUF_INIT(STRBUF_LINE), index = STRBUF_INIT(STRBUF_LINE);
	AUTO_FREE uint32_t *offsets = memory_alloc(n * sizeof *offsets);
	size_t written;
	strbuf_addf(&file, "%s.pack", path);
	strbuf_addf(&index, "%s.idx", path);
	if (hashed_open(&pack, file.text, err) < 0 ||
		put_objects(store, ids, n, largest, offsets, &pack, &written, err) < 0 ||
		hashed_end(&pack, file.text, err) < 0 ||
		write_index(index.text, ids, written, offsets, pack.digest, err) < 0)
		return -1;
	*ret_n = written;
	return 0;
}

int pack_write(struct store *store, git_oid *ids, size_t n, uint64_t largest, const char *dir,
	const char *name, size_t *ret_n, struct rondo_error *err)
{
	size_t n_packs = 0;
	n = make_unique(ids, n);
	for (size_t done = 0, written; done < n; done += written) {
		AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&path, "%s/%s", dir, name);
		if (n_packs)
			strbuf_addf(&path, "-%zu", n_packs);
		if (write_pack(store, ids + done, n - done, largest, path.text, &written, err) < 0)
			return -1;
		n_packs++;
	}
	*ret_n = n_packs;
	return 0;
}
