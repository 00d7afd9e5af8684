/*
 * What json.dumps and JSON.stringify print is not quite YAML as libyaml reads it: pairs such as
 * \ud83d\ude00, U+2028 or DEL as they are, keys longer than 1,024 characters. So cJSON says what is
 * in such a file, and this finds where: the text has been judged, and is walked along the tree.
 */
#include "run/scenario/yaml_reader.h"

#include <string.h>

#include "base/json/json.h"

/* Stricter than cJSON, which lets control characters pass: as white space, and in strings, where
 * YAML folds the ends of lines. */
static int check(const struct yaml_reader *reader, struct rondo_error *err)
{
	bool in_string = false;
	for (const char *at = reader->text; at < reader->end; at++) {
		unsigned char c = (unsigned char)*at;
		if (c < 0x20 && (in_string || !strchr("\t\n\r", c)))
			return error_set(err, RONDO_ERROR_USAGE, "a control character in a string");
		if (c == '"')
			in_string = !in_string;
		else if (c == '\\' && in_string && at + 1 < reader->end)
			at++;
	}
	return 0;
}

/* To the next of these bytes, or to the next of none of them. */
static void step_to(struct yaml_reader *reader, const char *bytes)
{
	while (reader->at < reader->end && !strchr(bytes, *reader->at))
		yaml_step(reader);
}

static void step_over(struct yaml_reader *reader, const char *bytes)
{
	while (reader->at < reader->end && strchr(bytes, *reader->at))
		yaml_step(reader);
}

static void step_over_string(struct yaml_reader *reader)
{
	yaml_step(reader);
	for (step_to(reader, "\"\\"); *reader->at == '\\'; step_to(reader, "\"\\")) {
		yaml_step(reader);
		yaml_step(reader);
	}
	yaml_step(reader);
}

static void read_scalar(struct yaml_reader *reader, const struct json *item, struct yaml_node *node)
{
	const char *start = reader->at, *text = json_text(item, NULL);
	node->plain = !text;
	if (text)
		step_over_string(reader);
	else
		step_to(reader, ",]} \t\r\n");
	node->text = arena_strndup(
		reader->arena, text ? text : start, text ? strlen(text) : (size_t)(reader->at - start));
}

static struct yaml_node *read_key(struct yaml_reader *reader, const struct json *member)
{
	struct yaml_node *key = yaml_node_new(reader, YAML_SCALAR);
	if (!key)
		return NULL;
	key->text = arena_strdup(reader->arena, json_key(member));
	step_over_string(reader);
	step_over(reader, ": \t\r\n");
	return key;
}

/* The value at the cursor, which then stands behind it. NULL where there are too many. */
static struct yaml_node *read_item(struct yaml_reader *reader, const struct json *item)
{
	enum yaml_kind kind = json_is_object(item) ? YAML_MAP
		: json_is_array(item)                  ? YAML_LIST
											   : YAML_SCALAR;
	struct yaml_node *node = yaml_node_new(reader, kind);
	if (!node)
		return NULL;
	if (kind == YAML_SCALAR) {
		read_scalar(reader, item, node);
		return node;
	}
	struct map keys = {0};
	yaml_step(reader);
	for (const struct json *child = json_first(item); child; child = json_next(child)) {
		step_over(reader, ", \t\r\n");
		struct yaml_node *key = kind == YAML_MAP ? read_key(reader, child) : NULL;
		if (kind == YAML_MAP && !key)
			return NULL;
		struct yaml_node *value = read_item(reader, child);
		if (!value)
			return NULL;
		if (key)
			yaml_put(reader, &keys, node, key, value);
		else
			yaml_append(node, value);
	}
	step_over(reader, " \t\r\n");
	yaml_step(reader);
	return node;
}

bool yaml_read_json(struct yaml_reader *reader, struct yaml_node **ret_root)
{
	yaml_seek(reader, 0);
	step_over(reader, " \t\r\n");
	if (reader->at == reader->end || (*reader->at != '{' && *reader->at != '['))
		return false;
	struct rondo_error err;
	size_t n = (size_t)(reader->end - reader->text);
	AUTO_JSON *json = check(reader, &err) < 0 ? NULL : json_parse(reader->text, n, &err);
	if (!json) {
		reader->not_json = arena_printf(reader->arena, " (read as JSON: %s)", err.message);
		return false;
	}
	*ret_root = read_item(reader, json);
	return true;
}
