/* What a coder with a model is shown of the tree and of test runs; between briefing.c, condense.c and coder.c. */
#pragma once
#include "agents/agent.h"

/* Append a program's output: all of it, or of a long one the head, lines that tell of failures, and a longer tail. */
void condense(struct strbuf *sb, const char *output);

/* Append text in a fence that no fence in it can close. */
void add_fenced(struct strbuf *sb, const char *language, const char *text, size_t n);

/* Append the failing tests, each with why and where. */
void brief_failures(struct strbuf *sb, const struct test_report *report);

/* Append what a run of the tests printed. */
void brief_output(struct strbuf *sb, const struct test_report *report);

/* Append the names of the tree's files, as far as they are few. */
int brief_tree(struct strbuf *sb, const struct agent_kit *kit, struct rondo_error *err);

/* Append the files that the failures are about, likeliest first, then the failing tests' own: about `limit` bytes. */
int brief_files(struct strbuf *sb, const struct agent_kit *kit, const struct test_report *report,
	size_t limit, struct rondo_error *err);
