/*
 * What stands in for compilers: it hands on what it is told, but for the second time gives what the
 * first one made. That is so where all words are the same, and all files that they name hold the
 * same; headers are not looked at, as nothing writes them between runs on one text.
 */
#include "agents/trial/warm/compilers.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/trial/warm/javac.h"
#include "agents/trial/warm/jvm.h"
#include "agents/trial/warm/replay.h"
#include "agents/trial/warm/stand_in.h"

enum { MOST_ARGUMENTS = 16384 };

static const char *const compilers[] = {
	"cc", "c++", "gcc", "g++", "clang", "clang++", "c99", "javac"};

static uint64_t compilers_mix_text(uint64_t hash, const char *text)
{
	return stand_in_mix(hash, text, strlen(text) + 1);
}

/* A file's bytes. False where it cannot be read. */
static bool compilers_mix_file(uint64_t *hash, const char *path)
{
	char bytes[65536];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
		*hash = stand_in_mix(*hash, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
	return fd >= 0 && n == 0;
}

/* What a call of a compiler comes to. */
struct call {
	const char *output; /* a file, of javac a directory; NULL: it is not known which, or no such */
	char object[PATH_SIZE];
	bool has_source, is_c, is_java;
	uint64_t hash; /* of all words, and of the files that they name */
};

static bool compilers_ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), n_end = strlen(end);
	return n > n_end && strcmp(text + n - n_end, end) == 0;
}

static bool compilers_is_source(const char *word)
{
	static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".java"};
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

/* Note an output that a word names, "-oFILE", or the word after it: true. */
static bool compilers_names_output(struct call *call, char **word)
{
	if (strcmp(*word, call->is_java ? "-d" : "-o") == 0 && word[1]) {
		call->output = word[1];
		return true;
	}
	if (!call->is_java && strncmp(*word, "-o", 2) == 0)
		call->output = *word + 2;
	return false;
}

static void compilers_read_call(struct call *call, char **argv)
{
	size_t sources = 0;
	bool strange = false, compiles = false;
	char cwd[PATH_SIZE];
	struct stat st;
	*call = (struct call){.is_java = compilers_ends_with(argv[0], "/javac"),
		.hash = compilers_mix_text(STAND_IN_HASH, getcwd(cwd, sizeof cwd) ? cwd : "")};
	for (char **word = argv; *word; word++) {
		call->hash = compilers_mix_text(call->hash, *word);
		strange = strange || compilers_is_strange(*word);
		compiles = compiles || strcmp(*word, "-c") == 0;
		if (compilers_names_output(call, word)) {
			call->hash = compilers_mix_text(call->hash, *++word);
			continue;
		}
		if (compilers_is_source(*word)) {
			sources++;
			call->is_c = compilers_ends_with(*word, ".c");
			compilers_note_object(call, *word);
		}
		if (word > argv && **word != '-' && stat(*word, &st) == 0 && S_ISREG(st.st_mode))
			strange = !compilers_mix_file(&call->hash, *word) || strange;
	}
	call->has_source = sources;
	if (!call->output && !call->is_java)
		call->output = !compiles ? "a.out" : sources == 1 ? call->object : NULL;
	if (strange)
		call->output = NULL;
}

/* The same words, and those that let a compiler tell only what it cannot compile: what a candidate
 * makes superfluous, and what a body that stands there many times leaves unused, is no error here.
 * A function that nobody declared is one, which would else show when all is linked, and of nobody
 * in particular. */
static _Noreturn void compilers_become_compiler(char *program, char **argv, const struct call *call)
{
	static char *words[MOST_ARGUMENTS + 4];
	static char first_tier[] = "-J-XX:TieredStopAtLevel=1", serial[] = "-J-XX:+UseSerialGC";
	static char no_error[] = "-Wno-error", declared[] = "-Werror=implicit-function-declaration",
				all[] = "-ferror-limit=0";
	size_t n = 0;
	for (; argv[n] && n < MOST_ARGUMENTS; n++)
		words[n] = argv[n];
	bool known = call->has_source && !argv[n];
	if (known && call->is_java) {
		words[n++] = first_tier; /* it ends before more would pay */
		words[n++] = serial;
	} else if (known) {
		words[n++] = no_error;
		if (call->is_c)
			words[n++] = declared;
		if (strstr(program, "clang"))
			words[n++] = all;
		setenv("LC_ALL", "C", 1);
	}
	_exit(stand_in_become(program, known ? words : argv));
}

bool compilers_are(const char *name)
{
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (strcmp(name, compilers[i]) == 0)
			return true;
	return false;
}

/* Where what they made is kept. */
static void compilers_place(char kept[PATH_SIZE])
{
	stand_in_beside("kept", kept);
}

/* Whether a directory is still the one in which javac put what it made. What is there now stays:
 * who removes it alone gets nothing in its place, and the run fails. */
static bool compilers_has_directory(const char *entry, const char *directory)
{
	struct stat st;
	unsigned long long device = 0, inode = 0;
	FILE *file = fopen(entry, "re");
	int n = file ? fscanf(file, "%llu %llu", &device, &inode) : 0;
	if (file)
		fclose(file);
	return n == 2 && stat(directory, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

static int compilers_note_directory(const char *entry, const char *directory)
{
	struct stat st;
	FILE *file = stat(directory, &st) == 0 ? fopen(entry, "we") : NULL;
	if (!file)
		return -1;
	fprintf(file, "%llu %llu\n", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	return fclose(file);
}

static bool compilers_give(const struct call *call, const char *entry)
{
	return call->is_java ? compilers_has_directory(entry, call->output)
						 : stand_in_copy(entry, call->output) == 0;
}

static int compilers_keep(const struct call *call, const char *entry)
{
	return call->is_java ? compilers_note_directory(entry, call->output)
						 : stand_in_copy(call->output, entry);
}

/* Its exit code, or that of the machine that does javac's work. */
static int compilers_call(char *program, char **argv, const struct call *call)
{
	int code;
	if (call->is_java && jvm_ask("javac", argv, &code))
		return code;
	pid_t pid = fork();
	if (pid == 0)
		compilers_become_compiler(program, argv, call);
	return stand_in_wait(pid);
}

/* Maven's javac: the words that are noted are those that it was told. */
static int compilers_be_mavens(char *program, char **argv)
{
	const struct call call = {.is_java = true};
	javac_note(argv);
	argv[0] = program;
	int code = compilers_call(program, argv, &call);
	if (code)
		replay_note_failure();
	return code;
}

int compilers_be(const char *name, char **argv)
{
	char program[PATH_SIZE], kept[PATH_SIZE], entry[PATH_SIZE + 64], fresh[PATH_SIZE + 96];
	struct call call;
	if (!stand_in_find_other(name, program)) {
		fprintf(stderr, "%s: not found\n", name);
		return 127;
	}
	if (javac_is_mavens(argv))
		return compilers_be_mavens(program, argv);
	argv[0] = program; /* compilers look for their parts beside themselves */
	if (!getenv(STAND_IN_MARK)) {
		execv(program, argv);
		return 127;
	}
	compilers_read_call(&call, argv);
	if (!call.output || !call.has_source) {
		if (call.is_java)
			return compilers_call(program, argv, &call);
		compilers_become_compiler(program, argv, &call);
	}
	compilers_place(kept);
	snprintf(entry, sizeof entry, "%s/%016llx", kept, (unsigned long long)call.hash);
	if (compilers_give(&call, entry))
		return 0;
	int code = compilers_call(program, argv, &call);
	snprintf(fresh, sizeof fresh, "%s.%d", entry, (int)getpid());
	if (code == 0 && (compilers_keep(&call, fresh) < 0 || rename(fresh, entry) < 0))
		unlink(fresh);
	return code;
}

void compilers_stand_in(void)
{
	char program[PATH_SIZE], kept[PATH_SIZE];
	compilers_place(kept);
	mkdir(kept, 0755);
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (stand_in_find_other(compilers[i], program))
			stand_in_take(compilers[i]);
}

void compilers_forget(void)
{
	char kept[PATH_SIZE];
	compilers_place(kept);
	stand_in_empty(kept);
}
