#include <stdio.h>
#include <string.h>

#include "executors/docker/tar.h"

#define MOST_OCTAL_7 07777777U
#define MOST_OCTAL_11 077777777777LL

/* As POSIX has it. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], modified[12], checksum[8], type, target[100], magic[6], version[2],
		user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};

_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is a block");

static void put_text(char *field, size_t size, const char *text)
{
	size_t n = strlen(text);
	memcpy(field, text, n < size ? n : size);
}

static void put_octal(char *field, size_t size, unsigned long long value)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%0*llo", (int)size - 1, value);
	memcpy(field, digits, size - 1);
}

static void put_checksum(struct header *header)
{
	unsigned sum = 0;
	memset(header->checksum, ' ', sizeof header->checksum);
	for (size_t i = 0; i < sizeof *header; i++)
		sum += ((const unsigned char *)header)[i];
	put_octal(header->checksum, sizeof header->checksum - 1, sum);
	header->checksum[6] = '\0';
}

/* One where a number is too large for its field: a pax record has it. */
static unsigned long long fitting(unsigned long long value, unsigned long long most)
{
	return value <= most ? value : 0;
}

static void add_header(struct strbuf *sb, const struct tar_entry *entry, char type)
{
	struct header header = {.type = type, .magic = "ustar", .version = {'0', '0'}};
	put_text(header.name, sizeof header.name, entry->name);
	put_text(header.target, sizeof header.target, entry->target ? entry->target : "");
	put_octal(header.mode, sizeof header.mode, entry->mode & 07777);
	put_octal(header.uid, sizeof header.uid, fitting(entry->uid, MOST_OCTAL_7));
	put_octal(header.gid, sizeof header.gid, fitting(entry->gid, MOST_OCTAL_7));
	put_octal(header.size, sizeof header.size, fitting(entry->size, MOST_OCTAL_11));
	put_octal(header.modified, sizeof header.modified,
		fitting(entry->modified_s < 0 ? 0 : (unsigned long long)entry->modified_s, MOST_OCTAL_11));
	put_checksum(&header);
	strbuf_add(sb, &header, sizeof header);
}

/* "LENGTH KEY=VALUE\n", where the length counts its own digits. */
static void add_record(struct strbuf *sb, const char *key, const char *value)
{
	size_t rest = strlen(key) + strlen(value) + 3, n = rest + 1;
	char digits[24];
	while ((size_t)snprintf(digits, sizeof digits, "%zu", n) + rest != n)
		n = (size_t)snprintf(digits, sizeof digits, "%zu", n) + rest;
	strbuf_adds(sb, digits);
	strbuf_addc(sb, ' ');
	strbuf_adds(sb, key);
	strbuf_addc(sb, '=');
	strbuf_adds(sb, value);
	strbuf_addc(sb, '\n');
}

static void add_number(struct strbuf *sb, const char *key, long long value)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%lld", value);
	add_record(sb, key, digits);
}

static void add_zeros(struct strbuf *sb, size_t n)
{
	static const char zeros[2 * TAR_BLOCK];
	strbuf_add(sb, zeros, n);
}

/* What does not fit into a header. */
static void add_records(struct strbuf *sb, const struct tar_entry *entry)
{
	if (strlen(entry->name) > sizeof ((struct header *)0)->name)
		add_record(sb, "path", entry->name);
	if (entry->target && strlen(entry->target) > sizeof ((struct header *)0)->target)
		add_record(sb, "linkpath", entry->target);
	if (entry->size > MOST_OCTAL_11)
		add_number(sb, "size", (long long)entry->size);
	if (entry->uid > MOST_OCTAL_7)
		add_number(sb, "uid", entry->uid);
	if (entry->gid > MOST_OCTAL_7)
		add_number(sb, "gid", entry->gid);
	if (entry->modified_s < 0 || entry->modified_s > MOST_OCTAL_11)
		add_number(sb, "mtime", entry->modified_s);
}

void tar_add(struct strbuf *sb, const struct tar_entry *entry)
{
	static const char types[] = {[TAR_FILE] = '0', [TAR_DIR] = '5', [TAR_LINK] = '2', [TAR_HARD_LINK] = '1', [TAR_OTHER] = '6'};
	struct strbuf records = STRBUF_INIT(STRBUF_TEXT);
	add_records(&records, entry);
	if (records.length) {
		add_header(sb, &(struct tar_entry){.name = "pax", .mode = 0644, .size = records.length}, 'x');
		strbuf_add(sb, records.text, records.length);
		add_zeros(sb, tar_padding(records.length));
	}
	strbuf_release(&records);
	add_header(sb, entry, types[entry->kind]);
}

size_t tar_padding(uint64_t size)
{
	return (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK;
}

void tar_add_end(struct strbuf *sb)
{
	add_zeros(sb, (size_t)2 * TAR_BLOCK);
}
