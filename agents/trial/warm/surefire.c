#include "agents/trial/warm/surefire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/trial/warm/javac.h"
#include "agents/trial/warm/jvm.h"
#include "agents/trial/warm/replay.h"
#include "agents/trial/warm/stand_in.h"

enum { WORDS_MOST = 1024 };

/* How Surefire calls java: behind the options, a jar, and two files that it removes later. */
struct surefire_call {
	size_t n_options;
	char path[PATH_SIZE]; /* of the folder of the files, or "" */
	char *files[2];
};

/* "-jar surefirebooter7.jar [FOLDER RUN] FILE FILE" */
static bool surefire_read_call(char **argv, struct surefire_call *call)
{
	size_t i = 1, n = 0;
	while (argv[i] && strcmp(argv[i], "-jar") != 0)
		i++;
	if (!argv[i] || !argv[i + 1] || !strstr(argv[i + 1], "surefirebooter") || i >= WORDS_MOST)
		return false;
	char **rest = argv + i + 2;
	while (rest[n])
		n++;
	if (n != 2 && n != 4)
		return false;
	*call = (struct surefire_call){.n_options = i - 1, .files = {rest[n - 2], rest[n - 1]}};
	if (n == 4)
		snprintf(call->path, sizeof call->path, "%s/", rest[0]);
	return true;
}

/* Keep a file beside the notes; its path. */
static bool surefire_keep(
	const struct surefire_call *call, size_t i, const char *dir, char kept[PATH_SIZE + 64])
{
	char from[2 * PATH_SIZE];
	snprintf(from, sizeof from, "%s%s", call->path, call->files[i]);
	snprintf(kept, PATH_SIZE + 64, "%s/surefire.%d.%zu", dir, (int)getpid(), i);
	return stand_in_copy(from, kept) == 0;
}

void surefire_note(char **argv)
{
	static char again[PATH_SIZE + 64], kept[2][PATH_SIZE + 64], *words[WORDS_MOST + 4];
	struct surefire_call call;
	const char *dir = replay_notes();
	if (!dir || !surefire_read_call(argv, &call) || !surefire_keep(&call, 0, dir, kept[0]) ||
		!surefire_keep(&call, 1, dir, kept[1]))
		return;
	stand_in_path(SUREFIRE, again);
	words[0] = again;
	for (size_t i = 0; i < call.n_options; i++)
		words[1 + i] = argv[1 + i];
	for (size_t i = 0; i < 2; i++)
		words[1 + call.n_options + i] = kept[i];
	replay_note("maven", words);
	jvm_prepare();
}

int surefire_be(char **argv)
{
	static char java[PATH_SIZE], classes[PATH_SIZE + 16], path[PATH_SIZE];
	static char option[] = "-cp", class[] = "Surefire", *words[WORDS_MOST + 8];
	size_t n = 0, k = 0;
	while (argv[n])
		n++;
	if (n < 3 || n > WORDS_MOST || !stand_in_find_other("java", java))
		return 127;
	stand_in_beside("jvm", path);
	snprintf(classes, sizeof classes, "%s/classes", path);
	words[k++] = java;
	for (size_t i = 1; i < n - 2; i++)
		words[k++] = argv[i];
	words[k++] = option;
	words[k++] = classes;
	words[k++] = class;
	words[k++] = argv[n - 2];
	words[k++] = argv[n - 1];
	return stand_in_become(java, words);
}

void surefire_stand_in(void)
{
	char path[PATH_SIZE + 64], part[PATH_SIZE + 128];
	stand_in_take(SUREFIRE);
	stand_in_path(REPLAY_NOTE ".jdk", path);
	mkdir(path, 0755);
	snprintf(part, sizeof part, "%s/bin", path);
	mkdir(part, 0755);
	stand_in_take(REPLAY_NOTE ".jdk/bin/java");
	javac_stand_in();
}
