/*
 * JUnit XML, by expat: a tree of <testsuite>, in it <testcase>, in it at most one outcome that
 * counts. Hostile code may have written the file: a document type is refused, and with it every
 * entity; depth, text and size are limited.
 */
#include <errno.h>
#include <expat.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/formats/junit.h"

enum {
	CHUNK = 64 << 10,
	DEEPEST = 64,
	NAME_MOST = 4 << 10,
	TEXT_MOST = 16 << 10,
	FILE_MOST = 256 << 20,
};

enum field { SUITE_FILE, CLASSNAME, NAME, CASE_FILE, STATUS, OUTCOME, TYPE, MESSAGE, TEXT, FIELDS };

struct reader {
	XML_Parser parser;
	void (*take)(struct suite_reading *reading, const struct junit_case *test);
	struct suite_reading *reading;
	int depth, suites_depth;
	size_t suite_ends[DEEPEST]; /* how long `suites` was before each open suite */
	struct strbuf suites, basedir, fields[FIELDS];
	double seconds;
	int case_depth, outcome_depth; /* 0: not within one */
	int n_skipped;
	const char *problem;
};

static void reader_release(struct reader *reader)
{
	if (reader->parser)
		XML_ParserFree(reader->parser);
	strbuf_release(&reader->suites);
	strbuf_release(&reader->basedir);
	for (size_t i = 0; i < FIELDS; i++)
		strbuf_release(&reader->fields[i]);
}
#define AUTO_READER __attribute__((cleanup(reader_release))) struct reader

static void junit_stop(struct reader *reader, const char *problem)
{
	reader->problem = problem;
	XML_StopParser(reader->parser, XML_FALSE);
}

static const char *junit_attribute(const char **attributes, const char *name)
{
	for (size_t i = 0; attributes[i]; i += 2)
		if (strcmp(attributes[i], name) == 0)
			return attributes[i + 1];
	return "";
}

/* Append as much as a field of that size holds, in whole characters. */
static void junit_add_bounded(struct strbuf *field, size_t most, const char *text, size_t n)
{
	size_t left = field->length < most ? most - field->length : 0;
	if (n > left)
		n = left - utf8_unfinished(text, left);
	strbuf_add(field, text, n);
}

static void junit_set(struct strbuf *field, const char *text)
{
	strbuf_reset(field);
	junit_add_bounded(field, NAME_MOST, text, strlen(text));
}

static void junit_open_suite(struct reader *reader, const char **attributes)
{
	const char *name = junit_attribute(attributes, "name");
	reader->suite_ends[reader->suites_depth++] = reader->suites.length;
	if (*name) {
		strbuf_adds(&reader->suites, reader->suites.length ? " > " : "");
		junit_add_bounded(&reader->suites, NAME_MOST, name, strlen(name));
	}
	junit_set(&reader->fields[SUITE_FILE], junit_attribute(attributes, "file"));
}

static void junit_open_case(struct reader *reader, const char **attributes)
{
	reader->case_depth = reader->depth;
	junit_set(&reader->fields[CLASSNAME], junit_attribute(attributes, "classname"));
	junit_set(&reader->fields[NAME], junit_attribute(attributes, "name"));
	junit_set(&reader->fields[CASE_FILE], junit_attribute(attributes, "file"));
	junit_set(&reader->fields[STATUS], junit_attribute(attributes, "status"));
	for (size_t i = OUTCOME; i < FIELDS; i++)
		strbuf_reset(&reader->fields[i]);
	reader->seconds = strtod(junit_attribute(attributes, "time"), NULL);
	reader->n_skipped = 0;
}

/* How grave an outcome is: of several that a test case has, the gravest counts. */
static int junit_gravity(const char *outcome)
{
	static const char *const outcomes[] = {"skipped", "failure", "error"};
	for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++)
		if (strcmp(outcomes[i], outcome) == 0)
			return (int)i + 1;
	return 0;
}

static void junit_open_outcome(struct reader *reader, const char *element, const char **attributes)
{
	reader->n_skipped += strcmp(element, "skipped") == 0;
	if (junit_gravity(element) <= junit_gravity(reader->fields[OUTCOME].text))
		return;
	reader->outcome_depth = reader->depth;
	junit_set(&reader->fields[OUTCOME], element);
	junit_set(&reader->fields[TYPE], junit_attribute(attributes, "type"));
	junit_set(&reader->fields[MESSAGE], junit_attribute(attributes, "message"));
	strbuf_reset(&reader->fields[TEXT]);
}

static void XMLCALL junit_open_element(void *owner, const char *element, const char **attributes)
{
	struct reader *reader = owner;
	if (++reader->depth >= DEEPEST) {
		junit_stop(reader, "it is nested too deeply");
		return;
	}
	if (reader->depth == 1 && strcmp(element, "testsuites") != 0 &&
		strcmp(element, "testsuite") != 0)
		junit_stop(reader, "it is no JUnit XML");
	else if (reader->case_depth)
		junit_open_outcome(reader, element, attributes);
	else if (strcmp(element, "testsuite") == 0)
		junit_open_suite(reader, attributes);
	else if (strcmp(element, "testcase") == 0)
		junit_open_case(reader, attributes);
	else if (strcmp(element, "property") == 0 &&
		strcmp(junit_attribute(attributes, "name"), "basedir") == 0)
		junit_set(&reader->basedir, junit_attribute(attributes, "value"));
}

static void junit_close_case(struct reader *reader)
{
	struct strbuf *fields = reader->fields;
	struct junit_case test = {
		.suites = reader->suites.text,
		.classname = fields[CLASSNAME].text,
		.name = fields[NAME].text,
		.file = fields[CASE_FILE].length ? fields[CASE_FILE].text : fields[SUITE_FILE].text,
		.basedir = reader->basedir.text,
		.outcome = fields[OUTCOME].text,
		.status = fields[STATUS].text,
		.type = fields[TYPE].text,
		.message = fields[MESSAGE].text,
		.text = fields[TEXT].text,
		.duration_ms = clock_ms_of(reader->seconds),
		.n_skipped = reader->n_skipped,
	};
	reader->take(reader->reading, &test);
	reader->case_depth = 0;
}

static void XMLCALL junit_close_element(void *owner, const char *element)
{
	struct reader *reader = owner;
	if (reader->problem)
		return;
	if (reader->depth == reader->case_depth)
		junit_close_case(reader);
	else if (!reader->case_depth && strcmp(element, "testsuite") == 0)
		strbuf_truncate(&reader->suites, reader->suite_ends[--reader->suites_depth]);
	if (reader->depth == reader->outcome_depth)
		reader->outcome_depth = 0;
	reader->depth--;
}

static void XMLCALL junit_read_text(void *owner, const char *text, int n)
{
	struct reader *reader = owner;
	if (reader->outcome_depth)
		junit_add_bounded(&reader->fields[TEXT], TEXT_MOST, text, (size_t)n);
}

static void XMLCALL junit_refuse_doctype(
	void *owner, const char *name, const char *system, const char *public, int has_subset)
{
	(void)name, (void)system, (void)public, (void)has_subset;
	junit_stop(owner, "it has a document type, which no runner writes");
}

/* NULL, or what is wrong. */
static const char *junit_parse(struct reader *reader, int fd, struct arena *arena)
{
	for (off_t offset = 0;;) {
		void *buffer = XML_GetBuffer(reader->parser, CHUNK);
		if (!buffer)
			return "it is too large";
		ssize_t n = pread(fd, buffer, CHUNK, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (offset += n) > FILE_MOST)
			return n < 0 ? "it cannot be read" : "it is too large";
		enum XML_Status status = XML_ParseBuffer(reader->parser, (int)n, n == 0);
		if (reader->problem)
			return reader->problem;
		if (status != XML_STATUS_OK)
			return arena_printf(arena, "line %lu: %s", XML_GetCurrentLineNumber(reader->parser),
				XML_ErrorString(XML_GetErrorCode(reader->parser)));
		if (n == 0)
			return NULL;
	}
}

const char *junit_read(struct suite_reading *reading, int fd, const char *what,
	void (*take)(struct suite_reading *reading, const struct junit_case *test))
{
	AUTO_READER reader = {.take = take,
		.reading = reading,
		.suites = STRBUF_INIT(STRBUF_LINE),
		.basedir = STRBUF_INIT(STRBUF_LINE),
		.parser = XML_ParserCreate(NULL)};
	for (size_t i = 0; i < FIELDS; i++)
		reader.fields[i] = (struct strbuf)STRBUF_INIT(STRBUF_LINE);
	if (reader.parser) {
		XML_SetUserData(reader.parser, &reader);
		XML_SetElementHandler(reader.parser, junit_open_element, junit_close_element);
		XML_SetCharacterDataHandler(reader.parser, junit_read_text);
		XML_SetStartDoctypeDeclHandler(reader.parser, junit_refuse_doctype);
	}
	const char *problem =
		reader.parser ? junit_parse(&reader, fd, reading->arena) : "it cannot be read";
	return problem ? arena_printf(reading->arena, "%s is damaged: %s", what, problem) : NULL;
}
