/*
 * Real repositories for the tests of worktree/, made with the git program in a directory of their
 * own, with a home of their own, so that nobody's configuration counts.
 */
#pragma once
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/worktree.h"

struct fixture {
	char dir[TOP_SIZE]; /* everything of one test; the working directory of sh() is repo/ in it */
	struct arena arena;
	struct rondo_error err;
	unsigned n_privates;
};

/* What a command prints, without the last newline; it must succeed. */
__attribute__((format(printf, 2, 3), unused)) static const char *sh(
	struct fixture *f, const char *format, ...)
{
	va_list args;
	char *command = NULL;
	AUTO_STRBUF whole = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_TEXT);
	va_start(args, format);
	assert_true(vasprintf(&command, format, args) >= 0);
	va_end(args);
	strbuf_addf(&whole, "set -e; cd '%s'; [ -d repo ] || mkdir repo; cd repo; %s", f->dir, command);
	free(command);
	FILE *pipe = popen(whole.text, "r");
	assert_non_null(pipe);
	char bytes[4096];
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
		strbuf_add(&output, bytes, n);
	int status = pclose(pipe);
	if (status != 0)
		fail_msg("'%s' ended with status %d: %s", whole.text, status, output.text);
	if (text_ends_with(output.text, "\n"))
		strbuf_truncate(&output, output.length - 1);
	return arena_strdup(&f->arena, output.text);
}

__attribute__((unused)) static const char *at(struct fixture *f, const char *path)
{
	return arena_printf(&f->arena, "%s/%s", f->dir, path);
}

__attribute__((unused)) static const char *content(struct fixture *f, const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (file_read(at(f, path), STRBUF_TEXT, &text, &f->err) < 0)
		return NULL;
	return arena_strdup(&f->arena, text.text);
}

/* A fresh private directory. */
__attribute__((unused)) static const char *private_dir(struct fixture *f)
{
	return arena_printf(&f->arena, "%s/private-%u", f->dir, f->n_privates++);
}

static inline void must(struct fixture *f, int result)
{
	if (result < 0)
		fail_msg("%s [%s]", f->err.message, f->err.help);
}

__attribute__((unused)) static struct repository *open_repo(struct fixture *f, const char *path)
{
	struct repository *repository = NULL;
	must(f, repository_open(at(f, path), private_dir(f), &repository, &f->err));
	return repository;
}

__attribute__((unused)) static struct base base_of(
	struct fixture *f, struct repository *repository, enum base_mode mode)
{
	struct base base;
	must(f, repository_base(repository, mode, &f->arena, &base, &f->err));
	return base;
}

__attribute__((unused)) static struct worktree *checkout_of(
	struct fixture *f, struct repository *repository, const struct object *tree, const char *path)
{
	struct worktree *worktree = NULL;
	must(f, worktree_new(repository, tree, at(f, path), &worktree, &f->err));
	return worktree;
}

struct scanned {
	struct object tree;
	const char **refused;
	size_t n;
};

__attribute__((unused)) static struct scanned scan_of(struct fixture *f, struct worktree *worktree)
{
	struct scanned s;
	must(f, worktree_tree(worktree, NULL, 0, &f->arena, &s.tree, &s.refused, &s.n, &f->err));
	return s;
}

__attribute__((unused)) static bool mentions(const char *const *lines, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(lines[i], text))
			return true;
	return false;
}

/* The paths of a tree on one line. */
__attribute__((unused)) static const char *paths_of(
	struct fixture *f, struct repository *repository, const struct object *tree)
{
	const char **paths = NULL;
	size_t n = 0;
	must(f, repository_list(repository, tree, &f->arena, &paths, &n, &f->err));
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&all, "%s%s", i ? " " : "", paths[i]);
	return arena_strdup(&f->arena, all.text);
}

__attribute__((unused)) static const char *file_of(
	struct fixture *f, struct repository *repository, const struct object *tree, const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	must(f, repository_file(repository, tree, path, &text, &f->err));
	return arena_strdup(&f->arena, text.text);
}

/* An edit that gives one file a new text. */
__attribute__((unused)) static struct edit edit_of(
	struct fixture *f, const char *path, const char *text)
{
	struct file_edit *file = arena_alloc(&f->arena, sizeof *file);
	*file = (struct file_edit){.path = path, .content = text, .remove = !text};
	return (struct edit){.files = file, .n = 1};
}

__attribute__((unused)) static void commit_two_files(struct fixture *f)
{
	sh(f,
		"mkdir -p src; echo one >a.txt; echo two >src/b.txt; git add .; git commit -qm "
		"first");
}

static int fixture_start(void **state)
{
	struct fixture *f = memory_alloc(sizeof *f);
	assert_non_null(make_top(f->dir));
	*state = f;
	sh(f,
		"git init -q -b main .; "
		"printf '[user]\\n\\tname = Ann\\n\\temail = ann@example.org\\n[maintenance]\\n\\tauto = "
		"false\\n' "
		">>.git/config");
	return 0;
}

static int fixture_end(void **state)
{
	struct fixture *f = *state;
	must(f, file_remove_tree(f->dir, &f->err));
	arena_release(&f->arena);
	free(f);
	return 0;
}

static char fixture_home_dir[TOP_SIZE];

static void fixture_remove_home(void)
{
	struct rondo_error err;
	file_remove_tree(fixture_home_dir, &err);
}

/* Before the library starts, because it looks for the home only then. */
static inline void fixture_home(void)
{
	if (!make_top(fixture_home_dir))
		abort();
	atexit(fixture_remove_home);
	setenv("HOME", fixture_home_dir, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	unsetenv("GIT_CONFIG_GLOBAL");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("GIT_DIR");
}

#define FIXTURE_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_start, fixture_end)
