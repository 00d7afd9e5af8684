/* Archives, written and read: what engines send, and what nobody should. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "executors/docker/tar.h"

/* What was read, as lines: "KIND NAME TARGET MODE SIZE REFUSAL" and the bytes. */
struct told {
	struct strbuf text;
	struct tar_reader reader;
	struct rondo_error err;
};

static bool begin(void *owner, const struct tar_entry *entry)
{
	struct told *told = owner;
	strbuf_addf(&told->text, "%c %s>%s %o %llu%s%s;", "fdlho"[entry->kind], entry -> name,
		entry -> target, entry -> mode, (unsigned long long)entry -> size,
		entry -> refusal ? " " : "", entry->refusal ? entry->refusal : "");
	return entry->kind == TAR_FILE && !entry->refusal;
}

static void take(void *owner, const char *bytes, size_t n)
{
	strbuf_add(&((struct told *)owner)->text, bytes, n);
}

static void end(void *owner)
{
	strbuf_adds(&((struct told *)owner)->text, "|");
}

/* In pieces of that size. 0, or -1 with err. */
static int tell(struct told *told, const struct strbuf *archive, size_t piece)
{
	int status = 0;
	*told = (struct told){.text = STRBUF_INIT(STRBUF_TEXT),
		.reader = {.begin = begin, .take = take, .end = end, .owner = told}};
	tar_reader_init(&told->reader);
	for (size_t i = 0, n; i < archive->length && status == 0; i += n) {
		n = piece < archive->length - i ? piece : archive->length - i;
		status = tar_reader_feed(&told->reader, archive->text + i, n, &told->err);
	}
	if (status == 0)
		status = tar_reader_finish(&told->reader, &told->err);
	tar_reader_release(&told->reader);
	return status;
}

static void assert_told(const struct strbuf *archive, const char *expected)
{
	static const size_t pieces[] = {1, 7, 511, 512, 513, 1 << 20};
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		struct told told;
		int status = tell(&told, archive, pieces[i]);
		if (status < 0)
			print_message("%s\n", told.err.message);
		assert_int_equal(status, 0);
		assert_string_equal(told.text.text, expected);
		strbuf_release(&told.text);
	}
}

static void assert_broken(const struct strbuf *archive, const char *expected)
{
	struct told told;
	assert_int_equal(tell(&told, archive, 100), -1);
	assert_string_equal(told.err.message, expected);
	strbuf_release(&told.text);
}

static void add_file(struct strbuf *archive, const char *name, const char *text)
{
	static const char zeros[TAR_BLOCK];
	tar_add(archive,
		&(struct tar_entry){
			.kind = TAR_FILE, .name = name, .mode = 0644, .size = strlen(text)});
	strbuf_adds(archive, text);
	strbuf_add(archive, zeros, tar_padding(strlen(text)));
}

/* A header of any type, of which a field may be changed before it is summed up. */
static void add_raw(struct strbuf *archive, char type, const char *name, const char *size,
	size_t at, const char *field, size_t n)
{
	unsigned char block[TAR_BLOCK] = {0};
	unsigned sum = 0;
	char digits[8];
	memcpy(block, name, strlen(name) < 100 ? strlen(name) : 100);
	memcpy(block + 100, "0000644", 8);
	memcpy(block + 124, size, strlen(size));
	memcpy(block + 257,
		"ustar\0"
		"00",
		8);
	block[156] = (unsigned char)type;
	memcpy(block + at, field, n);
	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += block[i];
	snprintf(digits, sizeof digits, "%06o", sum);
	memcpy(block + 148, digits, 7);
	strbuf_add(archive, block, TAR_BLOCK);
}

static void add_padded(struct strbuf *archive, const char *bytes, size_t n)
{
	static const char zeros[TAR_BLOCK];
	strbuf_add(archive, bytes, n);
	strbuf_add(archive, zeros, tar_padding(n));
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	tar_add(&archive, &(struct tar_entry){.kind = TAR_DIR, .name = "a", .mode = 0755});
	add_file(&archive, "a/b", "hello");
	add_file(&archive, "a/empty", "");
	tar_add(&archive,
		&(struct tar_entry){.kind = TAR_LINK, .name = "l", .target = "a/b", .mode = 0777});
	tar_add(&archive, &(struct tar_entry){.kind = TAR_FILE, .name = "\xff\xfe", .mode = 04755});
	tar_add_end(&archive);
	assert_told(&archive,
		"d a> 755 0;f a/b> 644 5;hello|f a/empty> 644 0;|l l>a/b 777 0;f \xff\xfe> 4755 0;|");
}

static void long_names_targets_and_numbers_are_read(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT), expected = STRBUF_INIT(STRBUF_TEXT);
	char name[4000], part[] = "directory/";
	for (size_t i = 0; i < sizeof name; i++)
		name[i] = part[i % 10];
	name[sizeof name - 1] = '\0';
	name[sizeof name - 2] = 'x';
	add_file(&archive, name, "x");
	tar_add(&archive, &(struct tar_entry){.kind = TAR_LINK,
				  .name = "l",
				  .target = name,
				  .uid = 4294967294U,
				  .modified_s = -1});
	tar_add_end(&archive);
	strbuf_addf(&expected, "f %s> 644 1;x|l l>%s 0 0;", name, name);
	assert_told(&archive, expected.text);
	for (size_t n = 85; n < 115; n++) { /* where a record's length gets one more digit */
		AUTO_STRBUF one = STRBUF_INIT(STRBUF_TEXT), said = STRBUF_INIT(STRBUF_TEXT);
		memset(name, 'n', n);
		name[n] = '\0';
		add_file(&one, name, "");
		tar_add_end(&one);
		strbuf_addf(&said, "f %s> 644 0;|", name);
		assert_told(&one, said.text);
	}
}

static void long_names_of_gnu_are_read(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	char name[300];
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	add_raw(&archive, 'L', "././@LongLink", "00000000454", 0, "", 0);
	add_padded(&archive, name, sizeof name);
	add_raw(&archive, 'K', "././@LongLink", "00000000454", 0, "", 0);
	add_padded(&archive, name, sizeof name);
	add_raw(&archive, '2', "short", "00000000000", 0, "", 0);
	add_raw(&archive, '0', "./next//to/", "00000000000", 0, "",
		0); /* as version 7 wrote directories */
	tar_add_end(&archive);
	AUTO_STRBUF expected = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&expected, "l %s>%s 644 0;d next/to> 644 0;", name, name);
	assert_told(&archive, expected.text);
}

static void prefixes_and_binary_numbers_are_read(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	add_raw(&archive, '0', "name", "00000000000", 345, "some/prefix", 11);
	add_raw(&archive, '0', "b", "", 124, "\x80\0\0\0\0\0\0\0\0\0\0\3", 12);
	add_padded(&archive, "abc", 3);
	tar_add_end(&archive);
	assert_told(&archive, "f some/prefix/name> 644 0;|f b> 644 3;abc|");
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	add_file(&archive, "/etc/passwd", "x");
	add_file(&archive, "a/../../b", "x");
	add_file(&archive, "..", "x");
	add_file(&archive, "./", "");
	add_file(&archive, "a/..b", "y");
	tar_add_end(&archive);
	assert_told(&archive,
		"f etc/passwd> 644 1 its name is absolute;f a/../../b> 644 1 its name leads out of the tree;"
		"f ..> 644 1 its name leads out of the tree;d > 644 0;f a/..b> 644 1;y|");
}

static void what_is_no_file_is_refused(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	static const char sparse[] = "22 GNU.sparse.major=1\n";
	add_raw(&archive, '3', "tty", "00000000007", 0, "", 0); /* its size means nothing */
	add_raw(&archive, '4', "disk", "00000000000", 0, "", 0);
	add_raw(&archive, '6', "fifo", "00000000000", 0, "", 0);
	add_raw(&archive, 'S', "holes", "00000000003", 482, "\1", 1);
	add_padded(&archive, "a map", 5);
	add_padded(&archive, "abc", 3);
	add_raw(&archive, 'x', "pax", "00000000026", 0, "", 0);
	add_padded(&archive, sparse, strlen(sparse));
	add_raw(&archive, '0', "more", "00000000000", 0, "", 0);
	add_raw(&archive, 'V', "label", "00000000000", 0, "", 0);
	add_raw(&archive, '1', "second", "00000000000", 157, "first", 5);
	tar_add_end(&archive);
	assert_told(&archive,
		"o tty> 644 0 it is a device;o disk> 644 0 it is a device;o fifo> 644 0 it is a FIFO;"
		"o holes> 644 3 it is a sparse file;f more> 644 0 it is a sparse file;"
		"o label> 644 0 it is neither a file nor a directory;h second>first 644 0;");
}

static void names_of_a_megabyte_are_refused(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT);
	size_t n = (size_t)2 << 20;
	AUTO_FREE char *name = memory_alloc(n + 1);
	memset(name, 'x', n);
	add_raw(&archive, 'L', "././@LongLink", "00010000000", 0, "", 0);
	add_padded(&archive, name, n);
	add_file(&archive, "short", "a");
	name[n / 2] = '\0';
	add_file(&archive, name, "b");
	name[5000] = '\0';
	add_file(&archive, name, "b");
	add_file(&archive, "next", "c");
	tar_add_end(&archive);
	struct told told;
	assert_int_equal(tell(&told, &archive, 4096), 0);
	assert_non_null(
		strstr(told.text.text, "f short> 644 1 its name is longer than a path may be;f "));
	assert_non_null(strstr(
		told.text.text, "x> 644 1 its name is longer than a path may be;f next> 644 1;c|"));
	assert_true(told.text.length < 1000);
	strbuf_release(&told.text);
}

static void broken_archives_say_so(void **state)
{
	(void)state;
	AUTO_STRBUF archive = STRBUF_INIT(STRBUF_TEXT), bad = STRBUF_INIT(STRBUF_TEXT),
		    huge = STRBUF_INIT(STRBUF_TEXT), pax = STRBUF_INIT(STRBUF_TEXT),
		    negative = STRBUF_INIT(STRBUF_TEXT);
	add_file(&archive, "a", "hello");
	assert_broken(&archive, "the archive is broken: it is cut off");
	strbuf_truncate(&archive, 514);
	assert_broken(&archive, "the archive is broken: it is cut off");
	strbuf_add(&bad, archive.text, 512);
	bad.text[3] = 'x';
	assert_broken(&bad, "the archive is broken: a header has a wrong checksum");
	add_raw(&huge, '0', "a", "", 124, "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12);
	assert_broken(&huge, "the archive is broken: a file is larger than any can be");
	add_raw(&negative, '0', "a", "", 124, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		12);
	assert_broken(&negative, "the archive is broken: a size is no number");
	add_raw(&pax, 'x', "a", "00000000011", 0, "", 0);
	add_padded(&pax, "99 a=b\n\n\n", 9);
	assert_broken(&pax, "the archive is broken: a pax record has a wrong length");
}

UNIT(tar)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(long_names_targets_and_numbers_are_read),
		cmocka_unit_test(long_names_of_gnu_are_read),
		cmocka_unit_test(prefixes_and_binary_numbers_are_read),
		cmocka_unit_test(names_that_lead_elsewhere_are_refused),
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(names_of_a_megabyte_are_refused),
		cmocka_unit_test(broken_archives_say_so),
	};
	return RUN_TESTS(tests);
}
