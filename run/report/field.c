/* What tables of fields are good for: JSON, back from JSON, JSON Schema, texts without keys. */
#include "run/report/field.h"

#include "termination/termination.h"

/* The struct that has the field; NULL: it is left out. */
static const void *holder(const struct field *field, const void *of)
{
	const char *in =
		field->in ? *(const char *const *)(const void *)((const char *)of + field->in - 1) : of;
	bool is_set = !field->when_size;
	for (size_t i = 0; in && i < field->when_size; i++)
		is_set = is_set || in[field->when + i];
	return is_set ? in : NULL;
}

static size_t count_of(const struct field *field, const void *in)
{
	return *(const size_t *)(const void *)((const char *)in + field->count);
}

static void field_add_items(struct json *to, const struct field *field, const void *in)
{
	bool by_name = field->kind == FIELD_BY_NAME;
	struct json *all = by_name ? json_add_object(to, field->name) : json_add_array(to, field->name);
	const char *item = *(const char *const *)(const void *)((const char *)in + field->offset);
	for (size_t i = 0; i < count_of(field, in); i++, item += field->size) {
		const char *name = by_name ? *(const char *const *)(const void *)item : NULL;
		fields_add(json_add_object(all, name), field->table, item);
	}
}

static void add_part(struct json *to, const struct field *field, const void *of)
{
	struct json *part = json_object();
	fields_add(part, field->table, of);
	if (json_count(part))
		json_add(to, field->name, part);
	else
		json_free(part);
}

static void add_field(struct json *to, const struct field *field, const void *of)
{
	const void *in = holder(field, of);
	if (!in)
		return;
	const void *at = (const char *)in + field->offset;
	const struct option_strings *texts = at;
	const struct rondo_usage *usage = at;
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_DATE:
	case FIELD_OUTCOME:
		json_add_string(to, field->name, *(const char *const *)at);
		break;
	case FIELD_TEXTS:
		json_add_strings(to, field->name, texts->items, texts->n);
		break;
	case FIELD_SIZE:
		json_add_int(to, field->name, (int64_t) * (const size_t *)at);
		break;
	case FIELD_INT:
		json_add_int(to, field->name, *(const int *)at);
		break;
	case FIELD_LONG:
		json_add_int(to, field->name, *(const int64_t *)at);
		break;
	case FIELD_SUM:
		json_add_int(to, field->name, usage->prompt_tokens + usage->completion_tokens);
		break;
	case FIELD_BOOL:
		json_add_bool(to, field->name, *(const bool *)at);
		break;
	case FIELD_COST:
		if (*(const double *)at < 0)
			json_add_string(to, field->name, "unknown");
		else
			json_add_number(to, field->name, *(const double *)at);
		break;
	case FIELD_STOP_KIND:
		json_add_string(to, field->name, stop_kind_word(*(const enum rondo_stop_kind *)at));
		break;
	case FIELD_PART:
		add_part(to, field, of);
		break;
	case FIELD_ITEMS:
	case FIELD_BY_NAME:
		field_add_items(to, field, in);
		break;
	}
}

void fields_add(struct json *to, const struct field *table, const void *of)
{
	for (const struct field *field = table; field->name; field++)
		add_field(to, field, of);
}

/* --- Back from JSON --- */

static void read_texts(const struct json *from, struct arena *arena, struct option_strings *texts)
{
	for (const struct json *item = json_first(from); item; item = json_next(item))
		ARENA_PUSH(arena, texts->items, texts->n, arena_strdup(arena, json_text(item, "")));
}

static void read_items(
	const struct json *from, const struct field *field, struct arena *arena, void *to)
{
	size_t n = json_count(from), i = 0;
	char *items = arena_alloc(arena, n * field->size);
	for (const struct json *item = json_first(from); item; item = json_next(item), i++)
		fields_read(item, field->table, arena, items + i * field->size);
	*(void **)(void *)((char *)to + field->offset) = items;
	*(size_t *)(void *)((char *)to + field->count) = n;
}

void fields_read(const struct json *from, const struct field *table, struct arena *arena, void *to)
{
	for (const struct field *field = table; field->name; field++) {
		const struct json *value = json_get(from, field->name);
		void *at = (char *)to + field->offset;
		if (!value)
			continue;
		if (field->kind == FIELD_TEXT)
			*(const char **)at = arena_strdup(arena, json_text(value, NULL));
		else if (field->kind == FIELD_TEXTS)
			read_texts(value, arena, at);
		else if (field->kind == FIELD_SIZE)
			*(size_t *)at = (size_t)json_int(from, field->name, 0);
		else if (field->kind == FIELD_LONG)
			*(int64_t *)at = json_int(from, field->name, 0);
		else if (field->kind == FIELD_COST)
			*(double *)at = json_number(from, field->name, -1);
		else if (field->kind == FIELD_BOOL)
			*(bool *)at = json_bool(from, field->name, false);
		else if (field->kind == FIELD_ITEMS)
			read_items(value, field, arena, to);
	}
}

/* --- Without keys --- */

void fields_redact(
	const struct field *table, const struct secrets *secrets, struct arena *arena, void *of)
{
	for (const struct field *field = table; field->name; field++) {
		char *at = (char *)of + field->offset;
		struct option_strings *texts = (struct option_strings *)(void *)at;
		if (field->kind == FIELD_TEXT)
			*(const char **)(void *)at =
				secrets_redacted(secrets, *(const char **)(void *)at, arena);
		for (size_t i = 0; field->kind == FIELD_TEXTS && i < texts->n; i++)
			texts->items[i] = secrets_redacted(secrets, texts->items[i], arena);
		for (size_t i = 0; field->kind == FIELD_ITEMS && i < count_of(field, of); i++)
			fields_redact(field->table, secrets, arena, *(char **)(void *)at + i * field->size);
	}
}

/* --- The same as JSON Schema --- */

static void describe_table(struct json *to, const struct field *table);

static void add_outcomes(struct json *to)
{
	struct json *words = json_add_array(to, "enum");
	for (int outcome = 0; outcome < RUN_OUTCOMES; outcome++)
		json_add_string(words, NULL, run_outcome_word((enum run_outcome)outcome));
	json_add_string(words, NULL, RUN_ERROR_WORD);
}

static void describe_cost(struct json *to)
{
	struct json *any = json_add_array(to, "anyOf");
	struct json *number = json_add_object(any, NULL);
	json_add_string(number, "type", "number");
	json_add_int(number, "minimum", 0);
	json_add_string(json_add_object(any, NULL), "const", "unknown");
}

static void add_stop_kinds(struct json *to)
{
	struct json *words = json_add_array(to, "enum");
	for (int kind = 0; kind <= RONDO_STOP_STOPPED; kind++)
		json_add_string(words, NULL, stop_kind_word((enum rondo_stop_kind)kind));
}

static void describe(struct json *to, const struct field *field)
{
	static const char *const types[] = {[FIELD_TEXT] = "string",
		[FIELD_DATE] = "string",
		[FIELD_OUTCOME] = "string",
		[FIELD_TEXTS] = "array",
		[FIELD_SIZE] = "integer",
		[FIELD_INT] = "integer",
		[FIELD_LONG] = "integer",
		[FIELD_SUM] = "integer",
		[FIELD_BOOL] = "boolean",
		[FIELD_STOP_KIND] = "string",
		[FIELD_PART] = "object",
		[FIELD_ITEMS] = "array",
		[FIELD_BY_NAME] = "object"};
	json_add_string(to, "description", field->help);
	json_add_string(to, "type", types[field->kind]);
	if (field->kind == FIELD_DATE)
		json_add_string(to, "format", "date-time");
	else if (field->kind == FIELD_OUTCOME)
		add_outcomes(to);
	else if (field->kind == FIELD_STOP_KIND)
		add_stop_kinds(to);
	else if (field->kind == FIELD_COST)
		describe_cost(to);
	else if (field->kind == FIELD_TEXTS)
		json_add_string(json_add_object(to, "items"), "type", "string");
	else if (field->kind == FIELD_PART) {
		json_add_int(to, "minProperties", 1);
		describe_table(to, field->table);
	} else if (field->kind == FIELD_ITEMS || field->kind == FIELD_BY_NAME) {
		struct json *one =
			json_add_object(to, field->kind == FIELD_ITEMS ? "items" : "additionalProperties");
		json_add_string(one, "type", "object");
		describe_table(one, field->table);
	}
}

/* A text may be missing, and so may what a stage found that was not reached, and a part of such
 * fields alone. */
static bool is_required(const struct field *field)
{
	return !field->when_size && !field->in && field->kind != FIELD_TEXT &&
		field->kind != FIELD_DATE && field->kind != FIELD_PART;
}

static void add_properties(
	struct json *properties, struct json *required, const struct field *table)
{
	for (const struct field *field = table; field->name; field++) {
		describe(json_add_object(properties, field->name), field);
		if (is_required(field))
			json_add_string(required, NULL, field->name);
	}
}

static void describe_table(struct json *to, const struct field *table)
{
	add_properties(json_add_object(to, "properties"), json_add_array(to, "required"), table);
	json_add_bool(to, "additionalProperties", false);
}

void fields_describe(struct json *to, const struct field *table, const struct field *more)
{
	json_add_string(to, "type", "object");
	struct json *properties = json_add_object(to, "properties"),
				*required = json_add_array(to, "required");
	add_properties(properties, required, table);
	if (more)
		add_properties(properties, required, more);
	json_add_bool(to, "additionalProperties", false);
}

char *run_report_schema(void)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_add_string(json, "title", "rondo report");
	fields_describe(json, head_fields, report_fields);
	return json_print_pretty(json);
}
