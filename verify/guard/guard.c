#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/guard/code.h"

REGISTRY_DEFINE(struct guard_rule, guard_rules, RULES(&RULE_SYMBOL));

static void guard_find_faults(struct inspection *inspection, const struct guard_rule *rule)
{
	for (size_t i = 0; rule->fault && i < inspection->n; i++) {
		const char *fault = rule->fault(inspection, &inspection->files[i]);
		if (fault)
			guard_find(inspection, rule, &inspection->files[i], 0, fault);
	}
}

void guard_inspect(struct inspection *inspection)
{
	struct words words = {.arena = inspection->arena, .size = sizeof(struct trigger)};
	code_read(inspection, &words);
	reach_count(inspection, &words);
	for (size_t i = 0; i < guard_rules_n; i++) {
		guard_find_faults(inspection, guard_rules[i]);
		if (guard_rules[i]->inspect)
			guard_rules[i]->inspect(inspection, guard_rules[i]);
	}
}

const struct finding *guard_refusal(const struct inspection *inspection)
{
	for (size_t i = 0; i < inspection->n_findings; i++)
		if (!inspection->findings[i].rule->marks)
			return &inspection->findings[i];
	return NULL;
}

const char *finding_describe(const struct finding *finding, struct arena *arena)
{
	const char *line = finding->line ? arena_printf(arena, ":%d", finding->line) : "";
	return arena_printf(
		arena, "%s%s: %s (rule %s)", finding->path, line, finding->evidence, finding->rule->name);
}

void guard_find(struct inspection *inspection, const struct guard_rule *rule,
	const struct changed_file *file, int line, const char *evidence)
{
	struct arena *arena = inspection->arena;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	utf8_scrub(&text, evidence, strlen(evidence));
	ARENA_PUSH(arena, inspection->findings, inspection->n_findings,
		(struct finding){rule, file->path, line, arena_strdup(arena, text.text)});
}

bool guard_was_there(const struct inspection *inspection, const char *path)
{
	return text_in_sorted(inspection->base_paths, inspection->n_base_paths, path);
}
