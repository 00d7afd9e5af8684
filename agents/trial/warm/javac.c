#include "agents/trial/warm/javac.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/trial/warm/replay.h"

#define MAVENS REPLAY_NOTE ".jdk/bin/javac"

enum { WORDS_MOST = 256 };

void javac_stand_in(void)
{
	stand_in_take(MAVENS);
}

/* A word, or that of a copy beside the notes. */
static char *javac_keep(char *word, const char *dir, size_t i)
{
	char *kept = NULL;
	if (*word != '@' || asprintf(&kept, "@%s/javac.%d.%zu", dir, (int)getpid(), i) < 0)
		return word;
	return stand_in_copy(word + 1, kept + 1) == 0 ? kept : word;
}

bool javac_is_noted(const struct note *note)
{
	const char *slash = strrchr(note->words[0], '/');
	return slash && strcmp(slash, "/javac") == 0;
}

/* A file of words, all of it; NULL where it cannot be read. */
static char *javac_read_words(const char *path)
{
	struct stat st;
	FILE *file = fopen(path, "re");
	char *text = file && fstat(fileno(file), &st) == 0 ? calloc(1, (size_t)st.st_size + 1) : NULL;
	if (text && fread(text, 1, (size_t)st.st_size, file) != (size_t)st.st_size)
		*text = '\0';
	if (file)
		fclose(file);
	return text;
}

static bool javac_has_same_words(const struct note *note, char **argv)
{
	size_t i = 1;
	bool same = true;
	for (; note->words[i] && argv[i] && same; i++) {
		bool is_file = *note->words[i] == '@' && *argv[i] == '@';
		char *noted = is_file ? javac_read_words(note->words[i] + 1) : note->words[i];
		char *told = is_file ? javac_read_words(argv[i] + 1) : argv[i];
		same = noted && told && strcmp(noted, told) == 0;
		if (is_file) {
			free(noted);
			free(told);
		}
	}
	return same && !note->words[i] && !argv[i];
}

/* Maven may compile again what was compiled without it. */
static bool javac_is_known(const char *dir, char **argv)
{
	struct note note;
	for (size_t i = 0; note_read(dir, i, &note); i++)
		if (javac_is_noted(&note) && javac_has_same_words(&note, argv))
			return true;
	return false;
}

bool javac_is_mavens(char **argv)
{
	bool has_file = false;
	for (char **word = argv + 1; *word && !has_file; word++)
		has_file = **word == '@';
	return replay_notes() && has_file && strstr(argv[0], "/" MAVENS);
}

void javac_note(char **argv)
{
	static char *words[WORDS_MOST + 1], name[PATH_SIZE + 64];
	const char *dir = replay_notes();
	size_t n = 0;
	if (javac_is_known(dir, argv))
		return;
	stand_in_path("javac", name);
	words[n++] = name;
	for (; argv[n] && n < WORDS_MOST; n++)
		words[n] = javac_keep(argv[n], dir, n);
	if (!argv[n])
		replay_note("maven", words);
}

/* --- What it read --- */

/* Whether a file of words has a path as a word, in quotes or on a line. */
static bool javac_words_have(const char *words, const char *path)
{
	size_t n = strlen(path);
	for (const char *at = words; at && (at = strstr(at, path)); at += n)
		if (at > words && strchr("\"\n", at[-1]) && (!at[n] || strchr("\"\n", at[n])))
			return true;
	return false;
}

static bool javac_read(const struct note *note, const char *path)
{
	bool has = false;
	for (char **word = note->words + 1; *word && !has; word++) {
		char *words = **word == '@' ? javac_read_words(*word + 1) : NULL;
		has = javac_words_have(words, path);
		free(words);
	}
	return has;
}

static bool javac_is_read(const char *dir, const char *path)
{
	struct note note;
	for (size_t i = 0; note_read(dir, i, &note); i++)
		if (javac_is_noted(&note) && javac_read(&note, path))
			return true;
	return false;
}

/* Of the files below a directory, by their paths in the tree. */
static bool javac_are_read(const char *dir, const char *texts, const char *tree)
{
	char path[PATH_SIZE], in_tree[PATH_SIZE];
	struct stat st;
	DIR *list = opendir(texts);
	bool are = list != NULL;
	for (const struct dirent *entry; are && (entry = readdir(list));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", texts, entry->d_name);
		snprintf(in_tree, sizeof in_tree, "%s/%s", tree, entry->d_name);
		if (stat(path, &st) < 0)
			are = false;
		else
			are = S_ISDIR(st.st_mode) ? javac_are_read(dir, path, in_tree)
									  : javac_is_read(dir, in_tree);
	}
	if (list)
		closedir(list);
	return are;
}

bool javac_read_all(const char *dir, const char *texts)
{
	char tree[PATH_SIZE];
	struct note note;
	return note_read(dir, 0, &note) && getcwd(tree, sizeof tree) &&
		javac_are_read(dir, texts, tree);
}
