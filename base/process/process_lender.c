/*
 * A standby and a keeper that need no copy of rondo's memory, which takes half a millisecond, and
 * many in a large process, whose pages are then copied one by one as it writes to them. They run
 * on a thread's stack and with its errno; it does nothing else until they are gone. Each of the two
 * waits likewise while the next one runs, so never do two write to errno at once.
 */
#include "base/process/process_lender.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/raw.h"

#define STANDBY_STACK (PROCESS_KEEPER_STACK + (1 << 18))
#define LENDER_STACK (STANDBY_STACK + (1 << 18))

struct process_lender {
	const struct process_options *options;
	int in, out, channel;
	struct process_lives lives;
	pthread_t thread;
	sem_t begun;
	pid_t standby; /* -1: there is none, because of `error` */
	int error;
};

static int process_lender_keep(void *owner)
{
	struct process_lender *lender = owner;
	process_keep(lender->options, lender->in, lender->out, lender->channel, &lender->lives);
}

/* The kernel clears a number and wakes us when its process has left this memory. */
static void process_lender_await(const volatile pid_t *life)
{
	for (pid_t pid; (pid = *life);)
		syscall(SYS_futex, life, FUTEX_WAIT, pid, NULL, NULL, 0);
}

static void *process_lender_lend(void *owner)
{
	struct process_lender *lender = owner;
	_Alignas(16) char stack[STANDBY_STACK];
	pid_t *life = &lender->lives.standby;
	lender->standby = raw_clone(process_lender_keep, stack + sizeof stack,
		RAW_IN_PLACE | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, lender, life, NULL,
		life);
	if (lender->standby < 0)
		lender->error = errno;
	sem_post(&lender->begun);
	process_lender_await(&lender->lives.standby);
	process_lender_await(&lender->lives.keeper);
	process_lender_await(&lender->lives.program);
	return NULL;
}

/* Signals go to other threads. */
static int process_lender_start_thread(struct process_lender *lender)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, LENDER_STACK);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&lender->thread, &attributes, process_lender_lend, lender);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

struct process_lender *process_lender_new(
	const struct process_options *options, int in, int out, int channel)
{
	struct process_lender *lender = memory_alloc(sizeof *lender);
	*lender = (struct process_lender){
		.options = options, .in = in, .out = out, .channel = channel, .standby = -1};
	sem_init(&lender->begun, 0, 0);
	lender->error = process_lender_start_thread(lender);
	if (!lender->error) {
		while (sem_wait(&lender->begun) < 0 && errno == EINTR)
			;
		if (lender->standby >= 0)
			return lender;
		pthread_join(lender->thread, NULL);
	}
	errno = lender->error;
	sem_destroy(&lender->begun);
	free(lender);
	return NULL;
}

pid_t process_lender_standby(const struct process_lender *lender)
{
	return lender->standby;
}

void process_lender_free(struct process_lender *lender)
{
	if (!lender)
		return;
	pthread_join(lender->thread, NULL);
	sem_destroy(&lender->begun);
	free(lender);
}
