/* The journal: one writer, whole records, and what it says of a run that broke off. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/journal/history.h"
#include "run/journal/journal.h"

static char top[TOP_SIZE];
static char dir[sizeof top + 32];
static int n_dirs;
static struct rondo_error err;

/* A directory of its own for each test. */
static void new_dir(void)
{
	snprintf(dir, sizeof dir, "%s/%d", top, n_dirs++);
	assert_int_equal(file_make_dir(dir, 0700, &err), 0);
}

static const char *path_of(const char *name)
{
	static char path[sizeof dir + 64];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void write_journal(const char *text)
{
	new_dir();
	assert_int_equal(file_write(path_of("journal.jsonl"), text, strlen(text), 0600, &err), 0);
}

static void begin(struct journal *journal)
{
	new_dir();
	assert_int_equal(journal_lock(journal, dir, &err), 0);
	assert_int_equal(journal_create(journal, dir, "run", &err), 0);
}

static int count_records(void *owner, const struct json *record)
{
	int *count = owner;
	assert_int_equal(json_int(record, "seq", 0), ++*count);
	return 0;
}

static int count(void)
{
	int n = 0;
	assert_int_equal(journal_read(dir, count_records, &n, &err), 0);
	return n;
}

static const struct rondo_message said = {.source = "a", .content = "line\nbreak \xff"};
static const struct rondo_event saying = {.type = RONDO_EVENT_MESSAGE, .message = &said};

static void is_read_up_to_a_torn_line(void **state)
{
	(void)state;
	struct journal journal;
	begin(&journal);
	for (int i = 0; i < 3; i++)
		assert_int_equal(journal_append(&journal, &saying, NULL, &err), 0);
	assert_int_equal(write(journal.fd, "{\"torn", 6), 6);
	journal_close(&journal);
	assert_int_equal(count(), 3);
	assert_int_equal(journal_lock(&journal, dir, &err), 0);
	assert_int_equal(journal_create(&journal, dir, "run", &err), -1);
	journal_close(&journal);
}

static void a_broken_middle_is_refused_with_its_line(void **state)
{
	(void)state;
	int n = 0;
	write_journal("{\"seq\":1}\n{broken}\n{\"seq\":2}\n");
	assert_int_equal(journal_read(dir, count_records, &n, &err), -1);
	assert_non_null(strstr(err.message, "journal.jsonl:2: "));
}

static void goes_on_behind_its_last_whole_record(void **state)
{
	(void)state;
	struct journal journal;
	AUTO_STRBUF torn = STRBUF_INIT(STRBUF_LINE);
	static const char text[] = "{\"seq\":1}\n{\"seq\":2}\n{\"se";
	write_journal(text);
	assert_int_equal(journal_lock(&journal, dir, &err), 0);
	journal.seq = 2;
	assert_int_equal(journal_continue(&journal, dir, "run", 20, &err), 0);
	assert_int_equal(journal_append(&journal, &saying, NULL, &err), 0);
	journal_close(&journal);
	assert_int_equal(count(), 3);
	assert_int_equal(file_read(path_of("journal.jsonl.torn"), STRBUF_LINE, &torn, &err), 0);
	assert_string_equal(torn.text, "{\"se");
}

static void a_second_writer_is_refused_and_told_of_the_first(void **state)
{
	(void)state;
	struct journal journal, second = {.fd = -1, .lock = -1};
	char process[32];
	begin(&journal);
	snprintf(process, sizeof process, "process %d on ", (int)getpid());
	assert_int_equal(journal_lock(&second, dir, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	assert_non_null(strstr(err.message, "this run is running already: "));
	assert_non_null(strstr(err.message, process));
	journal_close(&journal);
	assert_int_equal(journal_lock(&second, dir, &err), 0);
	journal_close(&second);
}

/* rondo was killed, and a program that it had just started still holds its lock: until it is gone,
 * too. */
static void waits_for_what_a_dead_writer_left(void **state)
{
	(void)state;
	struct journal journal;
	int gone[2];
	new_dir();
	assert_int_equal(pipe2(gone, O_CLOEXEC), 0);
	pid_t writer = fork();
	if (writer == 0) {
		if (journal_lock(&journal, dir, &err) == 0 && fork() == 0) {
			struct pollfd pollfd = {.fd = gone[0], .events = POLLIN};
			poll(&pollfd, 1, 300); /* nobody writes: it is there for a while */
		}
		_exit(0);
	}
	assert_int_equal(waitpid(writer, NULL, 0), writer);
	assert_int_equal(journal_lock(&journal, dir, &err), 0);
	journal_close(&journal);
	close(gone[0]);
	close(gone[1]);
}

static void a_disk_that_is_full_ends_the_run_as_transient(void **state)
{
	(void)state;
	struct journal journal;
	begin(&journal);
	close(journal.fd);
	journal.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_int_equal(journal_append(&journal, &saying, NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	journal_close(&journal);
}

/* The kernel takes a part of the record, as on a disk that fills up; then there is room again. */
static void a_record_that_did_not_fit_is_taken_back(void **state)
{
	(void)state;
	struct journal journal;
	struct rlimit limit, low;
	AUTO_STRBUF before = STRBUF_INIT(STRBUF_TEXT), after = STRBUF_INIT(STRBUF_TEXT);
	begin(&journal);
	for (int i = 0; i < 3; i++)
		assert_int_equal(journal_append(&journal, &saying, NULL, &err), 0);
	assert_int_equal(journal_text(dir, &before, &err), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (size_t part = 0; part < 20; part += 19) {
		low = (struct rlimit){before.length + part, limit.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
		int result = journal_append(&journal, &saying, NULL, &err);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(result, -1);
		assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
		strbuf_truncate(&after, 0);
		assert_int_equal(journal_text(dir, &after, &err), 0);
		assert_string_equal(after.text, before.text);
	}
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(journal_append(&journal, &saying, NULL, &err), 0);
	journal_close(&journal);
	assert_int_equal(count(), 4);
}

static void a_directory_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	struct journal journal;
	assert_int_equal(journal_lock(&journal, "/nowhere/at/all", &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_int_equal(journal_create(&journal, "/nowhere/at/all", "run", &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
}

/* --- What it says of a run --- */

#define START \
	"{\"v\":2,\"seq\":1,\"ms\":0,\"type\":\"run.start\",\"text\":\"r\",\"data\":{\"dir\":\"/" \
	"d\"}}\n"
#define BASE "{\"v\":2,\"seq\":2,\"ms\":5,\"type\":\"base\",\"data\":{\"name\":\"n\"}}\n"
#define TASK \
	"{\"v\":2,\"seq\":3,\"ms\":6,\"type\":\"message\",\"source\":\"user\"," \
	"\"message\":{\"id\":1,\"type\":\"text\",\"source\":\"user\",\"content\":\"go\",\"created_at_" \
	"ms\":1}}\n"

static int read_history(const char *text, struct history *history)
{
	write_journal(text);
	return history_read(history, dir, &err);
}

static void a_history_is_read_as_far_as_the_chat(void **state)
{
	(void)state;
	struct history history;
	assert_int_equal(read_history(START BASE TASK "{\"v\":2,\"seq\":4", &history), 0);
	assert_string_equal(json_string(history.start, "dir", ""), "/d");
	assert_true(history.has_site);
	assert_string_equal(history.site.name, "n");
	assert_false(history.has_baseline);
	assert_null(history.outcome);
	assert_int_equal(history.seq, 3);
	assert_int_equal(history.elapsed_ms, 6);
	assert_int_equal(history.length, strlen(START BASE TASK));
	assert_memory_equal(history.chat, TASK, strlen(TASK));
	history_release(&history);
}

static void a_run_that_has_ended_says_how(void **state)
{
	(void)state;
	struct history history;
	assert_int_equal(
		read_history(
			START "{\"v\":2,\"seq\":2,\"type\":\"run.end\",\"text\":\"verified\"}\n", &history),
		0);
	assert_string_equal(history.outcome, "verified");
	history_release(&history);
	assert_int_equal(
		read_history(
			START "{\"v\":2,\"seq\":2,\"type\":\"run.end\",\"text\":\"error\"}\n", &history),
		0);
	assert_null(history.outcome);
	history_release(&history);
}

static void histories_that_cannot_be_continued_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "does not say how the run began"},
		{BASE, "does not say how the run began"},
		{START "{\"v\":3,\"seq\":2,\"type\":\"base\"}\n",
			"journal.jsonl:2: a record of version 3, and this rondo reads up to 2"},
		{"{\"v\":1,\"seq\":1,\"type\":\"run.start\"}\n",
			"journal.jsonl:1: a record of version 1, which says too little to continue"},
		{START "rubbish\n" BASE, "journal.jsonl:2: "},
		{START BASE TASK "rubbish\n", "the last record: "},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct history history;
		assert_int_equal(read_history(cases[i].text, &history), -1);
		if (!strstr(err.message, cases[i].message))
			fail_msg("'%s' lacks '%s'", err.message, cases[i].message);
		assert_int_equal(err.code, RONDO_ERROR_USAGE);
		history_release(&history);
	}
}

static int set_up(void **state)
{
	(void)state;
	return make_top(top) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return file_remove_tree(top, &err);
}

UNIT(journal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_read_up_to_a_torn_line),
		cmocka_unit_test(a_broken_middle_is_refused_with_its_line),
		cmocka_unit_test(goes_on_behind_its_last_whole_record),
		cmocka_unit_test(a_second_writer_is_refused_and_told_of_the_first),
		cmocka_unit_test(waits_for_what_a_dead_writer_left),
		cmocka_unit_test(a_disk_that_is_full_ends_the_run_as_transient),
		cmocka_unit_test(a_record_that_did_not_fit_is_taken_back),
		cmocka_unit_test(a_directory_that_is_not_there_is_an_error),
		cmocka_unit_test(a_history_is_read_as_far_as_the_chat),
		cmocka_unit_test(a_run_that_has_ended_says_how),
		cmocka_unit_test(histories_that_cannot_be_continued_are_refused),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
