/* rondo init: a commented rondo.yaml, made of what was found in a repository. */
#include "base/file.h"
#include "base/memory.h"
#include "run/run.h"
#include "run/setup/setup.h"

/* The command that was found, or a line that shows where it goes. */
static void add_test(struct strbuf *sb, const struct site_facts *found)
{
	if (!found->command) {
		strbuf_adds(sb, "# No test command was found; name it here.\n# test: make check\n");
		return;
	}
	AUTO_JSON *json = json_object();
	json_add_string(json, "test", found->command);
	AUTO_FREE char *quoted = json_print(json_get(json, "test"));
	strbuf_addf(sb,
		"# The test command, a line for sh at the root of the repository (found %s).\ntest: %s\n",
		found->origin, quoted);
	for (size_t i = 0; i < found->also.n; i++)
		strbuf_addf(sb, "# also found: %s\n", found->also.items[i]);
}

static const char rest[] =
	"\n# Paths that a fix may not change, beside tests, the runner's configuration and CI files.\n"
	"# protect: [\"docs/**\", \"*.lock\"]\n"
	"\nworkspace:\n"
	"  # Uncommitted work: snapshot (work on it), head (leave it out) or refuse.\n"
	"  on_dirty: snapshot\n"
	"  # Ignored folders that the tests need, beside node_modules, .venv, venv and vendor.\n"
	"  # mount: [third_party]\n";

/* A line to take up, of what was found, or one that shows where it goes. */
static void add_setup(struct strbuf *sb, const char *root, struct arena *arena)
{
	struct setup_proposal *found;
	size_t n = setup_propose(root, arena, &found);
	AUTO_JSON *json = json_object();
	struct json *list = json_add_array(json, "setup");
	for (size_t i = 0; i < n; i++)
		json_add_string(list, NULL, found[i].command);
	AUTO_FREE char *all = json_print(n == 1 ? json_first(list) : list);
	strbuf_adds(sb,
		"\n# What installs what the tests need. It runs once, in the sandbox, with network, and "
		"only if\n# whoever runs rondo fix allows it (--allow-setup, or at the question).\n");
	strbuf_addf(sb, "# setup: %s\n", n ? all : "make generated");
}

int run_init(const char *path, const struct context *ctx, struct arena *arena,
	const char **ret_file, struct rondo_error *err)
{
	struct fix_options options = {.path = path, .dry_run = true};
	struct run_report report;
	struct rondo_error none;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	int status = run_fix(&options, ctx, arena, &report, &none);
	const struct site_facts *found = report.site;
	if (!found || !found->root) {
		*err = none;
		return status;
	}
	const char *file = arena_printf(arena, "%s/rondo.yaml", found->root);
	if (file_exists(file))
		return error_set(
			err, RONDO_ERROR_USAGE, "'%s' is there already; it is left as it is", file);
	strbuf_adds(&text,
		"# What rondo should know of this repository: rondo(1), rondo-scenario(5). Everything here "
		"may be left out.\n\n");
	add_test(&text, found);
	add_setup(&text, found->root, arena);
	strbuf_adds(&text, rest);
	*ret_file = file;
	return file_write(file, text.text, text.length, 0644, err);
}
