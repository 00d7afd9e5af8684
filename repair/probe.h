/* What a way that was forced through the program showed. Private to repair/. */
#pragma once
#include "repair/pool/gap.h"

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
