/*
 * ROOM [NOUN [TEST]]: run the tests of one folder; those of test_NOUN.c alone; of these the test of
 * that name, in which * stands for anything. ROOM --list prints the nouns. Run it at the tree's
 * root. Tests whose names begin with long_ take seconds of the processor: TEST_LONG=1 runs them.
 */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* libgit2 1.5 forgets what PCRE2 gave it for each name of a configuration that does not match. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2";
}

/*
 * libgit2 1.5 locks an attribute file before its cache where it reads macros, and the cache first
 * where it frees both: the locks of one handle, which one thread has.
 */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
	return "deadlock:libgit2";
}

struct rlimit no_descriptors(void)
{
	struct rlimit usual, none;
	int next = dup(STDIN_FILENO);
	close(next);
	getrlimit(RLIMIT_NOFILE, &usual);
	none = usual;
	none.rlim_cur = (rlim_t)next;
	setrlimit(RLIMIT_NOFILE, &none);
	return usual;
}

static struct unit *units; /* by noun */

void unit_add(struct unit *unit)
{
	struct unit **at = &units;
	while (*at && strcmp((*at)->noun, unit->noun) < 0)
		at = &(*at)->next;
	unit->next = *at;
	*at = unit;
}

/* In a process of its own, since tests change directories, environments and signals. */
static bool unit_passes(const struct unit *unit)
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0)
		exit(unit->run() != 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static int unit_run_all(void)
{
	int failed = 0;
	for (const struct unit *unit = units; unit; unit = unit->next) {
		if (unit_passes(unit))
			continue;
		fprintf(stderr, "%s failed\n", unit->noun);
		failed = 1;
	}
	return failed;
}

static int unit_list(void)
{
	for (const struct unit *unit = units; unit; unit = unit->next)
		puts(unit->noun);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 4 && !getenv("TEST_LONG"))
		cmocka_set_skip_filter("long_*");
	if (argc == 1)
		return unit_run_all();
	if (strcmp(argv[1], "--list") == 0)
		return unit_list();
	if (argc > 2)
		cmocka_set_test_filter(argv[2]);
	for (const struct unit *unit = units; unit; unit = unit->next)
		if (strcmp(unit->noun, argv[1]) == 0)
			return unit->run() != 0;
	fprintf(stderr, "%s: no unit '%s'; --list names them\n", argv[0], argv[1]);
	return 2;
}
