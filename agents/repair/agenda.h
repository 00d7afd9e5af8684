/*
 * The groups of failing tests that repair searches for, each as if its tests were all that is to
 * pass. A goal that is not divided is one group. It follows from a report and its text, so nothing
 * of it is saved. Private to this folder.
 */
#pragma once
#include "agents/repair/search.h"

struct agenda_item {
	struct agent_services services; /* with a baseline of this group */
	struct baseline baseline;
	const char *cause;    /* what its failures have in common; NULL: the goal is not divided */
	bool is_fixed;        /* all of its tests pass in this text */
	struct search search; /* empty until its turn comes */
};

struct agenda {
	struct arena arena;
	struct agenda_item *items; /* as the baseline's groups */
	size_t n;
};

/* Make it for a text in which these tests of the goal pass; they must go on to pass. The agenda
 * must be empty. */
void agenda_begin(struct agenda *agenda, const struct agent_services *services,
	const char *const *fixed, size_t n_fixed);

/* How many groups there are in the goal of these services. */
size_t agenda_groups(const struct agent_services *services);

/* How many candidates its searches took, and tried. */
size_t agenda_taken(const struct agenda *agenda);
size_t agenda_tried(const struct agenda *agenda);

/* Make it empty. */
void agenda_release(struct agenda *agenda);
