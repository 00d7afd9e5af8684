/* Coding agents of others on this machine, each asked for its version. */
#include <stdlib.h>
#include <string.h>

#include "agents/external/external.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/doctor/doctor.h"

struct coder_trial {
	const struct known_coder *coder;
	struct arena arena;
	bool is_here, speaks_acp;
	const char *version; /* NULL: it does not say it */
};

/* The program of a command: its first word. */
static bool coder_finds(const char *command, struct arena *arena, const char **ret_program)
{
	if (!command)
		return false;
	*ret_program = arena_strndup(arena, command, strcspn(command, " "));
	return file_search(arena, getenv("PATH"), *ret_program);
}

static void *coder_try(void *owner)
{
	struct coder_trial *trial = owner;
	const char *program, *acp;
	trial->speaks_acp = coder_finds(trial->coder->acp, &trial->arena, &acp);
	trial->is_here = coder_finds(trial->coder->command, &trial->arena, &program);
	if (trial->is_here)
		trial->version = doctor_version(program, "--version", &trial->arena);
	return NULL;
}

/* npm says nothing where a package wants a newer Node: it takes an old version of it. */
static const char *coders_advice(
	const struct coder_trial *trials, const char *node, struct arena *arena)
{
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_LINE), text = STRBUF_INIT(STRBUF_LINE);
	int major = node ? atoi(node) : 0, least = 0;
	for (size_t i = 0; i < known_coders_n; i++) {
		const struct known_coder *coder = trials[i].coder;
		if (!major || coder->least_node <= major)
			continue;
		strbuf_addf(&old, "%s%s", old.length ? ", " : "", coder->name);
		least = coder->least_node > least ? coder->least_node : least;
	}
	if (old.length)
		strbuf_addf(&text,
			"by node %d npm installs old versions of %s without a word: node %d first", major,
			old.text, least);
	return text.length ? arena_strdup(arena, text.text) : NULL;
}

struct doctor_line doctor_coders(struct arena *arena)
{
	struct coder_trial *trials = arena_alloc(arena, known_coders_n * sizeof *trials);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < known_coders_n; i++)
		trials[i].coder = &known_coders[i];
	thread_each(coder_try, trials, known_coders_n, sizeof *trials);
	for (size_t i = 0; i < known_coders_n; i++) {
		const struct coder_trial *trial = &trials[i];
		if (!trial->is_here && !trial->speaks_acp)
			continue;
		const char *found = trial->version ? trial->version : trial->is_here ? "there" : "-";
		strbuf_addf(&text, "%s%s %s%s", text.length ? "  " : "", trial->coder->name, found,
			trial->speaks_acp ? " (acp)" : "");
	}
	if (!text.length)
		strbuf_adds(&text, "none here: rondo list coders says what installs them");
	struct doctor_line line = {.name = "coders",
		.works = true,
		.found = arena_strdup(arena, text.text),
		.help = coders_advice(trials, doctor_version("node", "--version", arena), arena)};
	for (size_t i = 0; i < known_coders_n; i++)
		arena_release(&trials[i].arena);
	return line;
}
