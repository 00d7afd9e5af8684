/* Several candidates in one text of Rust. */
#include "tests/unit/blend_fixture.h"

static const char program[] =
	"//! A program.\n"
	"#![allow(dead_code)]\n"
	"use std::fmt;\n"
	"\n"
	"struct Pair<T>(T, T);\n"
	"\n"
	"impl<T: Copy + Into<i64>> Pair<T> {\n"
	"    /// The sum, or what is too much.\n"
	"    pub fn sum(&self, (most, _): (i64, i64)) -> Result<i64, String> {\n"
	"        let sum = self.0.into() - self.1.into();\n"
	"        let checked = check(sum, most)?;\n"
	"        Ok(checked)\n"
	"    }\n"
	"}\n"
	"\n"
	"fn check(sum: i64, most: i64) -> Result<i64, String> {\n"
	"    if sum > most { return Err(format!(\"{}}}\", sum)) }\n"
	"    Ok(sum) // }\n"
	"}\n"
	"\n"
	"impl<T: Copy + Into<i64>> fmt::Display for Pair<T> {\n"
	"    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n"
	"        write!(f, \"{:?}\", self.sum((10, 0)))\n"
	"    }\n"
	"}\n"
	"\n"
	"fn longest<'a>(words: &[&'a str]) -> &'a str {\n"
	"    let mut best = \"\";\n"
	"    'each: for w in words {\n"
	"        if w.contains('x') { continue 'each; }\n"
	"        if w.len() > best.len() { best = w; }\n"
	"    }\n"
	"    best\n"
	"}\n"
	"\n"
	"fn main() {\n"
	"    println!(\"{} {}\", Pair(7i32, 4i32), longest(&[\"a\", \"xxx\", \"bb\"]));\n"
	"}\n";

#define BUILD(edition) \
	"mkdir src && mv main.rs src && " \
	"printf '[package]\\nname = \"program\"\\nedition = \"" edition "\"\\n[workspace]\\n' " \
	">Cargo.toml && cargo build -q --offline && mv target/debug/program ."

static void rust_needs(void)
{
	if (!is_there("cargo"))
		skip();
}

static void long_rust_does_as_it_is_told(void **state)
{
	(void)state;
	static const char *const builds[] = {BUILD("2015"), BUILD("2021")};
	static const char *const numbers[] = {"0", "1", "2", "3", "4", "5", "6", NULL};
	rust_needs();
	for (size_t i = 0; i < ARRAY_SIZE(builds); i++) {
		struct blending blending;
		begin(&blending, "main.rs", program);
		propose_change(&blending, "self.0.into() - self", "self.0.into() + self");
		propose_change(&blending, "continue 'each", "break 'each");
		propose_change(&blending, "sum > most", "sum < most");
		propose_change(&blending, "Ok(checked)", "return Ok(0)");
		assert_string_equal(build_and_choose(&blending, "main.rs", builds[i], numbers),
			"0: Ok(3) bb\n0\n"
			"1: 124\n"
			"2: 101\n"
			"3: Err(\"11}\") bb\n0\n"
			"4: Ok(3) a\n0\n"
			"5: Err(\"3}\") bb\n0\n"
			"6: Ok(0) bb\n0\n");
		end(&blending);
	}
}

/* A crate without the standard library has tests that have it. */
static void long_so_it_does_without_a_library(void **state)
{
	(void)state;
	struct blending blending;
	static const char *const numbers[] = {"0", "3", NULL};
	rust_needs();
	begin(&blending, "lib.rs",
		"#![no_std]\n#![deny(warnings)]\n#![forbid(unsafe_code)]\n\n"
		"pub const fn one() -> u8 { 1 }\n\n"
		"pub fn two() -> u8 {\n    one() + one()\n}\n");
	propose_change(&blending, "one() + one()", "one() * 7");
	assert_string_equal(build_and_choose(&blending, "lib.rs",
							"rustc --edition 2021 --crate-type lib --crate-name two lib.rs && "
							"printf 'fn main() { println!(\"{}\", two::two()); }' >main.rs && "
							"rustc --edition 2021 -o program main.rs --extern two=libtwo.rlib",
							numbers),
		"0: 2\n0\n3: 7\n0\n");
	end(&blending);
}

static void long_rust_blames(void **state)
{
	(void)state;
	struct blending blending;
	bool blamed[MOST] = {false};
	rust_needs();
	begin(&blending, "main.rs", program);
	propose_change(&blending, "self.0.into() - self", "self.2.into() - self");
	propose_change(&blending, "best = w", "best = nobody");
	propose_change(&blending, "Ok(sum)", "sum");
	propose_change(&blending, "Ok(sum)", "Ok(sum + 1)");
	propose_change(&blending, "let mut best", "let best");
	for (int round = 0; round < 3; round++) {
		const char *printed =
			build_and_choose(&blending, "main.rs", BUILD("2021"), (const char *const[]){NULL});
		blend_blame(&blending.blend, printed, blamed);
		memcpy(blending.without, blamed, sizeof blamed);
	}
	assert_true(blamed[0] && blamed[1] && blamed[2] && !blamed[3] && blamed[4]);
	end(&blending);
}

static void what_rust_cannot_choose_stays_out(void **state)
{
	(void)state;
#define ONE "fn f() -> u8 {\n    1\n}\n"
	assert_held("a.rs", ONE, "    1", "    2", true);
	assert_held("a.rs", "pub unsafe extern \"C\" " ONE, "    1", "    2", true);
	assert_held("a.rs", "const " ONE, "    1", "    2", false);
	assert_held("a.rs", "pub const unsafe " ONE, "    1", "    2", false);
	assert_held("a.rs", "fn f<const N: usize>() -> u8 {\n    1\n}\n", "    1", "    2", true);
	assert_held("a.rs", "fn f() -> impl Fn() -> u8 {\n    || 1\n}\n", "1", "2", false);
	assert_held("a.rs", "fn f(a: impl Copy) -> u8 {\n    1\n}\n", "    1", "    2", true);
	assert_held("a.rs", "macro_rules! m {\n() => {\n" ONE "}\n}\n", "    1", "    2", false);
	assert_held("a.rs", "cfg_if! {\n" ONE "}\n", "    1", "    2", false);
	assert_held("a.rs", "mod m {\nimpl T {\n" ONE "}\n}\n", "    1", "    2", true);
	assert_held("a.rs", ONE "static X: u8 = 3;\n", "3", "4", false);
}

static void any_rust_is_read(void **state)
{
	(void)state;
	blend_all_cuts("main.rs", program, "sum > most", "best = w");
}

UNIT(blend_rust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_rust_does_as_it_is_told),
		cmocka_unit_test(long_so_it_does_without_a_library),
		cmocka_unit_test(long_rust_blames),
		cmocka_unit_test(what_rust_cannot_choose_stays_out),
		cmocka_unit_test(any_rust_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
