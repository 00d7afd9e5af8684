/*
 * The shell's grammar as far as it says where a command's name stands: behind separators and the words that open a list, in
 * substitutions, not in patterns, redirections and texts. What the shell would refuse, it refuses itself.
 */
#include "executors/commands.h"

#include <ctype.h>
#include <string.h>

#define NESTED_MOST 50

static const char always[] =
	" cd echo printf test [ [[ : true false pwd export unset set shift return exit local readonly read break continue wait "
	"declare typeset let getopts umask ";
static const char openers[] = " if then elif else do while until ! { time ";
static const char closers[] = " fi done esac } ]] ";

struct reader {
	const char *at;
	const struct option_strings *allowed;
	struct option_strings functions; /* that the text defines */
	struct option_strings heredocs;  /* whose texts begin on the next line */
	struct arena *arena;
	const char *refusal;
	int depth;
};

static void read_list(struct reader *reader, char closing);

static bool is_one_of(const char *list, const char *word, struct arena *arena)
{
	return *word && !strchr(word, ' ') && strstr(list, arena_printf(arena, " %s ", word));
}

static bool is_among(const struct option_strings *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

static void judge(struct reader *reader, const char *name, bool is_spelt_out)
{
	if (reader->refusal || is_one_of(always, name, reader->arena) || is_among(reader->allowed, name) ||
		is_among(&reader->functions, name))
		return;
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_list(&list, reader->allowed->items, reader->allowed->n);
	reader->refusal = is_spelt_out
				  ? arena_printf(reader->arena, "command '%s' may not run here; allowed: %s", name, list.text)
				  : arena_printf(reader->arena, "a command that is not spelt out ('%s') may not run here; allowed: %s", name, list.text);
}

/* --- Words --- */

static void read_nested(struct reader *reader, char closing)
{
	if (reader->depth++ < NESTED_MOST)
		read_list(reader, closing);
	else if (!reader->refusal)
		reader->refusal = "commands are nested too deeply to be read";
	reader->depth--;
}

/* Behind a dollar: a command's output, a number, a parameter, which may hold more of them. */
static void read_dollar(struct reader *reader)
{
	bool is_number = strncmp(reader->at, "((", 2) == 0;
	if (*reader->at == '(' && !is_number) {
		reader->at++;
		read_nested(reader, ')');
		return;
	}
	if (*reader->at != '{' && !is_number)
		return;
	const char open = *reader->at, close = open == '{' ? '}' : ')';
	for (int depth = 0; *reader->at;) {
		char c = *reader->at++;
		depth += (c == open) - (c == close);
		if (c == '$')
			read_dollar(reader);
		if (depth == 0)
			return;
	}
}

static void read_backticks(struct reader *reader)
{
	size_t n = strcspn(reader->at, "`");
	struct reader inner = {.at = arena_strndup(reader->arena, reader->at, n), .allowed = reader->allowed,
		.functions = reader->functions, .arena = reader->arena, .depth = reader->depth};
	reader->at += n + (reader->at[n] == '`');
	read_nested(&inner, '\0');
	if (!reader->refusal)
		reader->refusal = inner.refusal;
}

/* One character of a word, or all that a quote or a dollar opens; what it is plainly goes to the text. */
static void read_piece(struct reader *reader, bool quoted, struct strbuf *text, bool *is_plain)
{
	char c = *reader->at++;
	if (c == '\\' && *reader->at) {
		if (*reader->at != '\n')
			strbuf_addc(text, *reader->at);
		reader->at++;
	} else if (c == '$' || c == '`') {
		*is_plain = false;
		strbuf_addc(text, c);
		if (c == '$')
			read_dollar(reader);
		else
			read_backticks(reader);
	} else if (c == '\'' && !quoted) {
		size_t n = strcspn(reader->at, "'");
		strbuf_add(text, reader->at, n);
		reader->at += n + (reader->at[n] == '\'');
	} else if (c == '"' && !quoted) {
		while (*reader->at && *reader->at != '"')
			read_piece(reader, true, text, is_plain);
		reader->at += *reader->at == '"';
	} else {
		*is_plain = *is_plain && (quoted || !strchr("*?[", c) || text->length == 0);
		strbuf_addc(text, c);
	}
}

/* The word that begins here; whether it is the same whatever happens. */
static const char *read_word(struct reader *reader, bool *ret_is_plain)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	*ret_is_plain = true;
	while (*reader->at && !strchr(" \t\n;&|()<>", *reader->at))
		read_piece(reader, false, &text, ret_is_plain);
	return arena_strndup(reader->arena, text.text, text.length);
}

static void skip_blanks(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\t' || strncmp(reader->at, "\\\n", 2) == 0)
		reader->at += *reader->at == '\\' ? 2 : 1;
}

/* --- Redirections --- */

static void note_heredoc(struct reader *reader)
{
	bool is_plain;
	skip_blanks(reader);
	bool is_quoted = strchr("'\"\\", *reader->at);
	const char *word = read_word(reader, &is_plain);
	ARENA_PUSH(reader->arena, reader->heredocs.items, reader->heredocs.n,
		arena_printf(reader->arena, "%c%s", is_quoted ? '\'' : ' ', word));
}

static void read_redirection(struct reader *reader)
{
	bool is_plain;
	if (strncmp(reader->at, "<<", 2) == 0 && reader->at[2] != '<') {
		reader->at += reader->at[2] == '-' ? 3 : 2;
		note_heredoc(reader);
		return;
	}
	bool is_process = reader->at[1] == '(';
	reader->at += strspn(reader->at, "<>");
	reader->at += *reader->at == '&' || *reader->at == '|';
	skip_blanks(reader);
	if (is_process && *reader->at == '(') {
		reader->at++;
		read_nested(reader, ')');
	} else {
		read_word(reader, &is_plain);
	}
}

/* A line of one, as the shell compares it with the word that ends it. */
static bool ends_heredoc(const char *line, size_t n, const char *word)
{
	size_t tabs = strspn(line, "\t");
	return n - tabs == strlen(word) && memcmp(line + tabs, word, n - tabs) == 0;
}

/* The texts that begin here; one whose word is not quoted may hold substitutions. */
static void read_heredocs(struct reader *reader)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	bool is_plain = true;
	for (size_t i = 0; i < reader->heredocs.n; i++) {
		const char *word = reader->heredocs.items[i];
		while (*reader->at) {
			size_t n = strcspn(reader->at, "\n");
			bool ends = ends_heredoc(reader->at, n, word + 1);
			const char *next = reader->at + n + (reader->at[n] == '\n');
			while (!ends && *word == ' ' && *reader->at && reader->at < next)
				read_piece(reader, true, &text, &is_plain);
			reader->at = reader->at > next ? reader->at : next;
			if (ends)
				break;
		}
	}
	reader->heredocs.n = 0;
}

/* --- Lists of commands --- */

/* What stands between "case WORD in" and "esac": before each list of commands a pattern. */
static void read_case(struct reader *reader)
{
	bool is_plain;
	for (const char *word = ""; *reader->at && strcmp(word, "in") != 0;) {
		reader->at += strspn(reader->at, " \t\n");
		word = read_word(reader, &is_plain);
		if (!*word && *reader->at)
			reader->at++;
	}
	while (*reader->at && !reader->refusal) {
		reader->at += strspn(reader->at, " \t\n;&(");
		if (strncmp(reader->at, "esac", 4) == 0 && !isalnum((unsigned char)reader->at[4]))
			return;
		reader->at += strcspn(reader->at, ")");
		reader->at += *reader->at == ')';
		read_nested(reader, ';');
	}
}

static bool is_assignment(const char *at)
{
	size_t n = 0;
	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	n += at[n] == '+';
	return n && at[n] == '=' && !isdigit((unsigned char)*at);
}

/* A word where a command's name may stand; whether one may still stand behind it. */
static bool read_name(struct reader *reader)
{
	bool is_plain, assigns = is_assignment(reader->at);
	const char *word = read_word(reader, &is_plain);
	bool is_number = *word && word[strspn(word, "0123456789")] == '\0' && (*reader->at == '<' || *reader->at == '>');
	if (assigns || is_number || is_one_of(openers, word, reader->arena))
		return true;
	if (is_one_of(closers, word, reader->arena) || is_one_of(" for select in ", word, reader->arena))
		return false;
	if (strcmp(word, "case") == 0) {
		read_case(reader);
		return false;
	}
	skip_blanks(reader);
	bool defines = strcmp(word, "function") == 0;
	if (defines)
		word = read_word(reader, &is_plain);
	if (defines || strncmp(reader->at, "()", 2) == 0) {
		ARENA_PUSH(reader->arena, reader->functions.items, reader->functions.n, word);
		reader->at += strncmp(reader->at, "()", 2) == 0 ? 2 : 0;
		return true;
	}
	judge(reader, word, is_plain);
	return false;
}

/* Up to what closes it: a bracket, ";;" in a case (where "esac" is left for it), or the end. */
static void read_list(struct reader *reader, char closing)
{
	bool wants_name = true, is_plain;
	while (*reader->at && !reader->refusal) {
		skip_blanks(reader);
		char c = *reader->at;
		if (closing == ')' && c == ')') {
			reader->at++;
			return;
		}
		if (closing == ';' && (strncmp(reader->at, ";;", 2) == 0 || strncmp(reader->at, ";&", 2) == 0 ||
					      (wants_name && strncmp(reader->at, "esac", 4) == 0)))
			return;
		if (c == '#') {
			reader->at += strcspn(reader->at, "\n");
		} else if (c == '<' || c == '>' || strncmp(reader->at, "&>", 2) == 0) {
			reader->at += c == '&';
			read_redirection(reader);
		} else if (c && strchr("\n;&|()", c)) {
			reader->at++;
			wants_name = true;
			if (c == '\n')
				read_heredocs(reader);
		} else if (wants_name) {
			wants_name = read_name(reader);
		} else if (c) {
			read_word(reader, &is_plain);
		}
	}
}

const char *commands_refusal(const char *code, const struct option_strings *allowed, struct arena *arena)
{
	struct reader reader = {.at = code, .allowed = allowed, .arena = arena};
	read_list(&reader, '\0');
	return reader.refusal;
}
