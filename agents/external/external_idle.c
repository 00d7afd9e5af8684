/* A thread that fires a token where nothing was heard of a program for too long. */
#include <signal.h>

#include "agents/external/external.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"

struct external_idle {
	int64_t limit_ms;
	const struct external_box *box;
	_Atomic int64_t heard_ms;
	struct cancel cancel, ended;
	pthread_t thread;
	bool has_thread;
	atomic_bool fired;
};

static int64_t idle_left_ms(struct external_idle *idle)
{
	int64_t heard_ms = atomic_load(&idle->heard_ms);
	int64_t judged_ms = external_verdicts_heard_ms(idle->box->verdicts);
	return (judged_ms > heard_ms ? judged_ms : heard_ms) + idle->limit_ms - clock_now_ms();
}

static void *idle_watch(void *owner)
{
	struct external_idle *idle = owner;
	struct external_relay *relay = idle->box->relay;
	struct pollfd fds[1 + CANCEL_FDS] = {{.fd = external_relay_fd(relay), .events = POLLIN}};
	while (!cancel_reason(&idle->ended)) {
		int64_t left_ms = idle_left_ms(idle);
		if (left_ms <= 0) {
			atomic_store(&idle->fired, true);
			cancel_fire(&idle->cancel, SIGALRM);
			return NULL;
		}
		size_t n = 1 + cancel_poll(&idle->ended, fds + 1);
		if (poll(fds, n, left_ms > 1 << 30 ? 1 << 30 : (int)left_ms) > 0 && fds[0].revents &&
			external_relay_collect(relay))
			external_idle_hear(idle);
	}
	return NULL;
}

int external_idle_begin(int64_t limit_ms, const struct external_box *box,
	const struct cancel *parent, struct external_idle **ret_idle, struct rondo_error *err)
{
	struct external_idle *idle = memory_alloc(sizeof *idle);
	idle->limit_ms = limit_ms ? limit_ms : INT64_MAX / 2;
	idle->box = box;
	atomic_store(&idle->heard_ms, clock_now_ms());
	if (cancel_init(&idle->cancel, parent, 0, err) < 0) {
		free(idle);
		return -1;
	}
	if (cancel_init(&idle->ended, NULL, 0, err) < 0) {
		cancel_release(&idle->cancel);
		free(idle);
		return -1;
	}
	idle->has_thread =
		(limit_ms || box->relay) && thread_start(&idle->thread, idle_watch, idle) == 0;
	*ret_idle = idle;
	return 0;
}

const struct cancel *external_idle_cancel(const struct external_idle *idle)
{
	return &idle->cancel;
}

void external_idle_hear(struct external_idle *idle)
{
	atomic_store(&idle->heard_ms, clock_now_ms());
}

bool external_idle_end(struct external_idle *idle)
{
	cancel_fire(&idle->ended, SIGTERM);
	if (idle->has_thread)
		pthread_join(idle->thread, NULL);
	bool fired = atomic_load(&idle->fired);
	cancel_release(&idle->cancel);
	cancel_release(&idle->ended);
	free(idle);
	return fired;
}
