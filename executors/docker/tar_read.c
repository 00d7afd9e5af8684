#include <stdlib.h>
#include <string.h>

#include "executors/docker/tar_extension.h"

#define TAR_MOST_EXTENSION ((uint64_t)1 << 20) /* what is longer is passed over, and the entry that it is about refused */
#define TAR_MOST_SIZE ((uint64_t)1 << 60)

/* Where fields of a header stand, and how long they are. */
enum {
	NAME_AT = 0, NAME_SIZE = 100, MODE_AT = 100, MODE_SIZE = 8, UID_AT = 108, GID_AT = 116, ID_SIZE = 8, SIZE_AT = 124,
	MODIFIED_AT = 136, NUMBER_SIZE = 12, CHECKSUM_AT = 148, CHECKSUM_SIZE = 8, TYPE_AT = 156, TARGET_AT = 157, MAGIC_AT = 257,
	PREFIX_AT = 345, PREFIX_SIZE = 155, IS_SPARSE_MAP_LONG_AT = 482, IS_MAP_LONG_AT = 504,
};

static const char too_long[] = "its name is longer than a path may be";
static const char leads_out[] = "its name leads out of the tree";

static void forget(struct tar_extension *next)
{
	strbuf_reset(&next->path);
	strbuf_reset(&next->target);
	*next = (struct tar_extension){.path = next->path, .target = next->target};
	next->path.cut = next->target.cut = 0;
}

void tar_reader_init(struct tar_reader *reader)
{
	reader->text = (struct strbuf)STRBUF_INIT(TAR_MOST_EXTENSION);
	reader->next.path = (struct strbuf)STRBUF_INIT(TAR_MOST_EXTENSION);
	reader->next.target = (struct strbuf)STRBUF_INIT(TAR_MOST_EXTENSION);
}

void tar_reader_release(struct tar_reader *reader)
{
	strbuf_release(&reader->text);
	strbuf_release(&reader->next.path);
	strbuf_release(&reader->next.target);
}

/* --- Fields --- */

/* Octal digits between blanks, or a number of bytes behind a bit that says so. False: it is none, or below zero. */
static bool read_number(const unsigned char *field, size_t size, uint64_t *ret_value)
{
	uint64_t value = 0;
	size_t i = 0;
	if (field[0] & 0x80) {
		for (i = 0; i < size; i++) {
			if (value >> 55 || (i == 0 && field[0] & 0x40))
				return false;
			value = value << 8 | (i == 0 ? field[0] & 0x3fU : field[i]);
		}
		return *ret_value = value, true;
	}
	while (i < size && field[i] == ' ')
		i++;
	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		value = value << 3 | (uint64_t)(field[i] - '0');
	return *ret_value = value, i == size || field[i] == ' ' || field[i] == '\0';
}

/* Of a field that means nothing to whom it is wrong. */
static uint64_t number_or_none(const unsigned char *field, size_t size)
{
	uint64_t value;
	return read_number(field, size, &value) ? value : 0;
}

/* Some writers have summed up signed bytes. */
static bool has_checksum(const unsigned char *block)
{
	uint64_t expected;
	uint64_t sum = 0;
	int64_t signed_sum = 0;
	for (size_t i = 0; i < TAR_BLOCK; i++) {
		bool is_itself = i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_SIZE;
		sum += is_itself ? ' ' : block[i];
		signed_sum += is_itself ? ' ' : (signed char)block[i];
	}
	return read_number(block + CHECKSUM_AT, CHECKSUM_SIZE, &expected) &&
	       (expected == sum || (signed_sum >= 0 && expected == (uint64_t)signed_sum));
}

static bool is_zero(const unsigned char *block)
{
	size_t i = 0;
	while (i < TAR_BLOCK && !block[i])
		i++;
	return i == TAR_BLOCK;
}

/* --- Names --- */

/* Without parts that lead nowhere. Returns why it may not be taken over, or NULL. */
static const char *clean_name(const char *name, size_t length, struct strbuf *clean)
{
	const char *refusal = *name == '/'                ? "its name is absolute"
			      : length > TAR_LONGEST_NAME ? too_long
							  : NULL;
	if (strlen(name) != length)
		refusal = "its name holds a NUL";
	for (const char *part = name; *part;) {
		size_t n = strcspn(part, "/");
		if (n == 2 && memcmp(part, "..", 2) == 0)
			refusal = leads_out;
		if (n && !(n == 1 && *part == '.')) {
			if (clean->length)
				strbuf_addc(clean, '/');
			strbuf_add(clean, part, n);
		}
		part += n + (part[n] == '/');
	}
	if (clean->length > TAR_LONGEST_NAME) /* as much as a message about it needs */
		strbuf_truncate(clean, 200);
	return refusal;
}

static void read_name(const struct tar_reader *reader, struct strbuf *name)
{
	const char *block = (const char *)reader->block;
	bool is_posix = memcmp(block + MAGIC_AT, "ustar\0", 6) == 0;
	if (reader->next.has_path) {
		strbuf_add(name, reader->next.path.text, reader->next.path.length);
		return;
	}
	if (is_posix && block[PREFIX_AT]) {
		strbuf_add(name, block + PREFIX_AT, strnlen(block + PREFIX_AT, PREFIX_SIZE));
		strbuf_addc(name, '/');
	}
	strbuf_add(name, block + NAME_AT, strnlen(block + NAME_AT, NAME_SIZE));
}

static void read_target(const struct tar_reader *reader, struct strbuf *target)
{
	const char *field = (const char *)reader->block + TARGET_AT;
	if (reader->next.has_target)
		strbuf_add(target, reader->next.target.text, reader->next.target.length);
	else
		strbuf_add(target, field, strnlen(field, NAME_SIZE));
}

/* --- Extensions --- */

/* An extension is there whole; what stands for the whole archive is no concern of ours. */
static int close_extension(struct tar_reader *reader, struct rondo_error *err)
{
	char type = reader->extends;
	const char *text = reader->text.text;
	size_t n = strnlen(text, reader->text.length);
	int status = 0;
	if (type == 'x')
		status = tar_extension_read(&reader->next, &reader->text, err);
	else if (type == 'L')
		tar_extension_set(&reader->next.path, &reader->next.has_path, text, n);
	else if (type == 'K')
		tar_extension_set(&reader->next.target, &reader->next.has_target, text, n);
	strbuf_reset(&reader->text);
	reader->extends = '\0';
	return status;
}

static void open_extension(struct tar_reader *reader, char type, uint64_t size)
{
	bool is_long = size > TAR_MOST_EXTENSION;
	reader->extends = is_long ? 'g' : type;
	reader->is_wanted = !is_long && type != 'g';
	if (is_long)
		reader->next.refusal = too_long;
}

/* --- Entries --- */

static enum tar_kind kind_of(char type, const struct strbuf *name)
{
	bool ends_as_dir = name->length && name->text[name->length - 1] == '/';
	switch (type) {
	case '0':
	case '\0':
	case '7':
		return ends_as_dir ? TAR_DIR : TAR_FILE;
	case '1':
		return TAR_HARD_LINK;
	case '2':
		return TAR_LINK;
	case '5':
		return TAR_DIR;
	default:
		return TAR_OTHER;
	}
}

static const char *refusal_of_type(char type)
{
	switch (type) {
	case '3':
	case '4':
		return "it is a device";
	case '6':
		return "it is a FIFO";
	case 'S':
		return TAR_IS_SPARSE;
	default:
		return "it is neither a file nor a directory";
	}
}

static bool has_bytes(char type)
{
	return type < '1' || type > '6';
}

static void open_entry(struct tar_reader *reader, char type, uint64_t size)
{
	const unsigned char *block = reader->block;
	struct strbuf said = STRBUF_INIT(2 * TAR_MOST_EXTENSION), name = said, target = said;
	struct tar_entry entry = {.size = size,
		.mode = (unsigned)number_or_none(block + MODE_AT, MODE_SIZE) & 07777,
		.uid = (unsigned)number_or_none(block + UID_AT, ID_SIZE),
		.gid = (unsigned)number_or_none(block + GID_AT, ID_SIZE),
		.modified_s = (int64_t)number_or_none(block + MODIFIED_AT, NUMBER_SIZE)};
	read_name(reader, &said);
	entry.kind = kind_of(type, &said);
	entry.refusal = clean_name(said.text, said.length, &name);
	if (entry.kind == TAR_OTHER)
		entry.refusal = refusal_of_type(type);
	if (entry.kind == TAR_LINK || entry.kind == TAR_HARD_LINK)
		read_target(reader, &target);
	if (target.length > TAR_LONGEST_NAME || strlen(target.text) != target.length)
		entry.refusal = "what it points at is no path";
	if (!entry.refusal && !name.length && entry.kind != TAR_DIR)
		entry.refusal = "it has no name";
	if (reader->next.refusal)
		entry.refusal = reader->next.refusal;
	entry.name = name.text;
	entry.target = entry.refusal ? "" : target.text;
	reader->is_wanted = reader->begin(reader->owner, &entry);
	reader->skips_maps = type == 'S' && block[IS_SPARSE_MAP_LONG_AT];
	strbuf_release(&said);
	strbuf_release(&name);
	strbuf_release(&target);
	forget(&reader->next);
}

static int close_open(struct tar_reader *reader, struct rondo_error *err)
{
	if (reader->extends)
		return close_extension(reader, err);
	if (reader->is_wanted)
		reader->end(reader->owner);
	reader->is_wanted = false;
	return 0;
}

static int read_header(struct tar_reader *reader, struct rondo_error *err)
{
	const unsigned char *block = reader->block;
	char type = (char)block[TYPE_AT];
	uint64_t size;
	if (is_zero(block)) {
		reader->is_over = true;
		return 0;
	}
	if (!has_checksum(block))
		return tar_broken(err, "a header has a wrong checksum");
	if (!read_number(block + SIZE_AT, NUMBER_SIZE, &size))
		return tar_broken(err, "a size is no number");
	bool extends = type == 'x' || type == 'L' || type == 'K' || type == 'g';
	if (!extends && reader->next.has_size)
		size = reader->next.size;
	if (size > TAR_MOST_SIZE)
		return tar_broken(err, "a file is larger than any can be");
	size = has_bytes(type) ? size : 0;
	if (extends)
		open_extension(reader, type, size);
	else
		open_entry(reader, type, size);
	reader->left = size;
	reader->padding = tar_padding(size);
	return size || reader->skips_maps ? 0 : close_open(reader, err);
}

/* --- The stream --- */

/* A block of 512 bytes that is read as such. */
static int take_block(struct tar_reader *reader, struct rondo_error *err)
{
	if (!reader->skips_maps)
		return read_header(reader, err);
	reader->skips_maps = reader->block[IS_MAP_LONG_AT];
	return reader->skips_maps || reader->left ? 0 : close_open(reader, err);
}

static int take_bytes(
	struct tar_reader *reader, const char *bytes, size_t n, struct rondo_error *err)
{
	reader->left -= n;
	if (reader->is_wanted && reader->extends)
		strbuf_add(&reader->text, bytes, n);
	else if (reader->is_wanted)
		reader->take(reader->owner, bytes, n);
	return reader->left ? 0 : close_open(reader, err);
}

static size_t least(size_t n, uint64_t most)
{
	return n < most ? n : (size_t)most;
}

int tar_reader_feed(struct tar_reader *reader, const char *bytes, size_t n, struct rondo_error *err)
{
	while (n && !reader->is_over) {
		size_t part;
		if (reader->left && !reader->skips_maps) {
			part = least(n, reader->left);
			if (take_bytes(reader, bytes, part, err) < 0)
				return -1;
		} else if (reader->padding && !reader->skips_maps) {
			part = least(n, reader->padding);
			reader->padding -= part;
		} else {
			part = least(n, TAR_BLOCK - reader->n_block);
			memcpy(reader->block + reader->n_block, bytes, part);
			reader->n_block = (reader->n_block + part) % TAR_BLOCK;
			if (!reader->n_block && take_block(reader, err) < 0)
				return -1;
		}
		bytes += part;
		n -= part;
	}
	return 0;
}

int tar_reader_finish(const struct tar_reader *reader, struct rondo_error *err)
{
	return reader->is_over ? 0 : tar_broken(err, "it is cut off");
}
