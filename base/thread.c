#include "base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "base/memory.h"

int thread_start(pthread_t *ret_thread, void *(*work)(void *owner), void *owner)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
	sigset_t others, before;
	sigfillset(&others);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&others, faults[i]);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	int error = pthread_create(ret_thread, NULL, work, owner);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

void thread_each(void *(*work)(void *item), void *items, size_t n, size_t size)
{
	AUTO_FREE pthread_t *threads = memory_alloc((n + 1) * sizeof *threads);
	size_t n_started = 1;
	while (n_started < n &&
		thread_start(&threads[n_started], work, (char *)items + n_started * size) == 0)
		n_started++;
	if (n)
		work(items);
	for (size_t i = n_started; i < n; i++)
		work((char *)items + i * size);
	for (size_t i = 1; i < n_started; i++)
		pthread_join(threads[i], NULL);
}

size_t thread_cores(void)
{
	cpu_set_t cpus;
	const char *wanted = getenv("RONDO_CORES");
	if (wanted && atoi(wanted) > 0)
		return (size_t)atoi(wanted);
	return sched_getaffinity(0, sizeof cpus, &cpus) < 0 ? 1 : (size_t)CPU_COUNT(&cpus);
}

double thread_load(void)
{
	double n_running;
	return getloadavg(&n_running, 1) < 1 ? 0 : n_running / (double)thread_cores();
}
