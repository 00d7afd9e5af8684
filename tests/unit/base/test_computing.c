/* What processes below this one do. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/computing.h"

#define LONGEST_MS 30000

static void *compute(void *unused)
{
	for (volatile unsigned i = 0;; i++)
		;
	return unused;
}

/* A child's child that computes until it is killed, under a name: in its first
 * thread, or in another one. The child tells its pid. */
static pid_t start(const char *name, bool in_thread, int *ret_pipe)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pid_t own = fork();
		if (own == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			prctl(PR_SET_NAME, name);
			pthread_t thread;
			if (!in_thread)
				compute(NULL);
			if (pthread_create(&thread, NULL, compute, NULL) == 0)
				pthread_join(thread, NULL);
			_exit(1);
		}
		if (write(ends[1], &own, sizeof own) == sizeof own)
			waitpid(own, NULL, 0);
		_exit(0);
	}
	close(ends[1]);
	*ret_pipe = ends[0];
	return pid;
}

static void check_seen(bool in_thread)
{
	static const char *const none[] = {NULL}, *const cc1[] = {"cc1", "compile (x", NULL},
							 *const cc[] = {"cc", NULL}, *const unit[] = {"tests/unit/", NULL};
	static const struct process_names named = {cc1, none}, said = {none, unit}, others = {cc, cc1};
	int fd;
	pid_t own, pid = start("compile (x", in_thread, &fd);
	assert_int_equal(read(fd, &own, sizeof own), sizeof own);
	int64_t start_ms = clock_now_ms(), computed_ms = 0;
	while (!(computed_ms = process_computing_ms(&others)))
		assert_true(clock_now_ms() - start_ms < LONGEST_MS);
	assert_true(computed_ms <= clock_now_ms() - start_ms + 1000);
	assert_int_equal(process_computing_ms(&named), 0);
	assert_int_equal(process_computing_ms(&said), 0);
	kill(own, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(process_computing_ms(&others), 0);
	close(fd);
}

static void what_computes_below_is_seen(void **state)
{
	(void)state;
	check_seen(false);
}

static void what_computes_in_a_thread_is_seen(void **state)
{
	(void)state;
	check_seen(true);
}

UNIT(computing)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_computes_below_is_seen),
		cmocka_unit_test(what_computes_in_a_thread_is_seen),
	};
	return RUN_TESTS(tests);
}
