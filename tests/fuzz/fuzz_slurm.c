/* reads: answers of Slurm's programs, and job.json */
/* What sbatch, squeue and a batch's directory say. An id has digits alone, since it goes into
 * commands, and states are text. */
#include "run/batch/slurm_calls.c"
#include "tests/fuzz/fuzz.h"

static void check_job(const struct slurm_job *job)
{
	assert(*job->id && job->id[strspn(job->id, "0123456789")] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct slurm_job job = {.id = NULL};
	AUTO_FREE char *answer = fuzz_text(data, size);
	if (sbatch_read(answer, &arena, &job))
		check_job(&job);
	assert_text(call_words("sbatch", answer, &arena));
	call_may_pass(answer);
	const char *at = answer, *end = at + strlen(at), *line;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		struct slurm_element element;
		if (squeue_read_line(line, n, &arena, &element))
			assert_text(element.reason);
	}
	assert(file_make_dir(fuzz_path("slurm"), 0700, &err) == 0);
	fuzz_write("slurm/job.json", data, size);
	if (slurm_job_read(fuzz_dir(), &arena, &job) == 0) {
		assert(job.n_parts > 0);
		check_job(&job);
	}
	return 0;
}
