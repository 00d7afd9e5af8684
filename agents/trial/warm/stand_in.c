#include "agents/trial/warm/stand_in.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char self[PATH_SIZE - 32], names[PATH_SIZE];

int stand_in_find(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		return -1;
	self[n] = '\0';
	stand_in_beside("names", names);
	return 0;
}

void stand_in_beside(const char *suffix, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "%s.%.16s", self, suffix);
}

bool stand_in_find_other(const char *name, char found[PATH_SIZE])
{
	const char *path = getenv("PATH");
	for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
		int n = (int)strcspn(at, ":");
		bool fits = snprintf(found, PATH_SIZE, "%.*s/%s", n, at, name) < PATH_SIZE;
		bool ours = (size_t)n == strlen(names) && memcmp(at, names, (size_t)n) == 0;
		if (n && fits && !ours && access(found, X_OK) == 0)
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

void stand_in_begin(const char *variable, const char *output)
{
	char path[2 * PATH_SIZE];
	const char *old = getenv("PATH");
	mkdir(names, 0755);
	if (old && snprintf(path, sizeof path, "%s:%s", names, old) < (int)sizeof path)
		setenv("PATH", path, 1);
	setenv(STAND_IN_MARK, variable, 1);
	setenv(STAND_IN_OUTPUT, output, 1);
}

void stand_in_path(const char *name, char path[PATH_SIZE + 64])
{
	snprintf(path, PATH_SIZE + 64, "%s/%.63s", names, name);
}

/* Where a link was made before, it is this one. */
void stand_in_take(const char *name)
{
	char link[PATH_SIZE + 64];
	stand_in_path(name, link);
	(void)!symlink(self, link);
}

void stand_in_empty(const char *path)
{
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

uint64_t stand_in_mix(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ at[i]) * 1099511628211U;
	return hash;
}

int stand_in_become(const char *program, char **words)
{
	execv(program, words);
	fprintf(stderr, "%s: %s\n", program, strerror(errno));
	return 127;
}

int stand_in_wait(pid_t pid)
{
	int status = 127 << 8;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int stand_in_copy(const char *from, const char *to)
{
	char bytes[65536];
	struct stat st;
	ssize_t n = -1;
	int in = open(from, O_RDONLY | O_CLOEXEC), out = -1;
	if (in >= 0 && fstat(in, &st) == 0 && S_ISREG(st.st_mode)) {
		unlink(to);
		out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0777);
	}
	while (out >= 0 && (n = read(in, bytes, sizeof bytes)) > 0)
		if (write(out, bytes, (size_t)n) != n)
			break;
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return out >= 0 && n == 0 ? 0 : -1;
}
