#include "agents/trial/warm/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agents/trial/warm/frame.h"
#include "agents/trial/warm/stand_in.h"

enum { NOTES_MOST = 1000, NOTE_MOST = 4 << 20 };

extern char **environ;

/* --- Notes: texts, each with a NUL: the frame, a directory, how many words, these, then the
 * environment --- */

static void note_put(FILE *note, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, note);
}

/* The next one that nobody has taken: programs of one line may start at the same time. */
static FILE *note_create(const char *dir, char path[PATH_SIZE + 32])
{
	for (int i = 0; i < NOTES_MOST; i++) {
		snprintf(path, PATH_SIZE + 32, "%s/%d", dir, i);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd >= 0)
			return fdopen(fd, "w");
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

/* Test programs of Go, and doc-tests, are removed, so they get another name. Those of cargo may
 * look for others beside themselves, and what does Surefire's work again has its name from us. */
static const char *note_keep_program(const char *kind, const char *program, const char *note)
{
	static char kept[PATH_SIZE + 64];
	snprintf(kept, sizeof kept, "%s.program", note);
	if (strcmp(kind, "maven") == 0 ||
		(strcmp(kind, "cargo") == 0 && !strstr(program, "/rustdoctest")))
		return program;
	return link(program, kept) == 0 || stand_in_copy(program, kept) == 0 ? kept : program;
}

static void note_write(const char *dir, const char *kind, char **words)
{
	char path[PATH_SIZE + 32], cwd[PATH_SIZE], number[32];
	struct frame frame;
	size_t n = 0;
	if (!frame_read(kind, words[0], &frame) || !getcwd(cwd, sizeof cwd))
		return;
	FILE *note = note_create(dir, path);
	if (!note)
		return;
	while (words[n])
		n++;
	snprintf(number, sizeof number, "%zu", n);
	note_put(note, frame.section);
	note_put(note, frame.before);
	note_put(note, frame.passed);
	note_put(note, frame.failed);
	note_put(note, cwd);
	note_put(note, number);
	note_put(note, note_keep_program(kind, words[0], path));
	for (size_t i = 1; i < n; i++)
		note_put(note, words[i]);
	for (char **variable = environ; *variable; variable++)
		note_put(note, *variable);
	fclose(note);
}

const char *replay_notes(void)
{
	return getenv(REPLAY_NOTES);
}

void replay_note(const char *kind, char **words)
{
	if (replay_notes())
		note_write(replay_notes(), kind, words);
}

static int note_be(char **argv)
{
	if (!argv[1] || !argv[2])
		return 127;
	replay_note(argv[1], argv + 2);
	execv(argv[2], argv + 2);
	fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
	return 127;
}

/* --- Starting them again --- */

/* A note, read. */
struct note {
	char *text;
	const char *section, *before, *passed, *failed, *cwd;
	char **words, **env;
};

/* The text after this one. */
static char *note_next(char **at, const char *end)
{
	char *text = *at;
	if (text >= end)
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

static bool note_read(const char *path, struct note *note)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	*note = (struct note){.text = NULL};
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > 0 && st.st_size < NOTE_MOST)
		note->text = calloc(1, (size_t)st.st_size + 1);
	ssize_t n = note->text ? read(fd, note->text, (size_t)st.st_size) : -1;
	close(fd);
	char *at = note->text, *end = at + (n > 0 ? n : 0);
	note->section = note_next(&at, end);
	note->before = note_next(&at, end);
	note->passed = note_next(&at, end);
	note->failed = note_next(&at, end);
	note->cwd = note_next(&at, end);
	const char *number = note_next(&at, end);
	size_t n_words = number ? strtoul(number, NULL, 10) : 0, i;
	bool is_whole = n_words && n_words <= (size_t)(end - at);
	char **texts = is_whole ? calloc((size_t)(end - at) + 2, sizeof *texts) : NULL;
	if (!texts)
		return false;
	note->words = texts;
	for (i = 0; i < n_words && (texts[i] = note_next(&at, end)); i++)
		;
	note->env = texts + n_words + 1;
	for (i = 0; (note->env[i] = note_next(&at, end)); i++)
		;
	return texts[n_words - 1];
}

/* In the noted environment, with the choice of now. */
static void note_become(const struct note *note)
{
	const char *variable = getenv(STAND_IN_MARK), *chosen = variable ? getenv(variable) : NULL;
	environ = note->env;
	if (chosen)
		setenv(variable, chosen, 1);
	unsetenv(REPLAY_NOTES);
	if (chdir(note->cwd) == 0)
		execv(note->words[0], note->words);
	_exit(127);
}

static void note_say(const char *text)
{
	(void)!write(1, text, strlen(text));
}

/* Whether it passed. */
static bool note_run(const struct note *note)
{
	int status = 1;
	note_say(note->before);
	pid_t pid = fork();
	if (pid == 0)
		note_become(note);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	note_say(pid > 0 && status == 0 ? note->passed : note->failed);
	return pid > 0 && status == 0;
}

static void replay_place(const char *key, char dir[PATH_SIZE])
{
	char suffix[17];
	snprintf(suffix, sizeof suffix, "notes-%.10s", key);
	stand_in_beside(suffix, dir);
}

/* How a section of doc-tests ends. */
static void replay_end_section(size_t passed, size_t failed)
{
	char text[256];
	snprintf(text, sizeof text,
		"\ntest result: %s. %zu passed; %zu failed; 0 ignored; 0 measured; 0 filtered out; "
		"finished in 0.00s\n\n",
		failed ? "FAILED" : "ok", passed, failed);
	note_say(text);
}

static void replay_begin_section(const char *section)
{
	char text[FRAME_SIZE + 64];
	snprintf(text, sizeof text, "%s\n\nrunning %d tests\n", section, NOTES_MOST);
	note_say(text);
}

/* How many ended so, in the current section and in all of them. */
struct tally {
	size_t passed, failed, all_failed, all;
};

/* All notes of a directory, in order. */
static void replay_all(const char *dir, struct tally *tally)
{
	char path[PATH_SIZE + 32];
	const char *section = "";
	struct note note;
	*tally = (struct tally){0};
	for (;; tally->all++) {
		snprintf(path, sizeof path, "%s/%zu", dir, tally->all);
		bool is_there = note_read(path, &note);
		const char *next = is_there ? note.section : "";
		if (*section && strcmp(next, section) != 0)
			replay_end_section(tally->passed, tally->failed);
		if (strcmp(next, section) != 0) {
			tally->passed = tally->failed = 0;
			if (*next)
				replay_begin_section(next);
		}
		section = next;
		if (!is_there)
			return;
		bool passed = note_run(&note);
		tally->passed += passed;
		tally->failed += !passed;
		tally->all_failed += !passed;
	}
}

static int replay_lines(char **argv)
{
	char dir[PATH_SIZE];
	struct tally tally;
	if (!argv[1] || !argv[2])
		return 127;
	replay_place(argv[1], dir);
	replay_all(dir, &tally);
	if (tally.all)
		return tally.all_failed ? 1 : 0;
	mkdir(dir, 0755);
	setenv(REPLAY_NOTES, dir, 1);
	execl("/bin/sh", "sh", "-c", argv[2], (char *)NULL);
	return 127;
}

bool replay_is(const char *name)
{
	return strcmp(name, REPLAY_NOTE) == 0 || strcmp(name, REPLAY_AGAIN) == 0;
}

int replay_be(const char *name, char **argv)
{
	return strcmp(name, REPLAY_NOTE) == 0 ? note_be(argv) : replay_lines(argv);
}

void replay_stand_in(void)
{
	stand_in_take(REPLAY_NOTE);
	stand_in_take(REPLAY_AGAIN);
}

void replay_forget(void)
{
	static const char *const keys[] = {"goal", "whole"};
	char dir[PATH_SIZE];
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		replay_place(keys[i], dir);
		stand_in_empty(dir);
	}
}
