#include "run/scenario/yaml_reader.h"

#include <string.h>

#define MOST_NODES 100000
#define LONGEST_KEY 1024

void yaml_step(struct yaml_reader *reader)
{
	char c = *reader->at++;
	while (reader->at < reader->end && (*reader->at & 0xc0) == 0x80)
		reader->at++;
	bool is_crlf = c == '\r' && reader->at < reader->end && *reader->at == '\n';
	bool ends_line = c == '\n' || (c == '\r' && !is_crlf);
	reader->index++;
	reader->here.line += ends_line;
	reader->here.column = ends_line ? 1 : reader->here.column + 1;
}

void yaml_seek(struct yaml_reader *reader, size_t index)
{
	if (index < reader->index || !reader->here.line) {
		reader->at = reader->text;
		reader->index = 0;
		reader->here.line = reader->here.column = 1;
	}
	while (reader->index < index && reader->at < reader->end)
		yaml_step(reader);
}

void yaml_refuse_sign(struct yaml_reader *reader, char sign)
{
	static const char *const names[] = {
		['&'] = "an anchor", ['*'] = "an alias", ['!'] = "a tag", ['%'] = "a directive"};
	problems_add(reader->problems, reader->here,
		"'%c' begins %s, which is not read; a text that begins with '%c' needs quotes", sign,
		names[(unsigned char)sign], sign);
}

struct yaml_node *yaml_node_new(struct yaml_reader *reader, enum yaml_kind kind)
{
	if (reader->n_nodes++ == MOST_NODES) {
		problems_add(reader->problems, reader->here, "more than 100,000 values");
		return NULL;
	}
	struct yaml_node *node = arena_alloc(reader->arena, sizeof *node);
	*node = (struct yaml_node){.kind = kind, .place = reader->here};
	return node;
}

void yaml_append(struct yaml_node *to, struct yaml_node *node)
{
	if (to->last)
		to->last->next = node;
	else
		to->first = node;
	to->last = node;
}

/* Why nothing can stand under the key, or NULL. */
static const char *fault_of(const struct yaml_node *key)
{
	if (key->kind != YAML_SCALAR)
		return "a key must be a text, not a list or a map";
	if (strlen(key->text) > LONGEST_KEY)
		return "a key is longer than 1,024 bytes";
	if (key->plain && strcmp(key->text, "<<") == 0)
		return "'<<' merges maps, which is not done here; write its keys out";
	return NULL;
}

void yaml_put(struct yaml_reader *reader, struct map *keys, struct yaml_node *map,
	const struct yaml_node *key, struct yaml_node *value)
{
	const char *fault = fault_of(key);
	if (fault) {
		problems_add(reader->problems, key->place, "%s", fault);
		return;
	}
	value->key = key->text;
	value->key_line = key->place.line;
	value->key_column = key->place.column;
	const struct yaml_node *before = map_get(keys, key->text);
	if (before)
		problems_add(reader->problems, key->place, "key '%s' stands twice, first in line %d",
			key->text, before->key_line);
	else
		map_put(keys, reader->arena, value->key, value);
	yaml_append(map, value);
}
