/*
 * libyaml's events become nodes as they come, by recursion that its depth limit bounds. What is
 * refused but does no harm to the rest (an alias, a tag, a second key of one name) is told, and
 * reading continues: a file's faults are all reported at once.
 */
#include "run/scenario/yaml.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "run/scenario/yaml_reader.h"

#define MOST_BYTES ((size_t)1 << 20)
#define DEEPEST 64

#define AUTO_EVENT __attribute__((cleanup(yaml_event_delete))) yaml_event_t

/* The cursor moves along. */
static bool next_event(struct yaml_reader *reader, yaml_event_t *event)
{
	if (!yaml_parser_parse(&reader->parser, event)) {
		yaml_add_fault(reader);
		return false;
	}
	yaml_seek(reader, event->start_mark.index);
	return true;
}

static void check_properties(struct yaml_reader *reader, const yaml_event_t *event)
{
	/* What begins a list or a map has these two members first, as a scalar has. */
	const yaml_char_t *anchor = event->data.scalar.anchor, *tag = event->data.scalar.tag;
	if (anchor)
		yaml_refuse_sign(reader, '&');
	if (tag)
		yaml_refuse_sign(reader, '!');
}

static struct yaml_node *read_alias(struct yaml_reader *reader, const yaml_event_t *event)
{
	struct yaml_node *node = yaml_node_new(reader, YAML_SCALAR);
	if (!node)
		return NULL;
	yaml_refuse_sign(reader, '*');
	node->text = arena_printf(reader->arena, "*%s", (const char *)event->data.alias.anchor);
	return node;
}

/* The cursor goes to the end of the scalar. */
static void note_braces(struct yaml_reader *reader, struct yaml_node *node, size_t end)
{
	struct option_place *places = NULL;
	if (!strstr(node->text, "{{"))
		return;
	for (; reader->index < end && reader->end - reader->at > 1; yaml_step(reader))
		if (memcmp(reader->at, "{{", 2) == 0)
			ARENA_PUSH(reader->arena, places, node->n_braces, reader->here);
	node->braces = places;
}

static struct yaml_node *read_scalar(struct yaml_reader *reader, const yaml_event_t *event)
{
	struct yaml_node *node = yaml_node_new(reader, YAML_SCALAR);
	if (!node)
		return NULL;
	const char *text = (const char *)event->data.scalar.value;
	node->text = arena_strndup(reader->arena, text, event->data.scalar.length);
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	if (strlen(node->text) < event->data.scalar.length)
		problems_add(reader->problems, reader->here, "a text cannot hold a NUL");
	note_braces(reader, node, event->end_mark.index);
	return node;
}

/* What begins with this event, up to its end. `depth`: in how many lists and maps it stands. */
static struct yaml_node *read_value(
	struct yaml_reader *reader, const yaml_event_t *event, int depth)
{
	if (event->type == YAML_ALIAS_EVENT)
		return read_alias(reader, event);
	check_properties(reader, event);
	if (event->type == YAML_SCALAR_EVENT)
		return read_scalar(reader, event);
	if (depth == DEEPEST) {
		problems_add(reader->problems, reader->here, "nested deeper than 64");
		return NULL;
	}
	bool is_map = event->type == YAML_MAPPING_START_EVENT;
	struct yaml_node *node = yaml_node_new(reader, is_map ? YAML_MAP : YAML_LIST), *key = NULL;
	struct map keys = {0};
	while (node) {
		AUTO_EVENT inner = {0};
		if (!next_event(reader, &inner))
			return NULL;
		if (inner.type == (is_map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT))
			break;
		struct yaml_node *value = read_value(reader, &inner, depth + 1);
		if (!value)
			return NULL;
		if (!is_map) {
			yaml_append(node, value);
		} else if (!key) {
			key = value;
		} else {
			yaml_put(reader, &keys, node, key, value);
			key = NULL;
		}
	}
	return node;
}

static bool has_directives(const yaml_event_t *event)
{
	return event->data.document_start.version_directive ||
		event->data.document_start.tag_directives.start !=
		event->data.document_start.tag_directives.end;
}

/* The one document of the stream. */
static struct yaml_node *read_document(struct yaml_reader *reader)
{
	struct yaml_node *root = NULL;
	for (;;) {
		AUTO_EVENT event = {0}, value = {0};
		if (!next_event(reader, &event))
			return NULL;
		if (event.type == YAML_STREAM_END_EVENT)
			break;
		if (event.type != YAML_DOCUMENT_START_EVENT)
			continue;
		if (root) {
			problems_add(reader->problems, reader->here,
				"a second document begins here; one file holds one");
			return root;
		}
		if (has_directives(&event))
			yaml_refuse_sign(reader, '%');
		if (!next_event(reader, &value))
			return NULL;
		root = read_value(reader, &value, 0);
		if (!root)
			return NULL;
	}
	if (root && !(root->plain && !*root->text))
		return root;
	problems_add(reader->problems, place_whole(reader->here.origin), "the file is empty");
	return NULL;
}

static struct yaml_node *read_yaml(struct yaml_reader *reader)
{
	yaml_parser_t *parser = &reader->parser;
	struct yaml_node *root = NULL;
	if (yaml_parser_initialize(parser)) {
		yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
		yaml_parser_set_input_string(
			parser, (const yaml_char_t *)reader->text, (size_t)(reader->end - reader->text));
		root = read_document(reader);
	} else {
		yaml_add_fault(reader); /* there is no memory */
	}
	yaml_parser_delete(parser);
	return root;
}

static void seek_byte(struct yaml_reader *reader, const char *at)
{
	yaml_seek(reader, 0);
	while (reader->at < at)
		yaml_step(reader);
}

static int check_encoding(struct yaml_reader *reader)
{
	size_t n = (size_t)(reader->end - reader->text), valid = utf8_valid_length(reader->text, n);
	if (valid == n)
		return 0;
	unsigned char byte = (unsigned char)reader->text[valid];
	reader->end = reader->text + valid; /* a stray byte must not pass for the rest of a character */
	seek_byte(reader, reader->end);
	if (n > 1 &&
		(memcmp(reader->text, "\xff\xfe", 2) == 0 || memcmp(reader->text, "\xfe\xff", 2) == 0))
		problems_add(reader->problems, reader->here, "the file is UTF-16; save it as UTF-8");
	else if (!byte)
		problems_add(reader->problems, reader->here, "a NUL byte; this is no text");
	else
		problems_add(reader->problems, reader->here, "byte 0x%02x is not UTF-8", byte);
	return -1;
}

/* The code point at `at` if it may only stand as an escape, else 0: what YAML forbids, a mark of
 * byte order within the text, and the ends of lines in YAML 1.1 that are none in 1.2. The bytes are
 * valid UTF-8. */
static unsigned forbidden_at(const unsigned char *at)
{
	if (at[0] < 0x20)
		return strchr("\t\n\r", at[0]) ? 0 : at[0];
	if (at[0] == 0x7f)
		return at[0];
	if (at[0] == 0xc2)
		return at[1] < 0xa0 ? at[1] : 0;
	if (at[0] == 0xe2 && at[1] == 0x80)
		return at[2] == 0xa8 || at[2] == 0xa9 ? 0x1f80U + at[2] : 0;
	if (at[0] == 0xef && (at[1] == 0xbb || at[1] == 0xbf)) {
		unsigned code = 0xf000U | (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU);
		return code == 0xfeff || code >= 0xfffe ? code : 0;
	}
	return 0;
}

static int check_characters(struct yaml_reader *reader)
{
	for (const char *at = reader->text; at < reader->end; at++) {
		unsigned code = forbidden_at((const unsigned char *)at);
		if (!code)
			continue;
		seek_byte(reader, at);
		problems_add(reader->problems, reader->here,
			"the character U+%04X is not allowed; in double quotes it can be written \\u%04x%s",
			code, code, reader->not_json);
		return -1;
	}
	return 0;
}

struct yaml_node *yaml_read(
	const char *text, size_t n, const char *origin, struct arena *arena, struct problems *problems)
{
	if (n > MOST_BYTES) {
		problems_add(problems, place_whole(origin), "larger than 1 MiB");
		return NULL;
	}
	size_t mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	struct yaml_reader reader = {
		.text = text + mark,
		.end = text + n,
		.here = {.origin = origin},
		.arena = arena,
		.problems = problems,
		.not_json = "",
	};
	struct yaml_node *root = NULL;
	if (check_encoding(&reader) < 0 || yaml_read_json(&reader, &root))
		return root;
	return check_characters(&reader) < 0 ? NULL : read_yaml(&reader);
}

struct yaml_node *yaml_read_file(const char *path, struct arena *arena, struct problems *problems)
{
	struct stat st;
	struct rondo_error err = {0};
	AUTO_STRBUF text = STRBUF_INIT(MOST_BYTES);
	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		error_errno(&err, RONDO_ERROR_USAGE, "cannot be read");
	else if (S_ISDIR(st.st_mode))
		error_set(&err, RONDO_ERROR_USAGE, "is a directory, not a file");
	else if (!S_ISREG(st.st_mode))
		error_set(&err, RONDO_ERROR_USAGE, "is a pipe, a socket or a device, not a file");
	else if (st.st_size > (off_t)MOST_BYTES)
		error_set(&err, RONDO_ERROR_USAGE, "larger than 1 MiB");
	else if (file_read(path, MOST_BYTES, &text, &err) == 0)
		return yaml_read(text.text, text.length, path, arena, problems);
	problems_add(problems, place_whole(path), "%s", err.message);
	problems->is_transient |= err.code == RONDO_ERROR_TRANSIENT;
	return NULL;
}

struct yaml_node *yaml_find(const struct yaml_node *map, const char *key)
{
	struct yaml_node *node = map->first;
	while (node && strcmp(node->key, key) != 0)
		node = node->next;
	return node;
}

struct yaml_node *yaml_copy(const struct yaml_node *node, struct arena *arena)
{
	struct yaml_node *copy = arena_memdup(arena, node, sizeof *node);
	copy->first = copy->last = copy->next = NULL;
	for (const struct yaml_node *child = node->first; child; child = child->next)
		yaml_append(copy, yaml_copy(child, arena));
	return copy;
}

const char *yaml_library_version(void)
{
	return yaml_get_version_string();
}
