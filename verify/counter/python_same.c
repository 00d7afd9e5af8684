/* A copy of a test in Python in which nothing is changed: its statements stand in a function of
 * another name, which the copy calls as its only statement. */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/python_text.h"

enum { PARAMETERS_MOST = 24 };

/* What hands the parameters on: "self.steps(a=a)". NULL: some have no plain name. */
static const char *same_call(const struct counter_plan *plan, const struct counter_file *file,
	const struct python_function *function, const char *mark)
{
	struct span parameters[PARAMETERS_MOST];
	uint32_t open = function->name + 1, close = file->tokens.tokens[open].match;
	size_t n = span_arguments(file, open, parameters, ARRAY_SIZE(parameters));
	size_t is_method = function->column > 0;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	if (close == NO_TOKEN || (!n && close != open + 1) || n < is_method || n == PARAMETERS_MOST)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const struct token *name = &file->tokens.tokens[parameters[i].first];
		int length = (int)name->length;
		const char *text = file->text + name->start;
		if (counter_in(file, parameters[i].first, " * ** / "))
			return NULL;
		if (!i && is_method)
			strbuf_addf(&sb, "%.*s.", length, text);
		if (i == is_method)
			strbuf_addf(&sb, "steps_%s(", mark);
		if (i >= is_method)
			strbuf_addf(&sb, "%s%.*s=%.*s", i > is_method ? ", " : "", length, text, length, text);
	}
	if (n == is_method)
		strbuf_addf(&sb, "steps_%s(", mark);
	strbuf_addc(&sb, ')');
	return arena_strndup(plan->arena, sb.text, sb.length);
}

/* Its statements in a function of another name, then the copy that calls it. Marks are handed on:
 * their values might be other ones when they are made again. */
static const char *same_text(const struct counter_plan *plan, const struct counter_file *file,
	const struct python_function *function, const char *mark, const char *call)
{
	const struct token *tokens = file->tokens.tokens, *name = &tokens[function->name];
	const struct token *colon = &tokens[function->first - 1], *first = &tokens[function->first];
	size_t name_end = name->start + name->length, head_end = colon->start + colon->length;
	size_t line = python_line_start(file, function->first);
	const char *text = file->text;
	const char *indent = arena_strndup(plan->arena, text + line, first->start - line);
	const char *waits = counter_is(file, function->def, "async") ? "await " : "";
	bool is_ended = text[function->end_byte - 1] == '\n',
		 has_marks = python_has_marks(file, function);
	size_t start = has_marks ? function->def_byte : function->start_byte;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	strbuf_addf(&sb, "%s\n", is_ended ? "" : "\n");
	strbuf_add(&sb, text + function->def_byte, name->start - function->def_byte);
	strbuf_addf(&sb, "steps_%s", mark);
	strbuf_add(&sb, text + name_end, function->end_byte - name_end);
	strbuf_addf(&sb, "%s\n", is_ended ? "" : "\n");
	strbuf_add(&sb, text + start, name_end - start);
	strbuf_addf(&sb, "_%s", mark);
	strbuf_add(&sb, text + name_end, head_end - name_end);
	strbuf_addf(&sb, "\n%swith elsewhere_%s(%.*s, %s):\n%s    return %s%s\n", indent, plan->word,
		(int)strcspn(call, "("), call, span_names_file(file) ? "False" : "True", indent, waits,
		call);
	if (has_marks)
		strbuf_addf(&sb, "\n%.*s%.*s_%s.pytestmark = list(%.*s.pytestmark)\n",
			(int)function->column, text + function->def_byte, (int)name->length, text + name->start,
			mark, (int)name->length, text + name->start);
	return arena_strndup(plan->arena, sb.text, sb.length);
}

void python_add_same(struct counter_plan *plan, size_t number,
	const struct python_function *function, const struct counter_test *test, const char *run)
{
	const struct counter_file *file = plan->files[number];
	const struct token *name = &file->tokens.tokens[function->name];
	const char *mark = counter_mark(plan), *text = file->text;
	struct span span = {function->name, function->end};
	size_t n_decorators = function->def_byte - function->start_byte;
	const char *call =
		counter_is(file, function->name + 1, "(") ? same_call(plan, file, function, mark) : NULL;
	if (!call || span_names_itself(file, span, text + name->start, name->length) ||
		memmem(text + function->start_byte, n_decorators, "staticmethod", strlen("staticmethod")))
		return;
	counter_put_same(plan, number, test, mark,
		arena_printf(plan->arena, "%s%.*s_%s", run, (int)name->length, text + name->start, mark),
		file->tokens.tokens[function->def].start, function->end_byte,
		same_text(plan, file, function, mark, call));
}
