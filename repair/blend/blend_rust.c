/*
 * The bodies that a function may have in Rust: arms of a match, which is all that its body is. A
 * function within it asks for the number, so that no path needs to be known; it brings the standard
 * library along, which not every crate has. Lines are the text's, since nothing numbers them.
 */
#include <string.h>

#include "repair/blend/blend.h"

/* Without `use`, whose paths begin elsewhere in older editions. */
#define CHOICE \
	" #[allow(warnings)] fn %s() -> usize { extern crate std as rondo_std;" \
	" static CHOSEN: rondo_std::sync::atomic::AtomicUsize =" \
	" rondo_std::sync::atomic::AtomicUsize::new(!0);" \
	" let chosen = CHOSEN.load(rondo_std::sync::atomic::Ordering::Relaxed);" \
	" if chosen != !0 { return chosen; }" \
	" let chosen = rondo_std::env::var(\"%s\").map_or(0, |n| n.parse().unwrap_or(0));" \
	" if chosen == %d { return rondo_std::option::Option::None.unwrap(); }" \
	" CHOSEN.store(chosen, rondo_std::sync::atomic::Ordering::Relaxed); chosen }"

/* Whether a bracket holds what a macro is given, or its rules: "name!{", "macro_rules! name {". */
static bool rust_is_macro(const struct source *source, uint32_t open)
{
	if (!open)
		return false;
	uint32_t i = is_name(source, open - 1) && open > 1 ? open - 2 : open - 1;
	return token_is(source, i, "!") || token_is(source, i, "$");
}

/* Not what is worked out when it is compiled, nor what gives a type that only one body has. */
static bool rust_fits(const struct source *source, const struct definition *function, uint32_t open)
{
	uint32_t i = function->first, around = source->tokens[open].around;
	while (i &&
		(token_in(source, i - 1, " async unsafe extern ") ||
			source->tokens[i - 1].kind == TOKEN_STRING))
		i--;
	if (!token_is(source, function->first, "fn") || (i && token_is(source, i - 1, "const")) ||
		function->open == NO_TOKEN)
		return false;
	for (i = source->tokens[function->open].match; i < open; i++)
		if (token_is(source, i, "impl"))
			return false;
	for (; around != NO_TOKEN; around = source->tokens[around].around)
		if (rust_is_macro(source, around))
			return false;
	return true;
}

static void rust_add_variant(struct writer *writer, const struct variant *variant)
{
	strbuf_addf(writer->text, "\n%zu => {", BLEND_FIRST + variant->candidate);
	size_t first = writer_line(writer);
	strbuf_addf(writer->text, "%s\n}", variant->text);
	writer_note_lines(writer, variant, first, writer_line(writer) + 1);
}

static void rust_write(struct writer *writer, const struct host *host)
{
	strbuf_addf(writer->text, CHOICE, writer->name, writer->blender->variable, BLEND_FAIL);
	strbuf_addf(writer->text, " match %s() {\n%d => loop {}", writer->name, BLEND_HANG);
	for (size_t i = 0; i < host->n; i++)
		rust_add_variant(writer, &host->variants[i]);
	strbuf_adds(writer->text, "\n_ => {");
	writer_copy_body(writer, host);
	strbuf_adds(writer->text, "\n}}");
}

const struct blend_form blend_form_rust = {
	.language = &language_rust,
	.no_body = " $ ",
	.fits = rust_fits,
	.write = rust_write,
};
