#include "base/orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Kill the direct children that the kernel lists; their children come to us next. */
static void kill_children(void)
{
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t n;
	pid_t pid = 0;
	while (fd >= 0 && (n = read(fd, text, sizeof text)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				pid = pid * 10 + (text[i] - '0');
			} else if (pid) {
				kill(pid, SIGKILL);
				pid = 0;
			}
		}
	}
	if (fd >= 0)
		close(fd);
}

/* A round that finds nothing to reap waits a moment for the killed to die. */
void orphans_kill(pid_t leader)
{
	kill(-leader, SIGKILL);
	kill(leader, SIGKILL);
	for (int idle = 0; idle < 2000;) {
		kill_children();
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
