/* A program that is its own test: its assertion statements stand as they were, and it comes to its end. */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "gate/judging.h"

#define LARGEST_LOG ((size_t)256 << 20)

int program_seal(const struct gate *gate, const struct object *tree, struct workplace *place, char token[PROGRAM_TOKEN],
	const char **ret_refusal, struct rondo_error *err)
{
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_TEXT), fixed = STRBUF_INIT(STRBUF_TEXT);
	const char *path = gate->suite->program, *missing = NULL;
	if (repository_file(gate->repository, &gate->base->tree, path, &old, err) < 0 ||
		repository_file(gate->repository, tree, path, &fixed, err) < 0)
		return -1;
	if (!program_keeps_assertions(path, old.text, fixed.text, gate->arena, &missing)) {
		*ret_refusal = arena_printf(gate->arena, "an assertion was changed (rule protected-assertion): %s",
			missing ? missing : "");
		return 0;
	}
	hash_random(token, PROGRAM_TOKEN - 1);
	const char *sealed = program_with_token(path, fixed.text, token, gate->arena);
	if (!sealed) {
		*token = '\0';
		return 0;
	}
	struct file_edit file = {.path = path, .content = sealed};
	return worktree_apply(place->worktree, &(struct edit){.files = &file, .n = 1}, err);
}

int program_check_seal(const struct gate *gate, const struct test_report *report, const char *token,
	const char **ret_refusal, struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_RECORD);
	if (!report->log)
		return 0;
	if (file_read(report->log, LARGEST_LOG, &output, err) < 0)
		return -1;
	if (!strstr(output.text, token))
		*ret_refusal = arena_printf(gate->arena, "%s does not reach its end (rule program-end)", gate->suite->program);
	return 0;
}
