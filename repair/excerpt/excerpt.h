/* Definitions as lines, as a reader wants to see them, and how they are collected. Private to
 * repair/. */
#pragma once
#include "repair/localise/localise.h"

/* Lines of a file, from 1, both included; `first` is 0 where there are none. */
struct lines {
	uint32_t first, last;
};

/* The lines that a run of tokens takes, as far as there are such tokens: its first is one. */
struct lines lines_of(const struct source *source, struct span span);

/* The lines of a definition with its decorators and the comment above it; of a long class those
 * before its first function. */
struct lines definition_lines(const struct source *source, uint32_t definition);

/* The lines that name the class around a definition; none where there is no class. */
struct lines definition_class_lines(const struct source *source, uint32_t definition);

/* The definition that is read for the sake of a line: the outermost function around it that is not
 * long, or else what it is in; NO_TOKEN: none. */
uint32_t definition_around(const struct source *source, uint32_t line);

/* The lines of a file's imports. */
struct lines import_lines(const struct source *source);

/* What is read for the sake of a line. */
struct choice {
	const struct source *source;
	uint32_t definition; /* NO_TOKEN: some lines around the line */
	uint32_t line;
	double cost;
	bool is_reached;
};

struct excerpting {
	struct repair *repair;
	struct localisation l;
	struct arena *arena; /* of the items */
	struct excerpt *items;
	size_t n;
	bool *is_taken;       /* by definition */
	uint32_t *ranks;      /* by definition: its place among what is likely run, from 1; 0: none */
	struct choice *parts; /* by definition: its likeliest line; a cost of 0: none */
};

/* Add lines, where there are some; a definition, where it was not added before. */
void excerpt_add(struct excerpting *e, enum excerpt_kind kind, const struct source *source,
	struct lines lines, uint32_t line);
bool excerpt_add_definition(
	struct excerpting *e, enum excerpt_kind kind, uint32_t definition, uint32_t line);

/* The cheapest first. */
void excerpt_sort(struct choice *choices, size_t n);

void excerpt_add_choices(
	struct excerpting *e, enum excerpt_kind kind, const struct choice *choices, size_t n);

/* Add the imports of the files of which excerpts of a kind were added. */
void excerpt_add_imports(struct excerpting *e, enum excerpt_kind kind, enum excerpt_kind of);

/* Add the failing tests with their fixtures and imports. */
void excerpt_add_tests(struct excerpting *e);
