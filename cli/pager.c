#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "cli/cli.h"

extern char **environ;

/* A pager that is not there has read nothing, so that cat shows all. What was not asked for by name
 * is missed in silence. */
#define PAGER_DEFAULT "command -v less >/dev/null || exec cat\nless"
#define PAGER_FALLBACK "\ntest $? != 127 || exec cat"

/* A line for sh; NULL: no pager. */
static const char *pager_line(void)
{
	const char *line = getenv("RONDO_PAGER");
	if (!line)
		line = getenv("PAGER");
	if (!line)
		return PAGER_DEFAULT;
	return *line && strcmp(line, "cat") != 0 ? line : NULL;
}

/* It reads from `input`. False: it could not be started. */
static bool pager_spawn(struct pager *pager, const char *line, int input)
{
	AUTO_STRBUF script = STRBUF_INIT(STRBUF_LINE);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t usual;
	strbuf_addf(&script, "%s%s", line, PAGER_FALLBACK);
	char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, script.text, NULL};
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	bool started =
		posix_spawn(&pager->process, "/bin/sh", &actions, &attributes, argv, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (!started)
		pager->process = 0;
	return started;
}

void pager_begin(struct pager *pager, bool is_wished)
{
	AUTO_CLOSE input = -1;
	AUTO_CLOSE output = -1;
	int ends[2];
	const char *line = pager_line();
	*pager = (struct pager){.terminal = -1};
	if (!is_wished || !line || !isatty(STDOUT_FILENO) || pipe2(ends, O_CLOEXEC) < 0)
		return;
	input = ends[0];
	output = ends[1];
	pager->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (pager->terminal < 0)
		return;
	/* as git has it: end where it fits on a page, show colours, leave the text there */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	signal(SIGINT, SIG_IGN); /* it is the pager's, which may go on */
	signal(SIGPIPE, SIG_IGN);
	if (!pager_spawn(pager, line, input))
		return;
	screen_set_paged();
	dup2(output, STDOUT_FILENO);
}

void pager_end(struct pager *pager)
{
	if (!pager->process)
		return;
	fflush(stdout);
	/* what nobody wanted to read is no fault, and is not for the terminal */
	__fpurge(stdout);
	clearerr(stdout);
	dup2(pager->terminal, STDOUT_FILENO);
	close(pager->terminal);
	while (waitpid(pager->process, NULL, 0) < 0 && errno == EINTR)
		continue;
	pager->process = 0;
}
