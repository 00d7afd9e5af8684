/* What a way that was forced through the program showed. Private to repair/. */
#pragma once
#include "repair/gap.h"

/* How much later a condition comes where its way was forced and did not help. */
#define REFUTED 2.0

/* A probe for the proposal that forces it; in the arena. */
struct probe *probe_copy(struct site *site, const struct probe *probe);

/* Note that a probe is tried as a candidate. */
void probe_note(struct repair *repair, const struct task *task, int64_t id);

/* What is added to the cost of a condition where this was forced. */
double probe_doubt(const struct site *site, const struct probe *probe);

/* The ways out that may be missing at a gap: likeliest first. */
struct ranking gap_exits(struct site *site, const struct gap *gap);

/* Whether a way out throws what a failing test waits for. */
bool exit_is_awaited(const struct repair *repair, const char *exit);

/* Propose what a probe that helped and broke other tests leads to: with conditions, likeliest
 * first, the first at 0. */
void guard_follow(struct site *site, const struct probe *probe);
void enclose_follow(struct site *site, const struct probe *probe);
void condition_follow(struct site *site, const struct probe *probe);

/* Whether a token is the name of a value or function, and no part of another. */
bool names_value(const struct token *token);

/* Whether a word is known at a site: the function there says it, of which this is the pool, or its
 * file calls, defines or imports it. */
bool is_known_here(const struct site *site, const struct pool *pool, const struct word *word);

/* Conditions for a place where one is missing: those of rank_predicates, and those that the rest of
 * the project asks of names which are known there. Gives how many; they lie in the arena. */
size_t predicates_find(struct site *site, struct span near, const char ***ret_texts);
