/* Build files that only name what comes with a change. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "verify/guard/guard.h"

static const char *const added[] = {"area.c", "src/deep.c", "src/deep.h", "notes.py"};

static void only_new_sources_may_be_named(void **state)
{
	(void)state;
	static const struct {
		const char *path, *old, *text;
		bool is_fine;
	} cases[] = {
		{"Makefile", "t: a.c\n\tcc -o t a.c\n", "t: a.c area.c\n\tcc -o t a.c area.c\n", true},
		{"Makefile", "OBJ = a.o\n", "OBJ = a.o area.o\n", true},
		{"Makefile", "OBJ = a.o\n", "OBJ = a.o \\\n\tarea.o\n", true},
		{"Makefile", "OBJ = a.o b.o\n", "OBJ = a.o \\\n  area.o \\\n  b.o\n", true},
		{"src/Makefile", "OBJ = a.o\n", "OBJ = a.o deep.o\n", true},
		{"CMakeLists.txt", "add_library(x a.c)\n", "add_library(x a.c src/deep.c)\n", true},
		{"meson.build", "library('x', 'a.c')\n", "library('x', 'a.c', 'area.c')\n", true},
		{"Makefile", "t: a.c\n", "t: a.c other.c\n", false},
		{"Makefile", "t: a.c\n", "t: a.c notes.py\n", false},
		{"Makefile", "t: a.c b.c\n", "t: area.c b.c\n", false},
		{"Makefile", "t: a.c b.c\n", "t: b.c a.c\n", false},
		{"Makefile", "t: a.c\n\t./t\n", "t: a.c\n\t./t\n\t./area.c\n", false},
		{"Makefile", "\tcc a.c -o t && ./t\n", "\tcc a.c area.c -o t && ./t\n", true},
		{"Makefile", "O = $(X) b.o\n", "O = area.o $(X) b.o\n", true},
		{"CMakeLists.txt", "add_library(x b.c)\n", "add_library(x area.c b.c)\n", true},
		{"Makefile", "\t./t\n", "\tarea.c ./t\n", false},
		{"Makefile", "\tenv ./t\n", "\tenv area.c ./t\n", false},
		{"Makefile", "\tcc a.c -o t && ./t\n", "\tcc a.c -o t && area.c ./t\n", false},
		{"Makefile", "\tcc a.c -o t&& ./t\n", "\tcc a.c -o t&& area.c ./t\n", false},
		{"Makefile", "\tcc a.c -o t | ./t\n", "\tcc a.c -o t | area.c ./t\n", false},
		{"Makefile", "\tcc a.c $(shell ./t)\n", "\tcc a.c $(shell area.c ./t)\n", false},
		{"Makefile", "t: a.c; ./t\n", "t: a.c; area.c ./t\n", false},
		{"Makefile", "RUN = ./t\n", "RUN = area.c ./t\n", false},
		{"CMakeLists.txt", "add_test(NAME t COMMAND t)\n", "add_test(NAME t COMMAND area.c t)\n",
			false},
		{"Makefile.am", "TESTS = t\n", "TESTS = t area.c\n", false},
		{"Makefile", "t: a.c\n\t./t\n", "t: a.c area.c ./t\n", false},
		{"Makefile", "\t./t\n", "./t area.c\n", false},
		{"Makefile", "t: a.c\n", "t: a.c; area.c\n", false},
		{"Makefile", "t: a.c\n", "t: a.c # area.c\n", false},
		{"Makefile", "OBJ = a.o\n", "OBJ = a.o deep.o\n", false},
		{"CMakeLists.txt", "add_library(x a.c)\n", "add_library(x a.c, 'area.c')\n", false},
		{"run.sh", "cc a.c\n", "cc a.c area.c\n", false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool is_fine = build_file_only_names(
			cases[i].path, cases[i].old, cases[i].text, added, ARRAY_SIZE(added));
		if (is_fine != cases[i].is_fine)
			print_error("%s: %s", cases[i].path, cases[i].text);
		assert_int_equal(is_fine, cases[i].is_fine);
	}
}

UNIT(named_source)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_new_sources_may_be_named),
	};
	return RUN_TESTS(tests);
}
