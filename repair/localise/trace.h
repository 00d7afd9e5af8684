/* What a runner printed, and what it says of the files that are searched. Private to repair/. */
#pragma once
#include "repair/search.h"

/* The text without the warnings in it; in the arena. */
const char *without_warnings(const char *output, struct arena *arena);

struct place {
	struct source *source;
	uint32_t line;
};

/* The next place in a text from *at on; *at moves past it. False: there is none. */
bool trace_next_place(
	struct repair *repair, const char *text, const char **at, struct place *ret_place);

/* Mark the lines that a text names, such as "a/b.py:12", 'File "b.py", line 12'. */
void repair_trace(struct repair *repair, const char *text);

/* Mark the handlers that the exceptions that ended tests have passed by. */
void repair_trace_handlers(struct repair *repair);

/* Mark the lines that values of the lines marked so far come from. */
void repair_trace_makers(const struct repair *repair);

/* Mark the lines at which a compiler or interpreter reports that it could not parse. */
void repair_find_broken(struct repair *repair, const char *text);

/* Mark the words that error messages quote: "name 'x' is not defined", "undefined: x". Note
 * whether they complain of types or of missing values, and the exceptions that they begin with. */
void repair_blame(struct repair *repair, const char *text);

/* Whether a name is one of an exception. */
bool names_exception(const char *name, size_t n);

/* Whether a line of a source says a name that the runner does not find, or one like it. */
bool repair_says_unknown(const struct repair *repair, const struct source *source, uint32_t line);

/* Note by what two texts of a message differ. */
void repair_find_differences(struct repair *repair, const char *message);

/* The source of a path as a runner prints it: absolute, relative, or only its end. NULL: none, or
 * several. */
struct source *repair_source(struct repair *repair, const char *path, size_t n);
