/* What the tests of YAML and of JSON share: read a text, print the tree, compare what was said. */
#pragma once
#include "base/memory.h"
#include "run/scenario/yaml.h"

/* What was read, and what was said of it. */
struct reading {
	struct arena arena;
	struct problems problems;
	struct yaml_node *root;
	struct strbuf said;
};

static inline void reading_release(struct reading *reading)
{
	arena_release(&reading->arena);
	strbuf_release(&reading->said);
}
#define AUTO_READING __attribute__((cleanup(reading_release))) struct reading

static inline void read_bytes(struct reading *reading, const char *text, size_t n)
{
	*reading = (struct reading){.said = STRBUF_INIT(1 << 20)};
	reading->problems.arena = &reading->arena;
	/* of just that size, so that reading on is noticed */
	AUTO_FREE char *copy = memory_alloc(n ? n : 1);
	memcpy(copy, text, n);
	reading->root = yaml_read(copy, n, "f", &reading->arena, &reading->problems);
	problems_print(&reading->problems, &reading->said);
}

static inline void read_path(struct reading *reading, const char *path)
{
	*reading = (struct reading){.said = STRBUF_INIT(1 << 20)};
	reading->problems.arena = &reading->arena;
	reading->root = yaml_read_file(path, &reading->arena, &reading->problems);
	problems_print(&reading->problems, &reading->said);
}

/* A tree on one line: PLACE{KEY@PLACE=VALUE ...}, PLACE[VALUE ...], PLACE'text', or PLACE<text>
 * where it is plain. */
static inline void print_tree(const struct yaml_node *node, struct strbuf *sb)
{
	if (node->key)
		strbuf_addf(sb, "%s@%d:%d=", node->key, node->key_line, node->key_column);
	strbuf_addf(sb, "%d:%d", node->place.line, node->place.column);
	if (node->kind == YAML_SCALAR) {
		strbuf_addf(sb, node->plain ? "<%s>" : "'%s'", node->text);
		return;
	}
	strbuf_adds(sb, node->kind == YAML_MAP ? "{" : "[");
	for (const struct yaml_node *child = node->first; child; child = child->next) {
		if (child != node->first)
			strbuf_addc(sb, ' ');
		print_tree(child, sb);
	}
	strbuf_adds(sb, node->kind == YAML_MAP ? "}" : "]");
}

static inline void assert_tree(const char *text, const char *tree)
{
	AUTO_READING reading;
	read_bytes(&reading, text, strlen(text));
	assert_string_equal(reading.said.text, "");
	AUTO_STRBUF sb = STRBUF_INIT(1 << 20);
	print_tree(reading.root, &sb);
	assert_string_equal(sb.text, tree);
}

/* No tree, and one problem; `said` without the file's name. */
static inline void assert_refused(const char *text, size_t n, const char *said)
{
	AUTO_READING reading;
	AUTO_STRBUF expected = STRBUF_INIT(4096);
	strbuf_addf(&expected, "f:%s\n", said);
	read_bytes(&reading, text, n);
	assert_string_equal(reading.said.text, expected.text);
	assert_null(reading.root);
}

/* A tree all the same, with problems. */
static inline void assert_told(const char *text, const char *said, const char *tree)
{
	AUTO_READING reading;
	AUTO_STRBUF sb = STRBUF_INIT(1 << 20);
	read_bytes(&reading, text, strlen(text));
	assert_string_equal(reading.said.text, said);
	print_tree(reading.root, &sb);
	assert_string_equal(sb.text, tree);
}
