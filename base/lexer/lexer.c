/*
 * Bytes to tokens, for every language by its table. Nothing recurses and every loop moves on: any
 * bytes will do.
 */
#include "base/lexer/lexer.h"

/* Sized by the text, as most memory goes here. */
static void lexer_enlarge_tokens(struct lexer *x)
{
	size_t capacity = x->tokens_capacity ? 2 * x->tokens_capacity : x->n / 3 + 16;
	struct token *larger = arena_alloc(x->arena, capacity * sizeof *larger);
	if (x->n_tokens)
		memcpy(larger, x->list->tokens, x->n_tokens * sizeof *larger);
	x->list->tokens = larger;
	x->tokens_capacity = capacity;
}

struct token *lexer_emit(struct lexer *x, enum token_kind kind, uint32_t start, uint32_t line)
{
	uint32_t around = x->n_opens ? x->opens[x->n_opens - 1].token : NO_TOKEN;
	if (x->n_tokens == x->tokens_capacity)
		lexer_enlarge_tokens(x);
	x->list->tokens[x->n_tokens++] = (struct token){.start = start,
		.length = x->at - start,
		.line = line,
		.match = NO_TOKEN,
		.around = around,
		.kind = (uint8_t)kind,
		.continues = x->continues};
	x->continues = false;
	return &x->list->tokens[x->n_tokens - 1];
}

void lexer_push(struct lexer *x, const struct open_bracket *bracket)
{
	struct open_bracket open = *bracket;
	open.token = (uint32_t)x->n_tokens - 1;
	if (x->n_opens == x->most_opens)
		x->opens = arena_grow(x->arena, x->opens, x->most_opens++, sizeof *x->opens);
	x->opens[x->n_opens++] = open;
}

void lexer_pop(struct lexer *x)
{
	uint32_t open = x->opens[--x->n_opens].token, close = (uint32_t)x->n_tokens - 1;
	struct token *tokens = x->list->tokens;
	tokens[open].match = close;
	tokens[close].match = open;
	tokens[close].around = tokens[open].around;
}

/* "--[[ ... ]]": asked before "--", which it begins with. */
static bool lexer_skip_long_comment(struct lexer *x)
{
	uint32_t end =
		has(x, LANGUAGE_LONG_BRACKETS) && looking_at(x, "--") ? long_bracket_end(x, 2) : 0;
	step_to(x, end);
	return end;
}

static bool lexer_skip_comment(struct lexer *x)
{
	if (lexer_skip_long_comment(x))
		return true;
	for (const char *at = x->language->line_comments + 1; *at; at += strcspn(at, " ") + 1) {
		size_t n = strcspn(at, " ");
		/* In a shell's word '#' is a letter. */
		bool in_word =
			has(x, LANGUAGE_SIGILS) && x->at && !isspace((unsigned char)x->text[x->at - 1]);
		bool attribute = has(x, LANGUAGE_TEMPLATE) && looking_at(x, "#[");
		if (x->n - x->at < n || memcmp(x->text + x->at, at, n) != 0 || in_word || attribute)
			continue;
		while (x->at < x->n && peek(x, 0) != '\n' &&
			!(has(x, LANGUAGE_TEMPLATE) && looking_at(x, "?>")))
			step(x);
		return true;
	}
	const char *opening = x->language->block_comment[0], *closing = x->language->block_comment[1];
	if (!opening || !looking_at(x, opening))
		return false;
	int depth = 0;
	do {
		bool opens = looking_at(x, opening), closes = looking_at(x, closing);
		if (opens && (depth == 0 || has(x, LANGUAGE_NESTED_COMMENTS)))
			depth++;
		if (closes)
			depth--;
		step_to(x, x->at + (opens || closes ? 2 : 1));
	} while (depth && x->at < x->n);
	return true;
}

static bool lexer_skip_space(struct lexer *x)
{
	char c = peek(x, 0);
	if (c == '\\' && (peek(x, 1) == '\n' || (peek(x, 1) == '\r' && peek(x, 2) == '\n'))) {
		x->continues = true;
		step_to(x, x->at + 2);
		return true;
	}
	if (c && !isspace((unsigned char)c))
		return false;
	step(x);
	if (c == '\n' && x->heredoc[0])
		skip_heredoc(x);
	return true;
}

static void lex_close(struct lexer *x)
{
	char c = peek(x, 0);
	uint32_t start = x->at, line = x->line;
	step(x);
	lexer_emit(x, TOKEN_CLOSE, start, line);
	/* Where the top is another kind, something is missing: what cannot be paired stays so. */
	size_t back = 0;
	while (back < x->n_opens && back < 8 && x->opens[x->n_opens - 1 - back].closing != c &&
		!x->opens[x->n_opens - 1 - back].string && !has(x, LANGUAGE_SIGILS))
		back++;
	if (back >= x->n_opens || x->opens[x->n_opens - 1 - back].closing != c ||
		x->opens[x->n_opens - 1 - back].string)
		return;
	x->n_opens -= back;
	bool interpolation = x->opens[x->n_opens - 1].interpolation;
	lexer_pop(x);
	if (interpolation)
		resume_string(x);
}

static bool lex_open(struct lexer *x)
{
	bool braced_name =
		(has(x, LANGUAGE_SIGILS) && peek(x, 0) == '$' && is_one_of(peek(x, 1), "{(")) ||
		(has(x, LANGUAGE_TEMPLATE) && looking_at(x, "#["));
	char c = peek(x, braced_name);
	if (!is_one_of(c, "([{"))
		return false;
	uint32_t start = x->at;
	step_to(x, x->at + 1 + braced_name);
	lexer_emit(x, TOKEN_OPEN, start, x->line);
	lexer_push(x, &(struct open_bracket){.closing = c == '(' ? ')' : c == '[' ? ']' : '}'});
	return true;
}

static void lex_operator(struct lexer *x)
{
	const struct operator_row *row = x->language->operators;
	char c = peek(x, 0);
	while (row->text && (row->text[0] != c || !looking_at(x, row->text)))
		row++;
	/* "-lt" is an operator only as a word of its own. */
	size_t n = row->text ? strlen(row->text) : 1;
	if (n == 3 && isalpha((unsigned char)row->text[1]) && is_name_byte(peek(x, 3))) {
		row = language_operator(x->language, "-");
		n = 1;
	}
	if (n == 2 && row->text && memcmp(row->text, "<<", 2) == 0 && has(x, LANGUAGE_HEREDOCS))
		note_heredoc(x);
	uint32_t start = x->at;
	step_to(x, x->at + (uint32_t)n);
	lexer_emit(x, TOKEN_OPERATOR, start, x->line)->op = row->text ? row : NULL;
}

/* A quote of Rust that opens no character: a lifetime. */
static bool lex_lifetime(struct lexer *x)
{
	if (!has(x, LANGUAGE_CHARACTERS) || peek(x, 0) != '\'' || peek(x, 1) == '\\' ||
		peek(x, 2) == '\'' || (unsigned char)peek(x, 1) >= 0x80)
		return false;
	uint32_t start = x->at;
	step(x);
	while (is_name_byte(peek(x, 0)))
		step(x);
	lexer_emit(x, TOKEN_OPERATOR, start, x->line);
	return true;
}

bool token_may_end_operand(
	const struct language *language, const char *text, const struct token *token)
{
	switch ((enum token_kind)token->kind) {
	case TOKEN_NAME:
	case TOKEN_NUMBER:
	case TOKEN_STRING:
	case TOKEN_CLOSE:
		return true;
	case TOKEN_KEYWORD:
		return words_hold(language->operand_words, text + token->start, token->length);
	case TOKEN_OPERATOR:
		return token->op && token->op->family == FAMILY_STEP;
	case TOKEN_OPEN:
		return false;
	}
	return false;
}

bool previous_ends_operand(const struct lexer *x)
{
	return x->n_tokens &&
		token_may_end_operand(x->language, x->text, &x->list->tokens[x->n_tokens - 1]);
}

bool lexer_expects_operand(const struct lexer *x)
{
	if (!previous_ends_operand(x))
		return true;
	const struct token *last = &x->list->tokens[x->n_tokens - 1];
	char initial = x->text[last->start];
	bool word = last->kind == TOKEN_NAME && is_name_byte(initial);
	return (word || initial == '}') && last->start + last->length < x->at &&
		!isspace((unsigned char)peek(x, 1));
}

/* A slash after a function that takes a pattern, where elsewhere it divides. */
static bool lexer_expects_pattern(const struct lexer *x)
{
	if (!previous_ends_operand(x))
		return true;
	const struct token *last = &x->list->tokens[x->n_tokens - 1];
	return has(x, LANGUAGE_QUOTE_WORDS) &&
		words_hold(" split grep map any all none first ", x->text + last->start, last->length);
}

static void lex_token(struct lexer *x)
{
	char c = peek(x, 0);
	bool digit = isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(x, 1)));
	bool quote = is_one_of(c, x->language->quotes) || is_one_of(c, x->language->raw_quotes) ||
		is_one_of(c, x->language->interpolating);
	if (lex_heredoc(x) || lex_variable(x) || lex_reading(x) || lex_long_bracket(x))
		return;
	if (lex_open(x) || lex_lifetime(x) || lex_format_spec(x))
		return;
	if (is_one_of(c, ")]}"))
		lex_close(x);
	else if (quote)
		lex_string(x, x->at);
	else if (digit)
		lex_number(x);
	else if (begins_name(x))
		lex_name(x);
	else if (c != '/' || !has(x, LANGUAGE_REGEX) || !lexer_expects_pattern(x) || !lex_regex(x))
		lex_operator(x);
}

static void lexer_index_lines(struct token_list *list, struct arena *arena, uint32_t n_lines)
{
	list->n_lines = n_lines;
	list->line_first = arena_alloc(arena, (n_lines + 2) * sizeof *list->line_first);
	uint32_t i = 0;
	for (uint32_t line = 1; line <= n_lines + 1; line++) {
		while (i < list->n && list->tokens[i].line < line)
			i++;
		list->line_first[line] = i;
	}
}

/* Keywords carry a bit for their language, which saves a second look-up of each name. */
static uint32_t lexer_mark_keywords(struct words *words, const struct language *language)
{
	uint32_t bit = 1;
	for (size_t i = 0; i < languages_n && languages[i] != language; i++)
		bit <<= 1;
	for (const char *at = language->keywords; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
		struct word *word = words_intern(words, at, strcspn(at, " "));
		word->keyword_in |= bit;
		if (language_operator(language, word->text))
			word->operator_in |= bit;
	}
	return bit;
}

void tokens_read(const struct language *language, const char *text, size_t n, struct words *words,
	struct arena *arena, struct token_list *list)
{
	*list = (struct token_list){0};
	struct lexer x = {.list = list,
		.words = words,
		.arena = arena,
		.language = language,
		.text = text,
		.n = (uint32_t)n,
		.line = 1,
		.keyword_bit = lexer_mark_keywords(words, language)};
	while (x.at < x.n)
		if (!skip_prose(&x) && !lexer_skip_space(&x) && !lexer_skip_comment(&x))
			lex_token(&x);
	list->n = x.n_tokens;
	lexer_emit(&x, TOKEN_OPERATOR, x.n, x.line)->first = true;
	lexer_index_lines(list, arena, x.line);
}
