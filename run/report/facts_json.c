/* Facts as JSON, and what that JSON is as JSON Schema. */
#include <string.h>

#include "run/report/facts.h"

static size_t count_of(const struct fact *fact, const void *of)
{
	return *(const size_t *)(const void *)((const char *)of + fact->count);
}

static void add_texts(struct json *to, const struct fact *fact, const void *of)
{
	const char *const *items = *(const char *const *const *)(const void *)((const char *)of + fact->offset);
	json_add_strings(to, fact->name, items, count_of(fact, of));
}

static void add_items(struct json *to, const struct fact *fact, const void *of)
{
	struct json *array = json_add_array(to, fact->name);
	const char *items = *(const char *const *)(const void *)((const char *)of + fact->offset);
	for (size_t i = 0; i < count_of(fact, of); i++)
		facts_add(json_add_object(array, NULL), fact->table, items + i * fact->size);
}

static void add_by_name(struct json *to, const struct fact *fact, const void *of)
{
	struct json *object = json_add_object(to, fact->name);
	const struct run_spending *items =
		*(const struct run_spending *const *)(const void *)((const char *)of + fact->offset);
	for (size_t i = 0; i < count_of(fact, of); i++)
		facts_add(json_add_object(object, items[i].name), fact->table, &items[i]);
}

static void add_cost(struct json *to, const char *name, double usd)
{
	if (usd < 0)
		json_add_string(to, name, "unknown");
	else
		json_add_number(to, name, usd);
}

static void add_fact(struct json *to, const struct fact *fact, const void *of)
{
	const void *at = (const char *)of + fact->offset;
	const struct rondo_usage *usage = at;
	switch (fact->kind) {
	case FACT_TEXT:
	case FACT_DATE:
	case FACT_OUTCOME:
		json_add_string(to, fact->name, *(const char *const *)at);
		break;
	case FACT_TEXTS:
		add_texts(to, fact, of);
		break;
	case FACT_SIZE:
		json_add_int(to, fact->name, (int64_t) * (const size_t *)at);
		break;
	case FACT_INT:
		json_add_int(to, fact->name, *(const int *)at);
		break;
	case FACT_LONG:
		json_add_int(to, fact->name, *(const int64_t *)at);
		break;
	case FACT_SUM:
		json_add_int(to, fact->name, usage->prompt_tokens + usage->completion_tokens);
		break;
	case FACT_BOOL:
		json_add_bool(to, fact->name, *(const bool *)at);
		break;
	case FACT_COST:
		add_cost(to, fact->name, *(const double *)at);
		break;
	case FACT_VERDICT:
		json_add_string(to, fact->name, run_verdict_word(*(const enum rondo_verdict *)at));
		break;
	case FACT_PART:
		facts_add(json_add_object(to, fact->name), fact->table, of);
		break;
	case FACT_ITEMS:
		add_items(to, fact, of);
		break;
	case FACT_BY_NAME:
		add_by_name(to, fact, of);
		break;
	}
}

void facts_add(struct json *to, const struct fact *table, const void *of)
{
	for (const struct fact *fact = table; fact->name; fact++)
		if (!fact->told || fact->told(of))
			add_fact(to, fact, of);
}

/* --- The same as JSON Schema --- */

static void describe_table(struct json *to, const struct fact *table);

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

static void add_verdicts(struct json *to)
{
	struct json *words = json_add_array(to, "enum");
	for (int verdict = 0; verdict <= RONDO_VERDICT_STOPPED; verdict++)
		json_add_string(words, NULL, run_verdict_word((enum rondo_verdict)verdict));
}

static void describe(struct json *to, const struct fact *fact)
{
	static const char *const types[] = {[FACT_TEXT] = "string", [FACT_DATE] = "string", [FACT_OUTCOME] = "string",
		[FACT_TEXTS] = "array", [FACT_SIZE] = "integer", [FACT_INT] = "integer", [FACT_LONG] = "integer",
		[FACT_SUM] = "integer", [FACT_BOOL] = "boolean", [FACT_COST] = NULL, [FACT_VERDICT] = "string",
		[FACT_PART] = "object", [FACT_ITEMS] = "array", [FACT_BY_NAME] = "object"};
	json_add_string(to, "description", fact->help);
	json_add_string(to, "type", types[fact->kind]);
	if (fact->kind == FACT_DATE)
		json_add_string(to, "format", "date-time");
	else if (fact->kind == FACT_OUTCOME)
		add_outcomes(to);
	else if (fact->kind == FACT_VERDICT)
		add_verdicts(to);
	else if (fact->kind == FACT_COST)
		describe_cost(to);
	else if (fact->kind == FACT_TEXTS)
		json_add_string(json_add_object(to, "items"), "type", "string");
	else if (fact->kind == FACT_PART)
		describe_table(to, fact->table);
	else if (fact->kind == FACT_ITEMS || fact->kind == FACT_BY_NAME) {
		struct json *one = json_add_object(to, fact->kind == FACT_ITEMS ? "items" : "additionalProperties");
		json_add_string(one, "type", "object");
		describe_table(one, fact->table);
	}
}

/* A text may be missing; all else is there, where it always applies. */
static bool is_required(const struct fact *fact)
{
	return !fact->told && fact->kind != FACT_TEXT && fact->kind != FACT_DATE;
}

static void add_properties(struct json *properties, struct json *required, const struct fact *table)
{
	for (const struct fact *fact = table; fact->name; fact++) {
		describe(json_add_object(properties, fact->name), fact);
		if (is_required(fact))
			json_add_string(required, NULL, fact->name);
	}
}

static void describe_table(struct json *to, const struct fact *table)
{
	add_properties(json_add_object(to, "properties"), json_add_array(to, "required"), table);
	json_add_bool(to, "additionalProperties", false);
}

char *run_report_schema(void)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_add_string(json, "title", "rondo report");
	json_add_string(json, "type", "object");
	struct json *properties = json_add_object(json, "properties"), *required = json_add_array(json, "required");
	add_properties(properties, required, head_facts);
	add_properties(properties, required, result_facts);
	json_add_bool(json, "additionalProperties", false);
	return json_print_pretty(json);
}
