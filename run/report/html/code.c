/* Program text in colours: a class for each byte by its token; what lies between tokens and is no
 * space is a comment. */
#include <ctype.h>

#include "run/report/html/html.h"

enum { PLAIN, KEYWORD, NAME, NUMBER, STRING, COMMENT, CLASSES };

/* The classes of the style sheet. */
static const char *const class_names[CLASSES] = {NULL, "k", NULL, "n", "s", "c"};

static unsigned char class_of(const struct token *token)
{
	static const unsigned char by_kind[] = {
		[TOKEN_NAME] = NAME,
		[TOKEN_KEYWORD] = KEYWORD,
		[TOKEN_NUMBER] = NUMBER,
		[TOKEN_STRING] = STRING,
		[TOKEN_OPERATOR] = NAME,
		[TOKEN_OPEN] = NAME,
		[TOKEN_CLOSE] = NAME,
	};
	return by_kind[token->kind];
}

static void code_classify(struct html_code *code, const struct token_list *list, const char *text)
{
	memset(code->classes, COMMENT, code->n);
	for (size_t i = 0; i < code->n; i++)
		if (isspace((unsigned char)text[i]))
			code->classes[i] = PLAIN;
	for (size_t i = 0; i < list->n; i++) {
		const struct token *token = &list->tokens[i];
		bool opens_string = token->kind == TOKEN_OPEN && memchr("\"'`", text[token->start], 3);
		memset(
			code->classes + token->start, opens_string ? STRING : class_of(token), token->length);
	}
}

void html_code_read(struct html_code *code, const struct language *language, const char *text,
	size_t n, struct arena *arena)
{
	struct token_list list;
	struct words words = {.arena = arena};
	*code = (struct html_code){.text = text,
		.n = n,
		.classes = arena_alloc(arena, n + 1),
		.marks = arena_alloc(arena, (n + 1) * sizeof(bool))};
	if (!language)
		return;
	tokens_read(language, text, n, &words, arena, &list);
	code_classify(code, &list, text);
}

/* Operators and names look alike, so that they need no element of their own. */
static bool code_is_same(const struct html_code *code, size_t a, size_t b)
{
	return class_names[code->classes[a]] == class_names[code->classes[b]] &&
		code->marks[a] == code->marks[b];
}

void html_code_add(struct strbuf *sb, const struct html_code *code, size_t from, size_t to)
{
	for (size_t end; from < to; from = end) {
		const char *name = class_names[code->classes[from]];
		for (end = from + 1; end < to && code_is_same(code, from, end);)
			end++;
		strbuf_adds(sb, code->marks[from] ? "<mark>" : "");
		if (name)
			strbuf_addf(sb, "<span class=\"%s\">", name);
		html_add_n(sb, code->text + from, end - from);
		strbuf_adds(sb, name ? "</span>" : "");
		strbuf_adds(sb, code->marks[from] ? "</mark>" : "");
	}
}
