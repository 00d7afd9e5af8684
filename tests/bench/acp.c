/*
 * What a turn by the Agent Client Protocol costs beside the agent's own time. rondo runs a team of
 * one agent in the sandbox; at each prompt it edits a file and answers soon, and says how long
 * that took. The rest of the time between a turn's two events is rondo's: trees are read and
 * written, and the journal is. And how rondo's memory grows over these turns.
 */
#include <inttypes.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/json/json.h"
#include "tests/bench/bench.h"

enum { TURNS = 60, FILE_LINES = 40, AGENT_MS = 20 };

/* --- The agent --- */

static void agent_edit(int turn)
{
	FILE *file = fopen("f0.py", "w");
	if (!file)
		exit(1);
	fprintf(file, "turn = %d\n", turn);
	fclose(file);
}

static void agent_answer(const char *id, const char *result)
{
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result);
	fflush(stdout);
}

/* Its message is the microseconds that it took. They are more than a tick of the kernel's clock of
 * files: within one nobody can tell by its times whether a file is as it was, and it is read. */
static void agent_take_prompt(const char *id, int64_t begun_us, int turn)
{
	agent_edit(turn);
	poll(NULL, 0, AGENT_MS);
	printf("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\","
		   "\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\","
		   "\"text\":\"took %" PRId64 " us\"}}}}\n",
		clock_now_us() - begun_us);
	agent_answer(id, "{\"stopReason\":\"end_turn\"}");
}

static int agent_run(void)
{
	AUTO_FREE char *line = NULL;
	size_t size = 0;
	int turn = 0;
	for (ssize_t n; (n = getline(&line, &size, stdin)) > 0;) {
		struct rondo_error err;
		int64_t begun_us = clock_now_us();
		AUTO_JSON *message = json_parse(line, (size_t)n, &err);
		const char *method = message ? json_string(message, "method", "") : "";
		char id[32];
		snprintf(id, sizeof id, "%" PRId64, message ? json_int(message, "id", 0) : 0);
		if (strcmp(method, "initialize") == 0)
			agent_answer(id, "{\"protocolVersion\":1,\"agentCapabilities\":{}}");
		else if (strcmp(method, "session/new") == 0)
			agent_answer(id, "{\"sessionId\":\"s\"}");
		else if (strcmp(method, "session/prompt") == 0)
			agent_take_prompt(id, begun_us, ++turn);
	}
	return 0;
}

/* --- The run --- */

static void make_repository(const char *dir, const char *agent, int files, struct arena *arena)
{
	bench_shell(dir,
		arena_printf(arena,
			"mkdir repo home; cd repo; git init -q; git config user.name bench; git config "
			"user.email bench@localhost; for i in $(seq 0 %d); do seq %d >f$i.py; done; git add .; "
			"git commit -qm base",
			files - 1, FILE_LINES));
	const char *text = arena_printf(arena,
		"task: Go on.\nagents: {coder: {type: acp, command: %s agent}}\n"
		"team: {participants: [coder], max_turns: %d}\nworkspace: {repo: repo}\n"
		"executor: sandbox\n",
		agent, TURNS);
	const char *path = arena_printf(arena, "%s/run.yaml", dir);
	struct rondo_error err;
	bench_must(file_create(path, text, strlen(text), 0644, &err), &err);
}

static pid_t start(const char *rondo, const char *dir, FILE **ret_events)
{
	int out[2];
	char state[300], cache[300];
	snprintf(state, sizeof state, "%s/home/state", dir);
	snprintf(cache, sizeof cache, "%s/home/cache", dir);
	if (pipe(out) < 0)
		exit(1);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		setenv("XDG_STATE_HOME", state, 1);
		setenv("XDG_CACHE_HOME", cache, 1);
		if (chdir(dir) == 0)
			execl(rondo, rondo, "run", "--json", "run.yaml", (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	*ret_events = fdopen(out[0], "r");
	return pid;
}

static int64_t memory_kb(pid_t pid)
{
	char path[64], line[256];
	int64_t kb = 0;
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "r");
	while (file && !kb && fgets(line, sizeof line, file))
		if (strncmp(line, "VmRSS:", 6) == 0)
			kb = strtoll(line + 6, NULL, 10);
	if (file)
		fclose(file);
	return kb;
}

/* Microseconds of one look at each file: how a turn grows with the repository. */
static int64_t look_us(const char *dir, int files)
{
	int64_t times[5];
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		int64_t start_us = clock_now_us();
		for (int file = 0; file < files; file++) {
			char path[400];
			struct stat st;
			snprintf(path, sizeof path, "%s/repo/f%d.py", dir, file);
			if (lstat(path, &st) < 0)
				exit(1);
		}
		times[i] = clock_now_us() - start_us;
	}
	return bench_median(times, ARRAY_SIZE(times)) + 1;
}

struct seen {
	int64_t overhead_us[TURNS], agent_us[TURNS], begun_us, before_kb, last_kb;
	size_t n;
};

/* One event of the run's. */
static void take(struct seen *seen, const struct json *event, pid_t pid)
{
	const char *type = json_string(event, "type", "");
	int64_t now_us = clock_now_us();
	if (strcmp(type, "turn.start") == 0) {
		seen->begun_us = now_us;
		if (!seen->n)
			seen->before_kb = memory_kb(pid);
	}
	const char *text = json_string(json_get(event, "message"), "content", "");
	const char *took = strstr(text, "took ");
	if (strcmp(type, "message") == 0 && took && seen->n < TURNS)
		seen->agent_us[seen->n] = strtoll(took + 5, NULL, 10);
	if (strcmp(type, "turn.end") != 0 || seen->n >= TURNS)
		return;
	seen->overhead_us[seen->n] = now_us - seen->begun_us - seen->agent_us[seen->n];
	seen->last_kb = memory_kb(pid);
	seen->n++;
}

static void measure(const char *rondo, const char *agent, int files, struct arena *arena)
{
	struct seen seen = {.n = 0};
	struct rondo_error err;
	FILE *events;
	AUTO_FREE char *line = NULL;
	size_t size = 0;
	const char *dir = bench_directory(arena);
	make_repository(dir, agent, files, arena);
	pid_t pid = start(rondo, dir, &events);
	for (ssize_t n; (n = getline(&line, &size, events)) > 0;) {
		AUTO_JSON *event = json_parse(line, (size_t)n, &err);
		if (event)
			take(&seen, event, pid);
	}
	fclose(events);
	waitpid(pid, NULL, 0);
	int64_t look = look_us(dir, files);
	bench_must(file_remove_tree(dir, &err), &err);
	if (seen.n < 3) {
		fprintf(stderr, "acp: %zu turns, of %d\n", seen.n, TURNS);
		exit(1);
	}
	int64_t overhead = bench_median(seen.overhead_us + 1, seen.n - 1);
	printf(
		"acp: a turn among %4d files: %5.2f ms beside the agent's %.2f ms (limit 5 ms), %.0f x one "
		"look at each; the first %.0f ms; memory grows by %.1f MB in %zu turns (limit 5 MB)\n",
		files, (double)overhead / 1000, (double)bench_median(seen.agent_us + 1, seen.n - 1) / 1000,
		(double)overhead / (double)look, (double)seen.overhead_us[0] / 1000,
		(double)(seen.last_kb - seen.before_kb) / 1024, seen.n);
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	if (argc != 2) {
		fprintf(stderr, "usage: acp RONDO\n");
		return 2;
	}
	if (strcmp(argv[1], "agent") == 0)
		return agent_run();
	struct rondo_error err;
	const char *self = file_real_path(&arena, "/proc/self/exe", &err);
	const char *rondo = file_real_path(&arena, argv[1], &err);
	if (!self || !rondo)
		bench_must(-1, &err);
	measure(rondo, self, 3, &arena);
	measure(rondo, self, 300, &arena);
	measure(rondo, self, 3000, &arena);
	return 0;
}
