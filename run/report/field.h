/*
 * Tables that name each member of a struct, where it stands and what it means. From a table come
 * JSON, its JSON Schema, the struct read back, and the struct without keys. Inside run/ only.
 */
#pragma once
#include "base/json/json.h"
#include "base/secrets.h"
#include "run/run.h"

enum field_kind {
	FIELD_TEXT,    /* const char *; NULL: left out */
	FIELD_DATE,    /* the same, as RFC 3339 has it */
	FIELD_OUTCOME, /* the same, one of the words for outcomes of runs */
	FIELD_TEXTS,   /* struct option_strings */
	FIELD_SIZE,    /* size_t */
	FIELD_INT,     /* int */
	FIELD_LONG,    /* int64_t */
	FIELD_SUM,     /* both members of struct rondo_usage */
	FIELD_BOOL,
	FIELD_COST,      /* double: USD; below 0, which is "unknown", not wholly known */
	FIELD_STOP_KIND, /* enum rondo_stop_kind */
	FIELD_PART,      /* an object of fields of the same struct; left out where it is empty */
	FIELD_ITEMS,     /* structs, and how many */
	FIELD_BY_NAME,   /* the same as an object; their first member is their name */
};

struct field {
	const char *name;
	enum field_kind kind;
	const char *help; /* in the JSON Schema */
	/* 1 + the offset of a pointer to the struct that has it (NULL: left out); 0: it is the struct
	 * itself */
	size_t in;
	size_t offset;
	/* FIELD_ITEMS, FIELD_BY_NAME: the offset of how many, beside `offset` */
	size_t count;
	const struct field *table; /* FIELD_PART, FIELD_ITEMS, FIELD_BY_NAME */
	size_t size;               /* FIELD_ITEMS, FIELD_BY_NAME: of one */
	/* a member of the struct that has it: left out where all of that is zero; size 0: none */
	size_t when, when_size;
};

/* What stands at the head of a report; the rest is the report's. */
struct report_head {
	const char *type; /* of a line of --json; NULL: it is report.json */
	int version;      /* of report.json; 0: a line of --json */
	const char *run;
	const char *ended; /* a date; NULL: left out */
	const char *outcome;
	int exit_code;
	const char *reason, *help;
};

/* Each ends in a field without a name. */
extern const struct field head_fields[];     /* of struct report_head */
extern const struct field report_fields[];   /* of struct run_report */
extern const struct field told_fields[];     /* of it, what an agent that asked is told */
extern const struct field attempt_fields[];  /* of struct run_attempt */
extern const struct field site_fields[];     /* of struct site_facts, as the journal has them */
extern const struct field baseline_fields[]; /* of struct baseline_facts, so too */

/* Append a table's fields of a struct to an object. */
void fields_add(struct json *to, const struct field *table, const void *of);

/* The JSON Schema of an object that has the fields of both tables (`more` NULL: of one). */
void fields_describe(struct json *to, const struct field *table, const struct field *more);

/* Read them back into a struct; texts lie in the arena. What the object lacks stays as it is. Only
 * tables without parts, verdicts and spendings. */
void fields_read(const struct json *from, const struct field *table, struct arena *arena, void *to);

/* Take the keys out of all texts of a struct; they are copied into the arena where they hold
 * one. */
void fields_redact(
	const struct field *table, const struct secrets *secrets, struct arena *arena, void *of);
