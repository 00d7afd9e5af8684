/* Walks below a directory, and links in it: nothing leads out. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"

static char top[TOP_SIZE];
static int root = -1;

/* tree/ with directories and links, and outside/ beside it. */
static int set_up(void **state)
{
	struct rondo_error err;
	(void)state;
	if (!make_top(top) || chdir(top) < 0)
		return -1;
	file_make_dir("tree/a/b", 0755, &err);
	file_make_dir("outside/x", 0755, &err);
	file_write("outside/secret", "secret", 6, 0644, &err);
	file_write("tree/a/file", "own", 3, 0644, &err);
	root = open("tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return symlink("../outside", "tree/out") | symlink("a", "tree/in") |
		symlink("file", "tree/a/link");
}

static int tear_down(void **state)
{
	struct rondo_error err;
	(void)state;
	close(root);
	return chdir("/") < 0 ? -1 : file_remove_tree(top, &err);
}

static void assert_opens(const char *path, int expected)
{
	AUTO_CLOSE fd = beneath_open(root, path, O_RDONLY);
	if (expected ? fd >= 0 || errno != expected : fd < 0)
		fail_msg("'%s': %s", path, fd < 0 ? strerror(errno) : "is opened");
}

static void names_are_opened_and_nothing_else(void **state)
{
	(void)state;
	static const char *const good[] = {"a", "a/b", "a/b/", "a/file", "a//file", "./a/./file", "."};
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_opens(good[i], 0);
	assert_opens("out", ELOOP);
	assert_opens("out/secret", ENOTDIR);
	assert_opens("in/file", ENOTDIR);
	assert_opens("a/link", ELOOP);
	assert_opens("a/none", ENOENT);
	assert_opens("..", EXDEV);
	assert_opens("a/../a/file", EXDEV);
	assert_opens("a/..", EXDEV);
	assert_opens("/etc/passwd", EXDEV);
}

static void directories_are_made_where_they_are_missing(void **state)
{
	(void)state;
	struct beneath_dirs dirs = {.mode = 0750, .exact_mode = true};
	struct stat st;
	AUTO_CLOSE parent = beneath_make_parent(root, "a/new/er/file", &dirs);
	assert_true(parent >= 0);
	assert_int_equal(dirs.made, strlen("a/new"));
	assert_int_equal(stat("tree/a/new/er", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0750);
	AUTO_CLOSE out = beneath_make_parent(root, "out/new/file", &dirs);
	assert_int_equal(out, -1);
	AUTO_CLOSE up = beneath_make_parent(root, "a/../../outside/new/file", &dirs);
	assert_int_equal(up, -1);
	assert_false(file_exists("outside/new"));
}

static void targets_are_judged_as_text(void **state)
{
	(void)state;
	static const char out[] = "leads out of the tree",
					  climbs[] = "goes up after a name, which may be a link itself";
	static const struct {
		const char *path, *target, *fault;
	} cases[] = {
		{"x", "a", NULL},
		{"x", "a/b", NULL},
		{"x", "./a/.//b/", NULL},
		{"x", "..a/b..", NULL},
		{"d/x", "..", NULL},
		{"d/x", "../a", NULL},
		{"d/e/x", "./.././../a", NULL},
		{"x", ".", NULL},
		{"x", "", out},
		{"x", "/etc", out},
		{"x", "..", out},
		{"x", "../tree/a", out},
		{"d/x", "../..", out},
		{"d/x", "../../d", out},
		{"x", "a/../..", out},
		{"d/x", "a/../../../b", out},
		/* where a is a link to "..", which stays in a tree, the second one does not */
		{"x", "a/..", climbs},
		{"x", "a/../b", climbs},
		{"d/x", "../a/b/../c", climbs},
		{"x", "a/../b/..", climbs},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *fault = beneath_link_fault(cases[i].path, cases[i].target);
		if (fault != cases[i].fault &&
			(!fault || !cases[i].fault || strcmp(fault, cases[i].fault) != 0))
			fail_msg("%s -> %s: %s", cases[i].path, cases[i].target, fault ? fault : "stays");
	}
}

/* Whatever links of these there are: those without a fault stay, also one by way of the other. */
static void links_without_a_fault_stay_together(void **state)
{
	(void)state;
	static const char *const names[] = {"l", "d/l", "d/e/l"};
	static const char *const parts[] = {"..", "l", "d", "e", "x"};
	enum { TARGETS = 5 * 5 * 5 };
	char targets[TARGETS][16];
	struct rondo_error err;
	assert_int_equal(file_make_dir("tree/d/e", 0755, &err), 0);
	for (size_t i = 0; i < TARGETS; i++)
		snprintf(targets[i], sizeof targets[i], "%s/%s/%s", parts[i / 25], parts[i / 5 % 5],
			parts[i % 5]);
	int checked = 0;
	for (size_t i = 0; i < TARGETS; i++)
		for (size_t j = 0; j < TARGETS; j++)
			for (size_t k = 1; k < ARRAY_SIZE(names); k++) {
				if (beneath_link_fault(names[0], targets[i]) ||
					beneath_link_fault(names[k], targets[j]))
					continue;
				assert_int_equal(symlinkat(targets[i], root, names[0]), 0);
				assert_int_equal(symlinkat(targets[j], root, names[k]), 0);
				if (beneath_leads_out(root, names[0]) || beneath_leads_out(root, names[k]))
					fail_msg("%s -> %s, %s -> %s", names[0], targets[i], names[k], targets[j]);
				unlinkat(root, names[0], 0);
				unlinkat(root, names[k], 0);
				checked++;
			}
	assert_true(checked > 1000);
}

static void link_is_followed_as_far_as_it_leads(void **state)
{
	(void)state;
	assert_int_equal(symlinkat("out/secret", root, "by-way"), 0);
	assert_int_equal(symlinkat("by-way", root, "by-two-ways"), 0);
	assert_int_equal(symlinkat("loop", root, "loop"), 0);
	assert_int_equal(symlinkat("none/at/all", root, "nowhere"), 0);
	static const char *const out[] = {"out", "by-way", "by-two-ways", "out/none", "a/../.."};
	static const char *const in[] = {"in", "a/link", "loop", "nowhere", "none", "a"};
	for (size_t i = 0; i < ARRAY_SIZE(out); i++)
		if (!beneath_leads_out(root, out[i]))
			fail_msg("'%s' stays", out[i]);
	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		if (beneath_leads_out(root, in[i]))
			fail_msg("'%s' leads out", in[i]);
}

UNIT(beneath)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_are_opened_and_nothing_else, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			directories_are_made_where_they_are_missing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(targets_are_judged_as_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(links_without_a_fault_stay_together, set_up, tear_down),
		cmocka_unit_test_setup_teardown(link_is_followed_as_far_as_it_leads, set_up, tear_down),
	};
	return RUN_TESTS(tests);
}
