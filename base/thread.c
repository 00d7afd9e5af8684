#include "base/thread.h"

#include <sched.h>
#include <signal.h>

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

size_t thread_cores(void)
{
	cpu_set_t cpus;
	return sched_getaffinity(0, sizeof cpus, &cpus) < 0 ? 1 : (size_t)CPU_COUNT(&cpus);
}
