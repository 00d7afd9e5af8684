/*
 * What copies in JavaScript and TypeScript call. Functions that are declared last are there from
 * the start. In the text, @W@ is the plan's word, @S@ what failures say; @A@, @T@ and @C@ are types
 * of TypeScript.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/script_text.h"

/* clang-format off */
static const char text[] =
	"\n"
	"function another_@W@(value@A@)@A@ {\n"
	"  if (typeof value === \"boolean\") return !value;\n"
	"  if (typeof value === \"number\" && Number.isFinite(2 * value))\n"
	"    return 2 * value + 1000003;\n"
	"  if (typeof value === \"bigint\") return value + value + BigInt(1000003);\n"
	"  if (typeof value === \"string\") return \"~@S@ \" + value + \" @S@~\";\n"
	"  if (Array.isArray(value)) return [...value, \"@S@\"];\n"
	"  const shape = value && Object.getPrototypeOf(value);\n"
	"  const isPlain = shape === null || shape === Object.prototype;\n"
	"  if (value && typeof value === \"object\" && isPlain)\n"
	"    return { ...value, [\"@S@\"]: 1 };\n"
	"  return \"@S@\";\n"
	"}\n"
	"\n"
	"function fail_@W@()@A@ {\n"
	"  throw new Error(\"counter-test @S@\");\n"
	"}\n"
	"\n"
	"function fails_after_@W@(value@A@)@A@ {\n"
	"  return value && typeof value.then === \"function\" ? value.then(fail_@W@) : fail_@W@();\n"
	"}\n"
	"\n"
	"function wrap_@W@(inner@A@, before@A@, after@A@)@A@ {\n"
	"  const isAsync = inner.constructor.name === \"AsyncFunction\";\n"
	"  const wait = async function (@T@...values@A@) {\n"
	"    before();\n"
	"    try {\n"
	"      return await inner.apply(this, values);\n"
	"    } finally {\n"
	"      after();\n"
	"    }\n"
	"  };\n"
	"  const call = function (@T@...values@A@) {\n"
	"    before();\n"
	"    try {\n"
	"      return inner.apply(this, values);\n"
	"    } finally {\n"
	"      after();\n"
	"    }\n"
	"  };\n"
	"  const outer = isAsync ? wait : call;\n"
	"  Object.defineProperty(outer, \"length\", { value: inner.length });\n"
	"  return outer;\n"
	"}\n"
	"\n"
	"function once_@W@()@A@ {\n"
	"  let isDone = false;\n"
	"  return () => {\n"
	"    if (isDone) return;\n"
	"    isDone = true;\n"
	"    fail_@W@();\n"
	"  };\n"
	"}\n"
	"\n"
	"function fails_first_@W@(inner@A@)@A@ {\n"
	"  return wrap_@W@(inner, once_@W@(), () => {});\n"
	"}\n"
	"\n"
	"function fails_last_@W@(inner@A@)@A@ {\n"
	"  return wrap_@W@(inner, () => {}, once_@W@());\n"
	"}\n"
	"\n"
	"function calls_@W@()@A@ {\n"
	"  const all = globalThis@C@;\n"
	"  all.calls_@W@ = all.calls_@W@ || [];\n"
	"  return all.calls_@W@;\n"
	"}\n"
	"\n"
	"function called_@W@(key@A@)@A@ {\n"
	"  return (inner@A@) => wrap_@W@(inner, () => calls_@W@().push(key), () => {});\n"
	"}\n"
	"\n"
	"function not_called_@W@(key@A@)@A@ {\n"
	"  if (calls_@W@().includes(key)) fail_@W@();\n"
	"}\n";
/* clang-format on */

const char *script_helpers(const struct counter_plan *plan, const struct language *language)
{
	bool has_types = language == &language_typescript;
	const struct {
		const char *mark, *is;
	} marks[] = {{"@W@", plan->word}, {"@S@", plan->said}, {"@A@", has_types ? ": any" : ""},
		{"@T@", has_types ? "this: any, " : ""}, {"@C@", has_types ? " as any" : ""}};
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (const char *at = text; *at;) {
		size_t skipped = 0;
		for (size_t i = 0; i < ARRAY_SIZE(marks) && !skipped; i++)
			if (text_starts_with(at, marks[i].mark)) {
				strbuf_adds(&sb, marks[i].is);
				skipped = strlen(marks[i].mark);
			}
		if (!skipped)
			strbuf_addc(&sb, *at);
		at += skipped ? skipped : 1;
	}
	return arena_strndup(plan->arena, sb.text, sb.length);
}
