/* What a compiler or an interpreter has made of a source may differ from it, and is what runs.
 * Nobody can read it in a review. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/guard/code.h"

static const struct magic {
	const char *bytes;
	size_t n;
	const char *what;
} magics[] = {
	{"\177ELF", 4, "a compiled program or library (ELF)"},
	{"\xca\xfe\xba\xbe", 4, "a compiled class (Java) or program (Mach-O)"},
	{"\xcf\xfa\xed\xfe", 4, "a compiled program (Mach-O)"},
	{"\0asm", 4, "a compiled module (WebAssembly)"},
	{"!<arch>\n", 8, "an archive of compiled objects"},
};

/* Names alone, where the bytes are any zip's or change from version to version. */
static const char *const suffixes[] = {"pyc", "pyo", "pyd", "so", "o", "a", "obj", "dll", "dylib",
	"exe", "class", "jar", "war", "node", "wasm", "whl", "egg", "rlib", "rmeta", "gch", "pch",
	"beam"};

/* Packed or pickled: they may be data, but not where code names them. */
static const struct magic packed[] = {
	{"PK\3\4", 4, "an archive (zip)"},
	{"\x1f\x8b", 2, "a packed file (gzip)"},
	{"BZh", 3, "a packed file (bzip2)"},
	{"\xfd"
	 "7zXZ",
		5, "a packed file (xz)"},
	{"\x80\x03", 2, "a pickle"},
	{"\x80\x04\x95", 3, "a pickle"},
	{"\x80\x05\x95", 3, "a pickle"},
};

/* Whether a string of the changed code ends in the file's name. */
static bool compiled_artefact_is_named(
	const struct inspection *inspection, const struct changed_file *file)
{
	const char *name = file_name(file->path), *text;
	size_t length = strlen(name), n;
	for (size_t i = 0; i < inspection->n; i++)
		for (uint32_t t = 0; t < inspection->after[i].tokens.n; t++)
			if (code_path(&inspection->after[i], t, &text, &n) && n >= length &&
				memcmp(text + n - length, name, length) == 0)
				return true;
	return false;
}

static const char *compiled_artefact_what_is_packed(
	const struct inspection *inspection, const struct changed_file *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(packed); i++)
		if (file->n_text >= packed[i].n && memcmp(file->text, packed[i].bytes, packed[i].n) == 0 &&
			compiled_artefact_is_named(inspection, file))
			return arena_printf(inspection->arena, "%s that code names", packed[i].what);
	return NULL;
}

static const char *compiled_artefact_what_it_is(const struct changed_file *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if (file->n_text >= magics[i].n && memcmp(file->text, magics[i].bytes, magics[i].n) == 0)
			return magics[i].what;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (strcmp(file_suffix(file->path), suffixes[i]) == 0)
			return "a compiled or packed artefact, by its name";
	return NULL;
}

static const char *compiled_artefact_fault(
	const struct inspection *inspection, const struct changed_file *file)
{
	bool same = file->old && file->text && file->n_old == file->n_text &&
		memcmp(file->old, file->text, file->n_old) == 0;
	const char *fault = file->text && !same ? compiled_artefact_what_it_is(file) : NULL;
	bool is_new = file->text && !file->old_mode;
	return !fault && is_new ? compiled_artefact_what_is_packed(inspection, file) : fault;
}

const struct guard_rule compiled_artefact_rule = {
	.name = "compiled-artefact",
	.summary = "a compiled or cached file runs in place of its source, and may differ from it",
	.fault = compiled_artefact_fault,
};
