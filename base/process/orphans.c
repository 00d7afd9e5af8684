#include "base/process/orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rounds of a millisecond or more. A namespace of a thousand busy processes takes seconds to die,
 * and a minute where the machine must first be given each page of memory that they touch. */
enum { PATIENCE = 2000, PATIENCE_WITH_THE_DYING = 60000 };

/* Kill the direct children that the kernel lists; their children come to us next. Whether one may
 * be killed. */
static bool kill_children(void)
{
	bool killed = false;
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t n;
	pid_t pid = 0;
	while (fd >= 0 && (n = read(fd, text, sizeof text)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				pid = pid * 10 + (text[i] - '0');
			} else if (pid) {
				killed |= kill(pid, SIGKILL) == 0;
				pid = 0;
			}
		}
	}
	if (fd >= 0)
		close(fd);
	return killed;
}

/* A round that finds nothing to reap waits a moment for the killed to die. */
void orphans_kill(pid_t leader)
{
	if (leader > 0) {
		kill(-leader, SIGKILL);
		kill(leader, SIGKILL);
	}
	bool dying = true;
	for (int idle = 0; idle < (dying ? PATIENCE_WITH_THE_DYING : PATIENCE);) {
		dying = kill_children();
		pid_t gone;
		int reaped = 0;
		while ((gone = waitpid(-1, NULL, WNOHANG)) > 0)
			reaped++;
		if (gone < 0 && errno == ECHILD)
			return;
		if (reaped)
			continue;
		poll(NULL, 0, 1);
		idle++;
	}
}
