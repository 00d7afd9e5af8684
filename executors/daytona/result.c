/* What a command in a sandbox came to: its answer is fetched, read, and what changed there is taken over here. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/daytona/daytona.h"

#define MOST_ANSWER ((size_t)600 << 20)
#define MOST_NAMED 8 /* refused files that the output names */

/* The answer as a file that nobody sees, mapped. */
struct mapping {
	char *bytes;
	size_t n;
};

static void unmap(struct mapping *mapping)
{
	if (mapping->n)
		munmap(mapping->bytes, mapping->n);
}

static int open_nameless(const char *dir, struct arena *arena, struct rondo_error *err)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	char *path = arena_printf(arena, "%s/.answer-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a file in '%s'", dir);
	unlink(path);
	return fd;
}

/* False in *ret_found: there is none. */
static int fetch(
	struct errand *errand, struct mapping *mapping, bool *ret_found, struct rondo_error *err)
{
	const struct daytona *daytona = errand->daytona;
	const char *path =
		arena_printf(errand->arena, "%s/answer.%d", daytona->place, (int)daytona->number);
	AUTO_CLOSE fd = open_nameless(errand->executor->cache_dir, errand->arena, err);
	struct stat st;
	int status = 0;
	*ret_found = false;
	if (fd < 0)
		return -1;
	if (daytona_download(&daytona->api, &daytona->sandbox, path, fd, MOST_ANSWER, &status,
		    errand->ctx->cancel, err) < 0)
		return status == 404 ? 0 : -1;
	if (fstat(fd, &st) < 0 || st.st_size == 0)
		return 0;
	void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot read what the sandbox sent");
	*mapping = (struct mapping){bytes, (size_t)st.st_size};
	*ret_found = true;
	return 0;
}

struct refusals {
	struct strbuf text;
	size_t n;
};

static void refuse(struct refusals *refusals, const struct answer_item *item, const char *why)
{
	if (refusals->n++ >= MOST_NAMED)
		return;
	strbuf_addf(&refusals->text, "\n[%s stays in the sandbox: %s]", item->path, why);
}

/* What is gone lies behind what it lay in, so that directories are empty when their turn comes. */
static int take_over(struct errand *errand, const struct answer *answer, struct refusals *refusals,
	struct rondo_error *err)
{
	struct daytona *daytona = errand->daytona;
	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < answer->n; i++) {
			const struct answer_item *item =
				&answer->items[pass ? i : answer->n - 1 - i];
			const char *why;
			if ((item->kind == ANSWER_GONE) == (pass == 1))
				continue;
			if (mirror_take(item->in_cache ? &daytona->cache : &daytona->tree, item,
				    &why, err) < 0)
				return -1;
			if (why)
				refuse(refusals, item, why);
		}
	}
	return 0;
}

static int hand_on_output(
	const struct errand *errand, const struct answer *answer, struct rondo_error *err)
{
	const struct command *command = errand->command;
	size_t n = answer->n_output;
	if (command->output)
		utf8_scrub(command->output, answer->output, n);
	if (command->log_limit && file_write_all(command->log_fd, answer->output,
					  n < command->log_limit ? n : command->log_limit) < 0)
		return error_errno(
			err, RONDO_ERROR_TRANSIENT, "cannot keep what the command printed");
	return 0;
}

static void conclude(const struct errand *errand, const struct answer *answer, int code)
{
	const struct command *command = errand->command;
	struct process_result *result = errand->result;
	uint64_t most = command->output_limit ? command->output_limit : DAYTONA_MOST_OUTPUT;
	code = answer->exit_code >= 0 ? answer->exit_code : code;
	*result = (struct process_result){
		.end = PROCESS_EXITED, .exit_code = code & 255, .output_bytes = answer->n_output};
	if (answer->n_output > most) {
		*result = (struct process_result){.end = PROCESS_OUTPUT_LIMIT,
			.exit_code = 137,
			.signal = 9,
			.output_bytes = answer->n_output};
	} else if (errand->is_timed_out) {
		result->end = PROCESS_TIMEOUT;
		result->exit_code = 124;
	} else if (result->exit_code > 128 &&
		   result->exit_code <= 128 + 31) { /* as a shell says it, and only so */
		result->end = PROCESS_SIGNALLED;
		result->signal = result->exit_code - 128;
	}
}

static int settle(
	struct errand *errand, const struct answer *answer, int code, struct rondo_error *err)
{
	struct refusals refusals = {.text = STRBUF_INIT(STRBUF_LINE)};
	if (!answer->is_applied)
		return error_set(err, RONDO_ERROR_TRANSIENT,
			"the sandbox did not take the files: %.*s",
			(int)(answer->n_output < 300 ? answer->n_output : 300), answer->output);
	mirror_accept(&errand->daytona->tree, &errand->tree);
	mirror_accept(&errand->daytona->cache, &errand->cache);
	errand->daytona->packages_at = NULL;
	int status = hand_on_output(errand, answer, err);
	if (status == 0)
		status = take_over(errand, answer, &refusals, err);
	if (errand->command->output && refusals.n) {
		strbuf_adds(errand->command->output, refusals.text.text);
		if (refusals.n > MOST_NAMED)
			strbuf_addf(errand->command->output, "\n[and %zu more]",
				refusals.n - MOST_NAMED);
		strbuf_addc(errand->command->output, '\n');
	}
	strbuf_release(&refusals.text);
	if (status == 0)
		conclude(errand, answer, code);
	return status;
}

/* The toolbox could not start a shell, or rondo's script lacks a tool of the image's. */
static int settle_without(
	struct errand *errand, int code, const char *text, struct rondo_error *err)
{
	if (code != -1)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"the sandbox's image lacks what a command needs there (sh, find, stat, sort, mkfifo): exit code %d: %s",
			code, text);
	if (errand->command->output)
		strbuf_addf(errand->command->output,
			"%s%sThe sandbox could not start a shell for this command (exit code -1).\n",
			text, *text ? "\n" : "");
	*errand->result = (struct process_result){.end = PROCESS_EXITED, .exit_code = 127};
	return 0;
}

int daytona_bring_back(struct errand *errand, int code, const char *text, struct rondo_error *err)
{
	__attribute__((cleanup(unmap))) struct mapping mapping = {0};
	struct answer answer;
	bool found;
	if (fetch(errand, &mapping, &found, err) < 0)
		return -1;
	if (!found)
		return settle_without(errand, code, text, err);
	if (answer_read(mapping.bytes, mapping.n, errand->arena, &answer, err) < 0)
		return -1;
	return settle(errand, &answer, code, err);
}
