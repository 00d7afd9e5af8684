#include "base/cancel.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"

static int start_timer(int64_t timeout_ms)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	struct itimerspec when = {.it_value = {timeout_ms / 1000, timeout_ms % 1000 * 1000000}};
	if (fd >= 0)
		timerfd_settime(fd, 0, &when, NULL);
	return fd;
}

int cancel_init(
	struct cancel *cancel, const struct cancel *parent, int64_t timeout_ms, struct rondo_error *err)
{
	/* Before the timer is set: when that fires, the deadline has passed. */
	int64_t deadline_ms = timeout_ms > 0 ? clock_now_ms() + timeout_ms : 0;
	int timer = timeout_ms > 0 ? start_timer(timeout_ms) : -1;
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0 || (timeout_ms > 0 && timer < 0)) {
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make an eventfd");
		if (timer >= 0)
			close(timer);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	cancel->fd = fd;
	cancel->timer = timer;
	cancel->deadline_ms = deadline_ms;
	cancel->parent = parent;
	atomic_init(&cancel->reason, 0);
	return 0;
}

void cancel_release(struct cancel *cancel)
{
	close(cancel->fd);
	if (cancel->timer >= 0)
		close(cancel->timer);
	cancel->fd = cancel->timer = -1;
}

void cancel_fire(struct cancel *cancel, int reason)
{
	int none = 0, saved = errno;
	if (atomic_compare_exchange_strong(&cancel->reason, &none, reason)) {
		uint64_t one = 1;
		ssize_t written = write(cancel->fd, &one, sizeof one);
		(void)written; /* an eventfd takes the first write always */
	}
	errno = saved;
}

void cancel_clear(struct cancel *cancel)
{
	uint64_t fired;
	struct pollfd written = {.fd = cancel->fd, .events = POLLIN};
	if (!atomic_load(&cancel->reason))
		return;
	while (poll(&written, 1, -1) < 0) /* whoever fired it may not have written yet */
		;
	ssize_t n = read(cancel->fd, &fired, sizeof fired);
	(void)n;
	atomic_store(&cancel->reason, 0);
}

int cancel_reason(const struct cancel *cancel)
{
	for (; cancel; cancel = cancel->parent) {
		int reason = atomic_load(&cancel->reason);
		if (reason)
			return reason;
		if (cancel->deadline_ms && clock_now_ms() >= cancel->deadline_ms)
			return SIGALRM;
	}
	return 0;
}

int64_t cancel_deadline(const struct cancel *cancel)
{
	int64_t earliest_ms = 0;
	for (; cancel; cancel = cancel->parent)
		if (cancel->deadline_ms && (!earliest_ms || cancel->deadline_ms < earliest_ms))
			earliest_ms = cancel->deadline_ms;
	return earliest_ms;
}

size_t cancel_poll(const struct cancel *cancel, struct pollfd fds[CANCEL_FDS])
{
	size_t n = 0;
	for (; cancel; cancel = cancel->parent) {
		assert(n + 2 <= CANCEL_FDS);
		fds[n++] = (struct pollfd){.fd = cancel->fd, .events = POLLIN};
		if (cancel->timer >= 0)
			fds[n++] = (struct pollfd){.fd = cancel->timer, .events = POLLIN};
	}
	return n;
}

int cancel_error(const struct cancel *cancel, struct rondo_error *err)
{
	int reason = cancel_reason(cancel);
	if (reason == SIGALRM)
		return error_set(err, RONDO_ERROR_CANCELLED, "the time limit of the run is over");
	return error_set(err, RONDO_ERROR_CANCELLED, "stopped by SIG%s",
		sigabbrev_np(reason) ? sigabbrev_np(reason) : "?");
}
