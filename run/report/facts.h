/*
 * What a report says of a run: tables that name each fact, where it stands in struct run_result and what it means. They
 * write report.json and the last line of --json, and are their JSON Schema: a fact more is a line more. Inside run/ only.
 */
#pragma once
#include "run/run.h"

enum fact_kind {
	FACT_TEXT,    /* const char *; NULL: not told */
	FACT_DATE,    /* so, too, as RFC 3339 has it */
	FACT_OUTCOME, /* so, too, one of the words for what comes of runs */
	FACT_TEXTS,   /* const char *const *, and how many */
	FACT_SIZE,    /* size_t */
	FACT_INT,     /* int */
	FACT_LONG,    /* int64_t */
	FACT_SUM,     /* both members of struct rondo_usage */
	FACT_BOOL,
	FACT_COST,    /* double: USD; below 0, which is "unknown", not wholly known */
	FACT_VERDICT, /* enum rondo_verdict */
	FACT_PART,    /* an object of facts of the same struct */
	FACT_ITEMS,   /* structs, and how many */
	FACT_BY_NAME, /* struct run_spending, and how many: an object by their names */
};

struct fact {
	const char *name;
	enum fact_kind kind;
	size_t offset;
	size_t count;               /* FACT_TEXTS, FACT_ITEMS, FACT_BY_NAME: the offset of how many */
	const struct fact *table;   /* FACT_PART, FACT_ITEMS, FACT_BY_NAME */
	size_t size;                /* FACT_ITEMS: of one */
	bool (*told)(const void *); /* whether it applies; NULL: always */
	const char *help;
};

/* What stands at the head of a report; the rest is the result's. */
struct report_head {
	const char *type;    /* of a line of --json; NULL: it is report.json */
	int version;         /* of report.json; 0: a line of --json */
	const char *run;
	const char *ended;   /* a date; NULL: not told */
	const char *outcome;
	int exit_code;
	const char *reason;
};

/* Each ends in a fact without a name. */
extern const struct fact head_facts[];   /* of struct report_head */
extern const struct fact result_facts[]; /* of struct run_result, as the next */
extern const struct fact goal_facts[];   /* those of the tests that the journal has, too */

/* Append a table's facts of a struct to an object. */
void facts_add(struct json *to, const struct fact *table, const void *of);
