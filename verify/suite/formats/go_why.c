/* Why a Go test or a package failed: messages, panics, errors of the compiler. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/formats/go.h"

/* The path up to the first ".go:" and the number after it. Gives what follows; NULL: no place. */
static const char *go_find_place(const char *text, size_t *ret_path, long *ret_line)
{
	const char *at = strstr(text, ".go:");
	if (!at || !isdigit((unsigned char)at[4]))
		return NULL;
	char *end;
	*ret_path = (size_t)(at + 3 - text);
	*ret_line = strtol(at + 4, &end, 10);
	return end;
}

static void go_hear_traceback(struct go_why *why, const char *dir, const char *line)
{
	size_t n;
	long number;
	bool is_own = *line == '\t' && !text_starts_with(line + 1, "_testmain.go:");
	if (is_own && !*why->location.file && go_find_place(line + 1, &n, &number))
		location_set(&why->location, dir, line + 1, n, number);
}

/* "    /tree/calc/calc_test.go:10: Add(2, 3) = -1, want 5". The last such line counts: what was
 * logged comes before it. A bare name is in the package's directory, which go does not name. */
static void go_hear_message(struct go_why *why, const char *dir, const char *line)
{
	size_t n;
	long number;
	const char *text = line + strspn(line, " ");
	const char *after = text > line ? go_find_place(text, &n, &number) : NULL;
	if (after && *after == ':') {
		after++;
		why->location = (struct location){0};
		text_copy(why->message, sizeof why->message, after + strspn(after, " "));
		if (memchr(text, '/', n))
			location_set(&why->location, dir, text, n, number);
		return;
	}
	text = line + strspn(line, " \t");
	bool is_testify = text_starts_with(text, "Error:") && text > line;
	if (!*why->message && is_testify)
		text_copy(why->message, sizeof why->message, text + 6 + strspn(text + 6, " \t"));
}

static void go_hear_line(struct go_why *why, const char *dir, const char *line)
{
	bool is_panic = text_starts_with(line, "panic: ") || text_starts_with(line, "fatal error: ");
	if (is_panic && !why->panicked) {
		*why = (struct go_why){.panicked = true};
		text_copy(why->message, sizeof why->message, line);
	} else if (why->panicked) {
		go_hear_traceback(why, dir, line);
	} else {
		go_hear_message(why, dir, line);
	}
}

void go_hear(struct suite_reading *reading, struct go_package *package, struct go_test *test,
	const char *line)
{
	if (test && !test->why)
		test->why = arena_alloc(reading->arena, sizeof *test->why);
	struct go_why *why = test ? test->why : &package->why;
	if (!test && !*why->message && text_starts_with(line, "exit status "))
		text_copy(why->message, sizeof why->message, line);
	else
		go_hear_line(why, reading->dir, line);
}

static struct go_why *go_build_of(struct suite_reading *reading, const char *name)
{
	struct go_state *go = reading->state;
	struct go_why *why = map_get(&go->builds, name);
	if (!why) {
		why = arena_alloc(reading->arena, sizeof *why);
		map_put(&go->builds, reading->arena, arena_strdup(reading->arena, name), why);
	}
	return why;
}

/* "# example.com/acme/broken [example.com/acme/broken.test]" begins what is said of a package; the
 * first error at a place counts, else the first line: "stat /tree/nosuch: directory not found". */
void go_hear_build(struct suite_reading *reading, const char *line)
{
	struct go_state *go = reading->state;
	if (text_starts_with(line, "# ") && line[2] != '[') {
		const char *name = arena_strndup(reading->arena, line + 2, strcspn(line + 2, " "));
		go->building = go_build_of(reading, name);
		return;
	}
	struct go_why *why = go->building;
	size_t n;
	long number;
	if (!why || *why->location.file)
		return;
	if (!*why->message)
		text_copy(why->message, sizeof why->message, line);
	const char *text = text_starts_with(line, "vet: ") ? line + 5 : line;
	const char *after = go_find_place(text, &n, &number);
	if (!after || !location_set(&why->location, reading->dir, text, n, number))
		return;
	after += strspn(after, ":0123456789");
	text_copy(why->message, sizeof why->message, after + strspn(after, " "));
}
