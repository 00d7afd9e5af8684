/* reads: YAML */
/* Scenario files as they come: a tree or a reason, text that is text, places that are in the file.
 * What base/json accepts has the values that it has there. */
#include "base/json/json.h"
#include "run/scenario/yaml.h"
#include "tests/fuzz/fuzz.h"

struct input {
	const char *text;
	size_t n;
};

static bool has_place(const struct input *input, int line, int column)
{
	size_t at = input->n >= 3 && memcmp(input->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int here_line = 1, here_column = 1;
	for (; at < input->n && (here_line < line || here_column < column); at++) {
		char c = input->text[at];
		bool is_crlf = c == '\r' && at + 1 < input->n && input->text[at + 1] == '\n';
		bool ends_line = c == '\n' || (c == '\r' && !is_crlf);
		here_line += ends_line;
		here_column = ends_line ? 1 : here_column + ((c & 0xc0) != 0x80);
	}
	return here_line == line && here_column == column;
}

static void check_tree(const struct input *input, const struct yaml_node *node, int depth)
{
	assert(depth <= 64);
	assert(has_place(input, node->place.line, node->place.column));
	assert(!node->key || has_place(input, node->key_line, node->key_column));
	assert_text(node->text);
	assert_text(node->key);
	assert((node->kind == YAML_SCALAR) == (node->text != NULL));
	const struct yaml_node *last = NULL;
	for (const struct yaml_node *child = node->first; child; child = child->next) {
		assert((node->kind == YAML_MAP) == (child->key != NULL));
		check_tree(input, child, depth + 1);
		last = child;
	}
	assert(last == node->last);
}

static void check_same(const struct yaml_node *node, const struct json *json)
{
	const char *text = json_text(json, NULL);
	assert((node->kind == YAML_MAP) == json_is_object(json) &&
		(node->kind == YAML_LIST) == json_is_array(json));
	assert(!text || (!node->plain && strcmp(node->text, text) == 0));
	if (node->kind == YAML_SCALAR)
		return;
	const struct json *item = json_first(json);
	for (const struct yaml_node *child = node->first; child;
		 child = child->next, item = json_next(item)) {
		assert(item && (!child->key || strcmp(child->key, json_key(item)) == 0));
		check_same(child, item);
	}
	assert(!item);
}

static void check_problems(const struct input *input, const struct problems *problems)
{
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < problems->n; i++) {
		const struct problem *problem = &problems->items[i];
		assert(
			!problem->place.line || has_place(input, problem->place.line, problem->place.column));
		assert_text(problem->text);
	}
	problems_print(problems, &said);
	assert_text(said.text);
	size_t lines = 0;
	for (size_t i = 0; i < said.length; i++)
		lines += said.text[i] == '\n';
	assert(lines == problems->n + (problems->n_left_out > 0));
}

/* Line breaks in strings are JSON to cJSON alone. */
static bool has_control(const struct input *input)
{
	for (size_t i = 0; i < input->n; i++)
		if ((unsigned char)input->text[i] < 0x20)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct input input = {size ? (const char *)data : "", size};
	struct problems problems = {.arena = &arena};
	const struct yaml_node *root = yaml_read(input.text, input.n, "f", &arena, &problems);
	assert(root || problems.n);
	check_problems(&input, &problems);
	if (!root)
		return 0;
	check_tree(&input, root, 0);
	AUTO_JSON *json =
		problems.n || has_control(&input) ? NULL : json_parse(input.text, input.n, &err);
	if (json && root->kind != YAML_SCALAR)
		check_same(root, json);
	return 0;
}
