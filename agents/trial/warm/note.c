#include "agents/trial/warm/note.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/trial/warm/frame.h"
#include "agents/trial/warm/replay.h"

enum { NOTE_MOST = 4 << 20 };

extern char **environ;

/* --- Notes: texts, each with a NUL: the frame, a directory, how many words, these, then the
 * environment --- */

static void note_put(FILE *note, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, note);
}

void note_place(const char *dir, size_t i, char path[NOTE_PATH])
{
	snprintf(path, NOTE_PATH, "%s/%zu", dir, i);
}

/* The next one that nobody has taken: programs of one line may start at the same time. */
static FILE *note_create(const char *dir, char path[NOTE_PATH])
{
	for (size_t i = 0; i < NOTES_MOST; i++) {
		note_place(dir, i, path);
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

void note_write(const char *dir, const char *kind, char **words)
{
	char path[NOTE_PATH], cwd[PATH_SIZE], number[32];
	struct frame frame;
	size_t n = 1;
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

/* --- Reading it --- */

/* The text after this one. */
static char *note_next(char **at, const char *end)
{
	char *text = *at;
	if (text >= end)
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

bool note_read(const char *dir, size_t i, struct note *note)
{
	char path[NOTE_PATH];
	struct stat st;
	note_place(dir, i, path);
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
	size_t n_words = number ? strtoul(number, NULL, 10) : 0;
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

bool note_run(const struct note *note)
{
	pid_t pid = fork();
	if (pid == 0)
		note_become(note);
	return stand_in_wait(pid) == 0;
}
