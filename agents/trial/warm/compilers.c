/*
 * What stands in for compilers: it hands on what it is told, but for the second time gives what the
 * first one made. That is so where all words are the same, and all files that they name hold the
 * same; headers are not looked at, as nothing writes them between runs on one text.
 */
#include "agents/trial/warm/compilers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MOST_ARGUMENTS = 16384 };

/* Set while runs are made: without it a compiler's name is that compiler and nothing else. */
#define MARK "RONDO_RERUN"

/* This program's own file, and what lies beside it. */
static char self[PATH_SIZE], names[PATH_SIZE + 16], kept[PATH_SIZE + 16];

int compilers_find(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		return -1;
	self[n] = '\0';
	snprintf(names, sizeof names, "%s.names", self);
	snprintf(kept, sizeof kept, "%s.kept", self);
	return 0;
}

static const char *const compilers[] = {"cc", "c++", "gcc", "g++", "clang", "clang++", "c99"};

/* The program of that name after our own in PATH. False: there is none. */
static bool compilers_find_program(const char *name, char found[PATH_SIZE])
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

/* FNV-1a of bytes. */
static uint64_t compilers_mix(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ at[i]) * 1099511628211U;
	return hash;
}

static uint64_t compilers_mix_text(uint64_t hash, const char *text)
{
	return compilers_mix(hash, text, strlen(text) + 1);
}

/* A file's bytes. False where it cannot be read. */
static bool compilers_mix_file(uint64_t *hash, const char *path)
{
	char bytes[65536];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
		*hash = compilers_mix(*hash, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
	return fd >= 0 && n == 0;
}

static int compilers_copy_file(const char *from, const char *to)
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

/* What a call of a compiler comes to. */
struct call {
	const char *output; /* NULL: not one file, or it is not known which */
	char object[PATH_SIZE];
	bool has_source, is_c;
	uint64_t hash; /* of all words, and of the files that they name */
};

static bool compilers_ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), n_end = strlen(end);
	return n > n_end && strcmp(text + n - n_end, end) == 0;
}

static bool compilers_is_source(const char *word)
{
	static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".C"};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (*word != '-' && compilers_ends_with(word, ends[i]))
			return true;
	return false;
}

/* Words with which a compiler makes no program or object, or several files, or reads what no word
 * names. */
static bool compilers_is_strange(const char *word)
{
	static const char *const words[] = {
		"-E", "-S", "-M", "-MM", "-", "-x", "-save-temps", "-fsyntax-only", "-###"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return *word == '@';
}

static void compilers_note_object(struct call *call, const char *source)
{
	const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source,
			   *dot = strrchr(name, '.');
	snprintf(call->object, sizeof call->object, "%.*s.o", (int)(dot - name), name);
}

static void compilers_read_call(struct call *call, char **argv)
{
	size_t sources = 0;
	bool strange = false, compiles = false;
	char cwd[PATH_SIZE];
	struct stat st;
	*call = (struct call){
		.hash = compilers_mix_text(14695981039346656037U, getcwd(cwd, sizeof cwd) ? cwd : "")};
	for (char **word = argv; *word; word++) {
		call->hash = compilers_mix_text(call->hash, *word);
		strange = strange || compilers_is_strange(*word);
		compiles = compiles || strcmp(*word, "-c") == 0;
		if (strcmp(*word, "-o") == 0 && word[1]) {
			call->output = *++word;
			call->hash = compilers_mix_text(call->hash, *word);
			continue;
		}
		if (strncmp(*word, "-o", 2) == 0)
			call->output = *word + 2;
		if (compilers_is_source(*word)) {
			sources++;
			call->is_c = compilers_ends_with(*word, ".c");
			compilers_note_object(call, *word);
		}
		if (word > argv && **word != '-' && stat(*word, &st) == 0 && S_ISREG(st.st_mode))
			strange = !compilers_mix_file(&call->hash, *word) || strange;
	}
	call->has_source = sources;
	if (!call->output)
		call->output = !compiles ? "a.out" : sources == 1 ? call->object : NULL;
	if (strange)
		call->output = NULL;
}

/* The same words, and those that let a compiler tell only what it cannot compile: what a candidate
 * makes superfluous, and what a body that stands there many times leaves unused, is no error here.
 * A function that nobody declared is one, which would else show when all is linked, and of nobody
 * in particular. */
static void compilers_become_compiler(char *program, char **argv, const struct call *call)
{
	static char *words[MOST_ARGUMENTS + 4];
	static char no_error[] = "-Wno-error", declared[] = "-Werror=implicit-function-declaration",
				all[] = "-ferror-limit=0";
	size_t n = 0;
	for (; argv[n] && n < MOST_ARGUMENTS; n++)
		words[n] = argv[n];
	bool known = call->has_source && !argv[n];
	if (known) {
		words[n++] = no_error;
		if (call->is_c)
			words[n++] = declared;
		if (strstr(program, "clang"))
			words[n++] = all;
		setenv("LC_ALL", "C", 1);
	}
	execv(program, known ? words : argv);
	fprintf(stderr, "%s: %s\n", program, strerror(errno));
	_exit(127);
}

bool compilers_are(const char *name)
{
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (strcmp(name, compilers[i]) == 0)
			return true;
	return false;
}

int compilers_be(const char *name, char **argv)
{
	char program[PATH_SIZE], entry[PATH_SIZE + 64], fresh[PATH_SIZE + 96];
	struct call call;
	if (!compilers_find_program(name, program)) {
		fprintf(stderr, "%s: not found\n", name);
		return 127;
	}
	argv[0] = program; /* compilers look for their parts beside themselves */
	if (!getenv(MARK)) {
		execv(program, argv);
		return 127;
	}
	compilers_read_call(&call, argv);
	if (!call.output || !call.has_source)
		compilers_become_compiler(program, argv, &call);
	snprintf(entry, sizeof entry, "%s/%016llx", kept, (unsigned long long)call.hash);
	if (compilers_copy_file(entry, call.output) == 0)
		return 0;
	pid_t pid = fork();
	if (pid == 0)
		compilers_become_compiler(program, argv, &call);
	int status = 127 << 8;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	snprintf(fresh, sizeof fresh, "%s.%d", entry, (int)getpid());
	if (code == 0 && (compilers_copy_file(call.output, fresh) < 0 || rename(fresh, entry) < 0))
		unlink(fresh);
	return code;
}

void compilers_stand_in(void)
{
	char program[PATH_SIZE], link[PATH_SIZE + 64], path[2 * PATH_SIZE];
	const char *old = getenv("PATH");
	mkdir(names, 0755);
	mkdir(kept, 0755);
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
		snprintf(link, sizeof link, "%s/%s", names, compilers[i]);
		if (compilers_find_program(compilers[i], program) && symlink(self, link) < 0 &&
			errno != EEXIST)
			return;
	}
	if (old && snprintf(path, sizeof path, "%s:%s", names, old) < (int)sizeof path)
		setenv("PATH", path, 1);
	setenv(MARK, "1", 1);
}

void compilers_forget(void)
{
	DIR *dir = opendir(kept);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}
