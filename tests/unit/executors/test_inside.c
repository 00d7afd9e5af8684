/* The helper of containers and sandboxes, as it is put there: what it is sent, what it runs, what
 * it tells. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/helper_answer.h"

#define NOBODY 65534

struct place {
	char top[TOP_SIZE];
	struct arena arena;
	struct strbuf request, told;
	struct answer answer;
	char printed[1000];
	struct rondo_error err;
};

static const char *at(struct place *place, const char *name)
{
	return arena_printf(&place->arena, "%s/%s", place->top, name);
}

static void give(const char *path)
{
	if (getuid() == 0)
		assert_int_equal(lchown(path, NOBODY, NOBODY), 0);
}

static int set_up(void **state)
{
	static const char *const dirs[] = {"", "tree", "cache", "keep"};
	struct place *place = *state = memory_alloc(sizeof *place);
	place->request = place->told = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
	if (!make_top(place->top))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		if (i && mkdir(at(place, dirs[i]), 0755) < 0)
			return -1;
		give(at(place, dirs[i]));
	}
	return file_create(
		at(place, "inside"), inside_programs[0].bytes, inside_programs[0].n, 0755, &place->err);
}

static int tear_down(void **state)
{
	struct place *place = *state;
	file_remove_tree(place->top, &place->err);
	strbuf_release(&place->request);
	strbuf_release(&place->told);
	arena_release(&place->arena);
	free(place);
	return 0;
}

/* --- Running it --- */

/* As an ordinary user, in the tree. */
static void become(struct place *place, const char *const *words, int input)
{
	const char *argv[24] = {"inside"};
	static const char *const env[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
	for (size_t i = 0; words[i]; i++)
		argv[i + 1] = words[i];
	int out = open(at(place, "printed"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err = open(at(place, "records"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	dup2(input, 0);
	dup2(out, 1);
	dup2(err, 2);
	if (chdir(at(place, "tree")) < 0 ||
		(getuid() == 0 && (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)))
		_exit(120);
	execve(at(place, "inside"), (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	_exit(121);
}

static void read_answer(struct place *place, const char *name)
{
	AUTO_STRBUF printed = STRBUF_INIT(1000);
	strbuf_reset(&place->told);
	assert_int_equal(file_read(at(place, name), STRBUF_RECORD, &place->told, &place->err), 0);
	answer_read(place->told.text, place->told.length, &place->arena, &place->answer);
	assert_int_equal(file_read(at(place, "printed"), 1000, &printed, &place->err), 0);
	snprintf(place->printed, sizeof place->printed, "%s", printed.text);
}

/* Its exit code. What it is sent comes through a pipe, which stays open until it ends. */
static int inside(struct place *place, const char *const *words)
{
	int in[2], status;
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0)
		become(place, words, in[0]);
	close(in[0]);
	assert_int_equal(file_write_all(in[1], place->request.text, place->request.length), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(in[1]);
	strbuf_reset(&place->request);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void add(
	struct place *place, enum record_kind kind, unsigned root, const char *path, const char *text)
{
	char head[RECORD_HEAD];
	struct record record = {
		.kind = kind, .root = root, .size = strlen(text) + (kind == RECORD_LINK)};
	strbuf_add(&place->request, head, record_write(head, &record));
	strbuf_add(&place->request, path, strlen(path) + 1);
	strbuf_add(&place->request, text, record.size);
}

/* What was added is sent, and the line is run. */
static void run(struct place *place, const char *line)
{
	const char *const words[] = {
		INSIDE_RUN, "20000", line, at(place, "tree"), at(place, "cache"), "kept", NULL};
	add(place, RECORD_END, 0, "", "");
	inside(place, words);
	read_answer(place, "records");
}

static int keep(
	struct place *place, const char *name, const char *request, const char *ms, const char *line)
{
	const char *const words[] = {INSIDE_KEEP, at(place, "keep"), name, "previous", request,
		"100000", ms, line, at(place, "tree"), at(place, "cache"), NULL};
	int code = inside(place, words);
	if (code == INSIDE_ANSWERED)
		read_answer(place, arena_printf(&place->arena, "keep/%s/" INSIDE_ANSWER, name));
	return code;
}

/* --- What it told --- */

/* "dx fx=text lx>target gx", in its order; of a long text only how long it is. */
static const char *told(struct place *place)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < place->answer.n; i++) {
		const struct answer_item *item = &place->answer.items[i];
		strbuf_addf(&text, "%s%s%c%s%s", i ? " " : "", item->root ? "cache:" : "", item->kind,
			item->path, item->is_executable ? "*" : "");
		if (item->kind == RECORD_REFUSED)
			strbuf_addf(&text, ": %s;", item->why);
		else if (item->n > 20)
			strbuf_addf(&text, "=%zu", item->n);
		else if (item->n)
			strbuf_addf(
				&text, "%c%.*s", item->kind == RECORD_LINK ? '>' : '=', (int)item->n, item->bytes);
	}
	return arena_strdup(&place->arena, text.text);
}

#define assert_told(place, expected) \
	assert_true((place)->answer.is_whole); \
	assert_string_equal(told(place), expected)

/* All of these, in whatever order a directory is read. */
static const char *assert_tells(struct place *place, const char *const *parts, size_t n)
{
	const char *text = told(place);
	assert_true(place->answer.is_whole);
	for (size_t i = 0; i < n; i++)
		if (!strstr(text, parts[i]))
			fail_msg("'%s' is not in '%s'", parts[i], text);
	return text;
}

static void assert_ended(struct place *place, enum inside_end end, int value)
{
	assert_int_equal(place->answer.report.end, end);
	assert_int_equal(place->answer.report.value, value);
}

static void assert_text(struct place *place, const char *name, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(1000);
	assert_int_equal(file_read(at(place, name), 1000, &text, &place->err), 0);
	assert_string_equal(text.text, expected);
}

/* A line whose naps are of this process alone: the machine may have others who run these tests. */
static const char *napping(struct place *place, const char *line)
{
	return arena_printf(&place->arena, "nap=900.%d; %s", (int)getpid(), line);
}

static bool lives(struct place *place)
{
	const char *line = arena_printf(&place->arena,
		"grep -lax 'sleep.900.%d.' /proc/[0-9]*/cmdline 2>/dev/null | grep -c .", (int)getpid());
	FILE *pipe = popen(line, "r");
	int n = 0;
	assert_int_equal(fscanf(pipe, "%d", &n), 1);
	pclose(pipe);
	return n;
}

/* --- Tests --- */

static void ends_are_told_exactly(void **state)
{
	struct place *place = *state;
	run(place, "echo out; echo err >&2; exit 3");
	assert_ended(place, INSIDE_ENDED, 3 << 8);
	assert_string_equal(place->printed, "out\nerr\n");
	assert_true(place->answer.report.max_rss_bytes > 0);
	assert_told(place, "");
	run(place, "kill -SEGV $$");
	assert_int_equal(place->answer.report.value & 127, 11);
	const char *const late[] = {
		INSIDE_RUN, "300", napping(place, "setsid sleep $nap & sleep $nap"), NULL};
	inside(place, late);
	read_answer(place, "records");
	assert_ended(place, INSIDE_TIMEOUT, 0);
	assert_false(lives(place));
}

static void what_is_sent_is_put_in_its_place(void **state)
{
	struct place *place = *state;
	struct stat st;
	add(place, RECORD_DIR, 0, "d", "");
	strbuf_add(&place->request, "f 0 1 3 981173106000000007 d/e/a b\0one",
		sizeof "f 0 1 3 981173106000000007 d/e/a b\0one" - 1);
	add(place, RECORD_LINK, 0, "d/l", "e/a b");
	add(place, RECORD_FILE, 1, "of the cache", "two");
	add(place, RECORD_FILE, 0, "new\nline", "");
	run(place, "cat 'd/e/a b' ../cache/*; test -x 'd/e/a b'");
	assert_ended(place, INSIDE_ENDED, 0);
	assert_string_equal(place->printed, "onetwo");
	assert_told(place, "");
	assert_int_equal(stat(at(place, "tree/d/l"), &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 981173106);
	assert_int_equal(st.st_mtim.tv_nsec, 7);
	assert_int_equal(st.st_mode & 07777, 0755);
	add(place, RECORD_GONE, 0, "d", "");
	add(place, RECORD_GONE, 0, "never/there", "");
	run(place, "ls");
	assert_string_equal(place->printed, "new\nline\n");
}

/* What programs have planted gives way, and is never followed. */
static void what_stands_in_the_way_is_removed(void **state)
{
	struct place *place = *state;
	assert_int_equal(mkdir(at(place, "outside"), 0777), 0);
	give(at(place, "outside"));
	run(place,
		"echo sings >../outside/canary; ln -s ../outside dir; ln -s ../outside/canary file; mkfifo "
		"fifo; "
		"mkdir -p full/of/things closed; touch full/of/things/x; chmod 555 closed; mkdir dead; "
		"chmod 0 dead");
	add(place, RECORD_FILE, 0, "dir/canary", "1");
	add(place, RECORD_FILE, 0, "file", "2");
	add(place, RECORD_FILE, 0, "fifo", "3");
	add(place, RECORD_FILE, 0, "full", "4");
	add(place, RECORD_FILE, 0, "closed/a", "5");
	add(place, RECORD_LINK, 0, "dead/l", "../full");
	run(place, "cat file fifo full closed/a dead/l; ls dir");
	assert_string_equal(place->printed, "23454canary\n");
	assert_text(place, "outside/canary", "sings\n");
	assert_int_equal(place->answer.report.end, INSIDE_ENDED);
}

static void a_request_that_breaks_off_runs_nothing(void **state)
{
	struct place *place = *state;
	static const char *const requests[] = {
		"", "f 0 0 100 0 a", "nonsense", "f 0 0 9999999999999999999999 0 a", "d 7 0 0 0 a"};
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		int in[2], status;
		const char *const words[] = {
			INSIDE_RUN, "0", "touch ran", at(place, "tree"), at(place, "cache"), NULL};
		assert_int_equal(pipe2(in, O_CLOEXEC), 0);
		pid_t pid = fork();
		if (pid == 0)
			become(place, words, in[0]);
		close(in[0]);
		assert_int_equal(
			write(in[1], requests[i], strlen(requests[i]) + 1), strlen(requests[i]) + 1);
		close(in[1]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		read_answer(place, "records");
		assert_ended(place, INSIDE_NO_FILES, EPROTO);
		assert_false(file_exists(at(place, "tree/ran")));
	}
}

static void what_cannot_be_written_is_told(void **state)
{
	struct place *place = *state;
	add(place, RECORD_FILE, 0,
		"name/that/is/more/than/a/file/system/takes/"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"text");
	add(place, RECORD_FILE, 0, "next", "is written");
	run(place, "touch ran");
	assert_ended(place, INSIDE_NO_FILES, ENAMETOOLONG);
	assert_text(place, "tree/next", "is written");
	assert_false(file_exists(at(place, "tree/ran")));
}

static void changes_are_told(void **state)
{
	struct place *place = *state;
	run(place,
		"mkdir -p old/deep turns; echo x >old/deep/file; echo x >same; echo x >turns/file; echo x "
		">swap; ln -s a link; "
		"chmod +x same; echo x >../cache/top");
	static const char *const made[] = {"dold dold/deep fold/deep/file=x\n",
		"dturns fturns/file=x\n", "fsame*=x\n", "fswap=x\n", "llink>a", "cache:ftop=x\n"};
	assert_tells(place, made, ARRAY_SIZE(made));
	run(place, "cat same; touch ../cache/.x; rm ../cache/.x");
	assert_told(place, "");
	/* Of one length, with its old time. */
	run(place,
		"rm -r old; rm -r turns; echo y >turns; touch -r same stamp; echo y >same; touch -r stamp "
		"same; rm stamp; rm swap; "
		"mkdir swap; echo z >swap/in; ln -sf b link; printf %s 'a b' >'new\nline'");
	static const char *const parts[] = {"gturns/file ", "gold/deep/file gold/deep gold ",
		"fturns=y\n", "fsame*=y\n", "dswap ", "fswap/in=z\n", "llink>b", "fnew\nline=a b"};
	const char *text = assert_tells(place, parts, ARRAY_SIZE(parts));
	assert_true(strstr(text, "dswap") < strstr(text, "fswap/in"));
	assert_true(strstr(text, "gold ") < strstr(text, "fsame"));
	assert_null(strstr(text, "stamp"));
}

/* What stays, what is passed over, and what a program has closed to itself. */
static void what_is_not_handed_over_is_named(void **state)
{
	struct place *place = *state;
	run(place,
		"mkfifo pipe; truncate -s 70000000 large; mkdir .git kept ../cache/site ../cache/report-1; "
		"touch .git/x kept/x "
		"../cache/site/x ../cache/report-1/x; ln -s /etc/passwd out; mkdir shut; echo s >shut/in; "
		"echo t >locked; "
		"chmod 0 shut locked");
	static const char *const parts[] = {"xpipe: it is no file, directory or link;",
		"xlarge: it is larger than 64 MiB;", "xout: it is a link that leads out of the tree;",
		"dshut", "fshut/in=s\n", "flocked=t\n", "cache:dreport-1", "cache:freport-1/x"};
	const char *text = assert_tells(place, parts, ARRAY_SIZE(parts));
	static const char *const nowhere[] = {".git", "kept", "site"};
	for (size_t i = 0; i < ARRAY_SIZE(nowhere); i++)
		assert_null(strstr(text, nowhere[i]));
	run(place, "chmod 0 .; true");
	assert_told(place, "");
}

static void what_is_too_deep_or_too_much_is_refused(void **state)
{
	struct place *place = *state;
	run(place, "i=0; while [ $i -lt 140 ]; do mkdir d && cd d; i=$((i + 1)); done; touch x");
	assert_true(place->answer.is_whole);
	assert_non_null(strstr(told(place), "it lies too deep;"));
	run(place, "rm -r d; seq 20002 | xargs touch");
	assert_true(place->answer.is_whole);
	size_t n = 0, files = 0;
	for (size_t i = 0; i < place->answer.n; i++) {
		files += place->answer.items[i].kind == RECORD_FILE;
		n += place->answer.items[i].why &&
			strcmp(place->answer.items[i].why, "there is too much of it") == 0;
	}
	assert_int_equal(files, 20000);
	assert_int_equal(n, 2);
}

static void a_name_that_is_no_name_here_is_refused(void **state)
{
	struct place *place = *state;
	run(place, "touch \"$(printf 'a\\377')\"; mkdir sub; mkdir sub/.GIT; touch sub/.GIT/config");
	static const char *const parts[] = {"xa\xef\xbf\xbd: it has a strange name;",
		"dsub xsub/.GIT: it has a strange name; xsub/.GIT/config: it has a strange name;"};
	assert_tells(place, parts, ARRAY_SIZE(parts));
}

static void a_directory_is_filled(void **state)
{
	struct place *place = *state;
	const char *const words[] = {INSIDE_FILL, at(place, "tree"), NULL};
	add(place, RECORD_FILE, 0, "a/b", "text");
	add(place, RECORD_END, 0, "", "");
	assert_int_equal(inside(place, words), 0);
	assert_text(place, "tree/a/b", "text");
	add(place, RECORD_FILE, 1, "a/c", "text");
	add(place, RECORD_END, 0, "", "");
	assert_int_equal(inside(place, words), 1);
}

/* --- Lines that are kept --- */

static void an_answer_is_kept(void **state)
{
	struct place *place = *state;
	assert_int_equal(keep(place, "1", "", "20000", "echo out; echo err >&2; echo x >made; exit 7"),
		INSIDE_ANSWERED);
	assert_ended(place, INSIDE_ENDED, 7 << 8);
	assert_int_equal(place->answer.n_output, strlen("out\nerr\n"));
	assert_memory_equal(place->answer.output, "out\nerr\n", strlen("out\nerr\n"));
	assert_told(place, "fmade=x\n");
	assert_int_equal(keep(place, "1", "", "20000", "echo again >made"), INSIDE_AGAIN);
	assert_text(place, "tree/made", "x\n");
	add(place, RECORD_FILE, 0, "made", "from here");
	add(place, RECORD_END, 0, "", "");
	assert_int_equal(file_write(at(place, "keep/2.request"), place->request.text,
						 place->request.length, 0644, &place->err),
		0);
	strbuf_reset(&place->request);
	assert_int_equal(keep(place, "2", "2.request", "20000", "cat made"), INSIDE_ANSWERED);
	assert_memory_equal(place->answer.output, "from here", strlen("from here"));
	assert_false(file_exists(at(place, "keep/2.request")));
	assert_int_equal(keep(place, "3", "3.request", "20000", "touch ran"), INSIDE_ANSWERED);
	assert_ended(place, INSIDE_NO_FILES, ENOENT);
	assert_false(file_exists(at(place, "tree/ran")));
}

static void a_kept_line_has_limits(void **state)
{
	struct place *place = *state;
	assert_int_equal(
		keep(place, "1", "", "3000", napping(place, "echo begun; setsid sleep $nap & sleep $nap")),
		INSIDE_ANSWERED);
	assert_ended(place, INSIDE_TIMEOUT, 0);
	assert_memory_equal(place->answer.output, "begun\n", strlen("begun\n"));
	assert_false(lives(place));
	assert_int_equal(keep(place, "2", "", "20000", "yes"), INSIDE_ANSWERED);
	assert_ended(place, INSIDE_OVERFLOW, 0);
	assert_int_equal(place->answer.n_output, 100000);
}

/* Who kills what it takes for the helper is told of; who kills the helper leaves no answer. */
static void the_helper_may_be_killed(void **state)
{
	struct place *place = *state;
	assert_int_equal(
		keep(place, "1", "", "20000",
			napping(place, "echo on; touch made; setsid sleep $nap & kill -9 $PPID; sleep $nap")),
		INSIDE_ANSWERED);
	assert_int_equal(place->answer.report.value & 127, 9);
	assert_told(place, "fmade");
	assert_false(lives(place));
	const char *const words[] = {INSIDE_KEEP, at(place, "keep"), "2", "1", "", "1000", "0",
		"read -r a b c parent rest </proc/$PPID/stat; kill -9 $parent", at(place, "tree"),
		at(place, "cache"), NULL};
	int status;
	pid_t pid = fork();
	if (pid == 0)
		become(place, words, 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	const char *const await[] = {INSIDE_AWAIT, at(place, "keep/2"), NULL},
					  *const never[] = {INSIDE_AWAIT, at(place, "keep/3"), NULL},
					  *const done[] = {INSIDE_AWAIT, at(place, "keep/1"), NULL};
	assert_int_equal(inside(place, await), INSIDE_GONE);
	assert_int_equal(inside(place, never), INSIDE_NEVER);
	assert_int_equal(inside(place, done), INSIDE_NEVER); /* it was removed with the next one */
}

static void a_kept_line_can_be_ended(void **state)
{
	struct place *place = *state;
	const char *const words[] = {INSIDE_KEEP, at(place, "keep"), "1", "0", "", "1000", "0",
		napping(place, "echo on; touch begun; sleep $nap"), at(place, "tree"), at(place, "cache"),
		NULL};
	const char *const end[] = {INSIDE_END, at(place, "keep/1"), NULL};
	int status;
	pid_t pid = fork();
	if (pid == 0)
		become(place, words, 0);
	while (!file_exists(at(place, "tree/begun")))
		poll(NULL, 0, 5);
	assert_int_equal(inside(place, end), INSIDE_ANSWERED);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), INSIDE_ANSWERED);
	read_answer(place, "keep/1/" INSIDE_ANSWER);
	assert_ended(place, INSIDE_CLOSED, 0);
	assert_memory_equal(place->answer.output, "on\n", 3);
	assert_told(place, "fbegun");
	assert_false(lives(place));
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

UNIT(inside)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(ends_are_told_exactly),
		IN_PLACE(what_is_sent_is_put_in_its_place),
		IN_PLACE(what_stands_in_the_way_is_removed),
		IN_PLACE(a_request_that_breaks_off_runs_nothing),
		IN_PLACE(what_cannot_be_written_is_told),
		IN_PLACE(changes_are_told),
		IN_PLACE(what_is_not_handed_over_is_named),
		IN_PLACE(what_is_too_deep_or_too_much_is_refused),
		IN_PLACE(a_name_that_is_no_name_here_is_refused),
		IN_PLACE(a_directory_is_filled),
		IN_PLACE(an_answer_is_kept),
		IN_PLACE(a_kept_line_has_limits),
		IN_PLACE(the_helper_may_be_killed),
		IN_PLACE(a_kept_line_can_be_ended),
	};
	return RUN_TESTS(tests);
}
