/*
 * What it takes to ask for a number at run time, and to do by it. Nothing is included, so that
 * nothing clashes, and no function is called for it, in whose place tests may put one of their own.
 */
#include "repair/blend/blend.h"

#include "base/memory.h"

/* C and C++ are one: C++ knows labels of a block as an extension, too. */
static const struct blend_language languages_known[] = {
	{.suffixes = " c h cc cpp cxx hh hpp hxx ",
		.no_head = " constexpr consteval try ",
		.no_body = " define undef co_await co_yield co_return ",
		.top = "#ifdef __cplusplus\n"
			   "extern \"C\" {\n"
			   "extern char **environ;\n"
			   "}\n"
			   "#else\n"
			   "extern char **environ;\n"
			   "#endif\n"
			   "static int @(void)\n"
			   "{\n"
			   "	static volatile int chosen = -1;\n"
			   "	static const char name[] = \"?=\";\n"
			   "	char **variable;\n"
			   "	int number = 0, i;\n"
			   "	if (chosen >= 0)\n"
			   "		return chosen;\n"
			   "	for (variable = environ; variable && *variable; variable++) {\n"
			   "		for (i = 0; name[i] && name[i] == (*variable)[i]; i++)\n"
			   "			;\n"
			   "		if (name[i])\n"
			   "			continue;\n"
			   "		for (; (*variable)[i] >= '0' && (*variable)[i] <= '9'; i++)\n"
			   "			number = number * 10 + (*variable)[i] - '0';\n"
			   "	}\n"
			   "	chosen = number;\n"
			   "	return number;\n"
			   "}\n"
			   "#line 1\n",
		.line = "#line ~\n",
		.open = " switch (@()) { default: {",
		.hang = "} break; case 1: for (;;) @();",
		.variant = {" case ~: {", "} break;"},
		.close = "}",
		.label = " __label__ "},
};

const struct blend_language *blend_language_of(const char *path)
{
	const struct language *language = language_of(path);
	const char *suffix = strrchr(path, '.');
	for (size_t i = 0; language && suffix && i < ARRAY_SIZE(languages_known); i++)
		if (words_hold(languages_known[i].suffixes, suffix + 1, strlen(suffix + 1)))
			return &languages_known[i];
	return NULL;
}

bool blend_knows(const char *path)
{
	return blend_language_of(path);
}
