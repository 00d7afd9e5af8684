/*
 * The bodies that a function may have in C and C++ alike: cases of a switch. Nothing is included,
 * so that nothing clashes. No function is called to ask for the number, since tests may replace
 * functions by their own. Lines of candidates have numbers of their own.
 */
#include "repair/blend/blend.h"

/* What a file begins with: a function of this name reads this environment variable. A header may
 * be included again. */
#define TOP \
	"#ifndef %s\n" \
	"#define %s %s\n" \
	"#ifdef __cplusplus\n" \
	"extern \"C\" {\n" \
	"extern char **environ;\n" \
	"}\n" \
	"#else\n" \
	"extern char **environ;\n" \
	"#endif\n" \
	"static int %s(void)\n" \
	"{\n" \
	"	static volatile int chosen = -1;\n" \
	"	static const char name[] = \"%s=\";\n" \
	"	char **variable;\n" \
	"	int number = 0, i;\n" \
	"	if (chosen >= 0)\n" \
	"		return chosen;\n" \
	"	for (variable = environ; variable && *variable; variable++) {\n" \
	"		for (i = 0; name[i] && name[i] == (*variable)[i]; i++)\n" \
	"			;\n" \
	"		if (name[i])\n" \
	"			continue;\n" \
	"		for (; (*variable)[i] >= '0' && (*variable)[i] <= '9'; i++)\n" \
	"			number = number * 10 + (*variable)[i] - '0';\n" \
	"	}\n" \
	"	chosen = number;\n" \
	"	return number;\n" \
	"}\n" \
	"#endif\n" \
	"#line 1\n"

/* A jump to an address knows no bodies. */
static bool c_fits(const struct source *source, const struct definition *function, uint32_t open)
{
	for (uint32_t i = open; i < function->last; i++)
		if (token_is(source, i, "goto") && token_is(source, i + 1, "*"))
			return false;
	return true;
}

/* Behind a mark of the encoding. */
static size_t c_begin(struct writer *writer)
{
	size_t at = text_starts_with(writer->file->file->text, "\xef\xbb\xbf") ? 3 : 0;
	writer_copy(writer, 0, at);
	strbuf_addf(writer->text, TOP, writer->name, writer->name, writer->name, writer->name,
		writer->blender->variable);
	return at;
}

/* --- Labels --- */

static void label_add(struct strbuf *names, const char *name)
{
	if (text_has_word(names->text, name))
		return;
	strbuf_adds(names, names->length ? ", " : "");
	strbuf_adds(names, name);
}

static void label_add_targets(
	struct strbuf *names, struct arena *arena, const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (i && is_name(source, i) && token_is(source, i - 1, "goto"))
			label_add(names, tokens_text(source, arena, i, i));
}

const char *blend_labels(struct arena *arena, const struct blended_file *file,
	const struct host *host, const struct source *body, struct span span)
{
	AUTO_STRBUF targets = STRBUF_INIT(STRBUF_LINE), labels = STRBUF_INIT(STRBUF_LINE);
	label_add_targets(&targets, arena, &file->source, span_of(host->open, host->close));
	label_add_targets(&targets, arena, body, span);
	for (uint32_t i = span.first; targets.length && i <= span.last; i++) {
		bool is_label = i && is_name(body, i) && token_is(body, i + 1, ":") &&
			token_in(body, i - 1, " ; { } : ) ");
		const char *name = is_label ? tokens_text(body, arena, i, i) : NULL;
		if (name && text_has_word(targets.text, name))
			label_add(&labels, name);
	}
	return labels.length ? arena_strdup(arena, labels.text) : NULL;
}

/* Labels belong to a whole function, so a function with several bodies would have each of them
 * several times. Compilers know labels of one block as an extension. */
static void c_declare(struct writer *writer, const char *labels)
{
	if (labels)
		strbuf_addf(writer->text, " __label__ %s; ", labels);
}

/* --- Bodies --- */

/* Begin a line that compilers call by this number. */
static void c_begin_line(struct writer *writer, size_t number)
{
	strbuf_addf(writer->text, "\n#line %zu\n", number);
}

static void c_add_variant(struct writer *writer, const struct variant *variant)
{
	c_begin_line(writer, writer_take_lines(writer, variant));
	strbuf_addf(writer->text, " case %zu: {", BLEND_FIRST + variant->candidate);
	c_declare(writer, variant->labels);
	strbuf_adds(writer->text, variant->text);
	strbuf_adds(writer->text, "\n} break;");
}

static void c_write(struct writer *writer, const struct host *host)
{
	const struct source *source = &writer->file->source;
	struct span all = span_of(host->open, host->close);
	strbuf_addf(writer->text, " switch (%s()) { default: {", writer->name);
	c_declare(writer, blend_labels(writer->blender->arena, writer->file, host, source, all));
	c_begin_line(writer, source->tokens[host->open].line);
	writer_copy_body(writer, host);
	strbuf_addf(writer->text, "\n} break; case %d: for (;;) %s(); case %d: __builtin_abort();",
		BLEND_HANG, writer->name, BLEND_FAIL);
	for (size_t i = 0; i < host->n; i++)
		c_add_variant(writer, &host->variants[i]);
	strbuf_adds(writer->text, "}");
	c_begin_line(writer, source->tokens[host->close].line);
}

#define C_FORM(of) \
	{.language = &(of), \
		.no_head = " constexpr consteval try ", \
		.no_body = " define undef co_await co_yield co_return ", \
		.fits = c_fits, \
		.begin = c_begin, \
		.write = c_write}

const struct blend_form blend_form_c = C_FORM(language_c);
const struct blend_form blend_form_cpp = C_FORM(language_cpp);
