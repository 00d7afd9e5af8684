#include "cli/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

extern char **environ;

/* $BROWSER may have arguments; the page is the last one. */
static const char *browser_script(void)
{
	const char *own = getenv("BROWSER");
	return own && *own ? "exec $BROWSER \"$1\"" : "exec xdg-open \"$1\"";
}

static int browser_check(struct arena *arena, struct rondo_error *err)
{
	const char *own = getenv("BROWSER"), *path = getenv("PATH");
	const char *name = own && *own ? arena_strndup(arena, own, strcspn(own, " ")) : "xdg-open";
	if (file_search(arena, path ? path : "/usr/bin:/bin", name))
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "cannot open a browser: there is no '%s'", name);
	return error_help(err, "set BROWSER to the command of one");
}

/* It is no child that rondo waits for: it goes on after rondo has ended, in a session of its own,
 * without the terminal. */
static int browser_start(const char *file, struct rondo_error *err)
{
	char script[64], name[] = "sh", flag[] = "-c";
	snprintf(script, sizeof script, "%s", browser_script());
	AUTO_ARENA arena = ARENA_INIT;
	char *argv[] = {name, flag, script, name, arena_strdup(&arena, file), NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
	pid_t pid;
	errno = posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return errno ? error_errno(err, RONDO_ERROR_TRANSIENT, "cannot start a browser") : 0;
}

int browser_show(const char *file, bool opens, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_SCREEN screen;
	const char *path = file_real_path(&arena, file, err);
	if (!path)
		return -1;
	screen_init(&screen);
	puts(screen_visible(&screen, path));
	if (!opens)
		return 0;
	return browser_check(&arena, err) < 0 ? -1 : browser_start(path, err);
}
