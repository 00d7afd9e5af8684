#include "base/cancel.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int cancel_init(struct cancel *cancel, const struct cancel *parent, struct rondo_error *err)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_INTERNAL, "cannot make an eventfd");
	cancel->fd = fd;
	cancel->parent = parent;
	atomic_init(&cancel->reason, 0);
	return 0;
}

void cancel_release(struct cancel *cancel)
{
	close(cancel->fd);
	cancel->fd = -1;
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

int cancel_reason(const struct cancel *cancel)
{
	for (; cancel; cancel = cancel->parent) {
		int reason = atomic_load(&cancel->reason);
		if (reason)
			return reason;
	}
	return 0;
}

size_t cancel_poll(const struct cancel *cancel, struct pollfd fds[CANCEL_DEPTH])
{
	size_t n = 0;
	for (; cancel; cancel = cancel->parent) {
		assert(n < CANCEL_DEPTH);
		fds[n++] = (struct pollfd){.fd = cancel->fd, .events = POLLIN};
	}
	return n;
}

int cancel_error(const struct cancel *cancel, struct rondo_error *err)
{
	return error_set(err, RONDO_ERROR_CANCELLED, "stopped by %s", strsignal(cancel_reason(cancel)));
}
