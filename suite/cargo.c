/* `cargo test`, by its exit code. The registry is not asked. */
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/outcome.h"

static bool cargo_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
{
	(void)dir, (void)arena;
	if (!listing_has(paths, n, "Cargo.toml"))
		return false;
	suite->command = "cargo test";
	suite->origin = "Cargo.toml";
	return true;
}

static bool is_cargo_test(const char *const *words, size_t n)
{
	return n > 1 && command_is(words[0], "cargo") && strcmp(words[1], "test") == 0;
}

static bool cargo_runs(const char *command)
{
	return command_line_any(command, is_cargo_test);
}

const struct suite_type cargo_suite = {
	.name = "cargo",
	.summary = "cargo test: the exit code",
	.state_size = sizeof(struct outcome),
	.detect = cargo_detect,
	.runs = cargo_runs,
	.env = (const char *const[]){"CARGO_NET_OFFLINE=true", "CARGO_TERM_COLOR=never", NULL},
	.read_line = outcome_read_line,
	.finish = outcome_read_end,
	.tools = (const char *const[]){"cargo", "rustc", "rustdoc", "cc", "ld", NULL},
	.tests = (const char *const[]){"tests/", "benches/", NULL},
	.configuration = (const char *const[]){"Cargo.toml", "Cargo.lock", ".cargo/",
		"rust-toolchain", "rust-toolchain.toml", NULL},
};
