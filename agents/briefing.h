/*
 * What a coder with a model is shown of the tree and of test runs, which is also what the tester
 * says; between briefing.c, condense.c, failures.c and those who speak.
 */
#pragma once
#include "agents/agent.h"

enum {
	KNOWN_MOST = 5, /* failures of a report that are shown with what they printed */
	KNOWN_HASH = 17,
};

/* The failures of the last report, which its reader knows. */
struct known_failures {
	struct known_failure {
		char hash[KNOWN_HASH];
		int64_t times; /* in how many reports in a row it was only named */
	} items[KNOWN_MOST];
	size_t n;
};

/* Append them to a JSON array; load such an array. */
void known_save(const struct known_failures *known, struct json *to);
void known_load(struct known_failures *known, const struct json *from);

/* Append a program's output: all of it, or of a long one the head, lines that tell of failures, and
 * a longer tail. */
void condense(struct strbuf *sb, const char *output);

/* Append text in a fence that no fence in it can close. */
void add_fenced(struct strbuf *sb, const char *language, const char *text, size_t n);

/* Append what is true of code blocks in this team, where anybody runs them. */
void brief_blocks(
	struct strbuf *sb, const struct agent_services *services, const struct option_texts *overrides);

/* Append what programs find where they run: network, packages, time. */
void brief_world(struct strbuf *sb, const struct agent_services *services);

/* Append the functions of these files, without bodies; no files: nothing. */
int brief_functions(struct strbuf *sb, const struct agent_services *services,
	const struct option_strings *files, const struct option_texts *overrides,
	struct rondo_error *err);

/* Append the failing tests, each with why and where. */
void brief_failures(struct strbuf *sb, const struct test_report *report);

/* Append what a run of the tests printed of its failures. Those that are known take a line each.
 * `known` NULL: none are. */
void brief_output(
	struct strbuf *sb, const struct test_report *report, struct known_failures *known);
