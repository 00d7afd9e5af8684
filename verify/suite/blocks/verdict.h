/* Whether what a program or a harness of tests prints says how a test came out. */
#pragma once
#include <string.h>

enum verdict { NOT_TOLD, PASSED, FAILED };

/* As notes begin, each as long as the other. */
static const char *const verdict_words[] = {"", "other\n", "goal \n"};

/* A line as far as it was printed; what is too long for it is cut in pieces. */
struct line {
	char text[512];
	size_t n;
};

static int line_has_any(const struct line *line, const char *const *words)
{
	while (*words && !strstr(line->text, *words))
		words++;
	return *words != NULL;
}

/* One that passed may have "error" in its name. Of what may be no report of tests, words of every
 * day say nothing. */
static enum verdict line_verdict(const struct line *line, int is_report)
{
	static const char *const failure[] = {
		"not ok", "FAIL", "***Failed", "***Exception", "***Timeout", NULL};
	static const char *const success[] = {
		"OK ]", "PASS", "Passed", "passed", "... ok", "...ok", ": ok", ": OK", " OK  ", NULL};
	static const char *const trouble[] = {
		"Fail", "fail", "ERROR", "Error", "error", "Assert", "assert", NULL};
	static const char *const none[] = {" 0 fail", " 0 Fail", NULL};
	if (strstr(line->text, "% tests passed"))
		return NOT_TOLD;
	if (line_has_any(line, failure))
		return FAILED;
	if (strncmp(line->text, "ok ", 3) == 0 || line_has_any(line, success) ||
		line_has_any(line, none))
		return PASSED;
	return is_report && line_has_any(line, trouble) ? FAILED : NOT_TOLD;
}

/* The next character; what the line says is told at its end. */
static enum verdict line_take(struct line *line, char c, int is_report)
{
	if (c != '\n' && line->n + 1 < sizeof line->text) {
		line->text[line->n++] = c;
		return NOT_TOLD;
	}
	line->text[line->n] = '\0';
	line->n = 0;
	return line_verdict(line, is_report);
}
