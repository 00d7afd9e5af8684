#include "agents/trial/warm/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/trial/warm/frame.h"
#include "agents/trial/warm/javac.h"
#include "agents/trial/warm/note.h"

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
	replay_note(argv[1], argv + 2);
	return stand_in_become(argv[2], argv + 2);
}

/* --- Starting them again --- */

static void replay_say(const char *text)
{
	(void)!write(1, text, strlen(text));
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
	replay_say(text);
}

static void replay_begin_section(const char *section)
{
	char text[FRAME_SIZE + 64];
	snprintf(text, sizeof text, "%s\n\nrunning %d tests\n", section, NOTES_MOST);
	replay_say(text);
}

/* How many ended so, in the current section and in all of them. */
struct tally {
	size_t passed, failed, all_failed, all;
};

static bool replay_test(const struct note *note)
{
	replay_say(note->before);
	bool passed = note_run(note);
	replay_say(passed ? note->passed : note->failed);
	return passed;
}

/* All test programs of a directory, in order. */
static void replay_all(const char *dir, struct tally *tally)
{
	const char *section = "";
	struct note note;
	*tally = (struct tally){0};
	for (size_t i = 0;; i++) {
		bool is_there = note_read(dir, i, &note);
		if (is_there && javac_is_noted(&note))
			continue;
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
		bool passed = replay_test(&note);
		tally->all++;
		tally->passed += passed;
		tally->failed += !passed;
		tally->all_failed += !passed;
	}
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

/* --- Whether all is noted --- */

/* A file beside the notes: "done" where the line came to its end, and "failed" where a compiler of
 * it had no success, so that others may not have run. */
static void replay_place_mark(const char *dir, const char *name, char path[PATH_SIZE + 32])
{
	snprintf(path, PATH_SIZE + 32, "%s/%s", dir, name);
}

static bool replay_is_marked(const char *dir, const char *name)
{
	char path[PATH_SIZE + 32];
	replay_place_mark(dir, name, path);
	return access(path, F_OK) == 0;
}

static void replay_set_mark(const char *dir, const char *name)
{
	char path[PATH_SIZE + 32];
	replay_place_mark(dir, name, path);
	FILE *file = fopen(path, "we");
	if (file)
		fclose(file);
}

void replay_note_failure(void)
{
	if (replay_notes())
		replay_set_mark(replay_notes(), "failed");
}

bool replay_is_unready(const char *key)
{
	char dir[PATH_SIZE];
	replay_place(key, dir);
	return access(dir, F_OK) == 0 && !replay_is_marked(dir, "done");
}

/* --- A line --- */

static int replay_shell(const char *line, const char *argument)
{
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", line, "sh", argument, (char *)NULL);
		_exit(127);
	}
	return stand_in_wait(pid);
}

/* Put the texts into the tree, and compile all anew if they are what compilers read that are noted
 * here: what else ran in the tree may have left other classes. False: they are not. */
static bool replay_compile(const char *dir, const char *texts, int *ret_code)
{
	struct note note;
	*ret_code = replay_shell("cp -R \"$1\"/. .", texts);
	if (!javac_read_all(dir, texts))
		return false;
	for (size_t i = 0; *ret_code == 0 && note_read(dir, i, &note); i++)
		if (javac_is_noted(&note))
			*ret_code = !note_run(&note);
	return true;
}

/* Test programs are noted anew; Maven does not call a compiler for what is compiled. */
static void replay_keep_compilers(const char *dir)
{
	char path[NOTE_PATH], kept[NOTE_PATH];
	struct note note;
	size_t n = 0;
	for (size_t i = 0; note_read(dir, i, &note); i++) {
		note_place(dir, i, path);
		note_place(dir, n, kept);
		if (!javac_is_noted(&note))
			unlink(path);
		else if (rename(path, kept) == 0)
			n++;
	}
}

/* Run it, with all that it starts noted. */
static int replay_first(const char *dir, const char *line)
{
	char failed[PATH_SIZE + 32];
	replay_place_mark(dir, "failed", failed);
	mkdir(dir, 0755);
	unlink(failed);
	replay_keep_compilers(dir);
	setenv(REPLAY_NOTES, dir, 1);
	int code = replay_shell(line, "");
	if (code < 128 && !replay_is_marked(dir, "failed"))
		replay_set_mark(dir, "done");
	return code;
}

static int replay_line(const char *key, const char *line, const char *texts)
{
	char dir[PATH_SIZE];
	struct tally tally = {.all = 0};
	int code = 0;
	replay_place(key, dir);
	bool is_built = !texts || replay_compile(dir, texts, &code);
	if (is_built && code)
		return code;
	if (!is_built)
		replay_forget();
	if (replay_is_marked(dir, "done"))
		replay_all(dir, &tally);
	return tally.all ? tally.all_failed != 0 : replay_first(dir, line);
}

bool replay_is(const char *name)
{
	return strcmp(name, REPLAY_NOTE) == 0 || strcmp(name, REPLAY_AGAIN) == 0;
}

int replay_be(const char *name, char **argv)
{
	if (!argv[1] || !argv[2])
		return 127;
	return strcmp(name, REPLAY_NOTE) == 0 ? note_be(argv) : replay_line(argv[1], argv[2], argv[3]);
}

void replay_stand_in(void)
{
	stand_in_take(REPLAY_NOTE);
	stand_in_take(REPLAY_AGAIN);
	replay_forget();
}
