#include "run/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/event.h"
#include "run/journal/lock.h"
#include "run/journal/paths.h"

/* --- One writer --- */

static int refuse(const char *path, struct rondo_error *err)
{
	struct rondo_error ignored;
	AUTO_STRBUF who = STRBUF_INIT(STRBUF_LINE);
	if (errno != EWOULDBLOCK)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot lock '%s'", path);
	file_read(path, STRBUF_LINE, &who, &ignored);
	strbuf_rtrim(&who);
	error_set(err, RONDO_ERROR_USAGE, "this run is running already: %s",
		who.length ? who.text : "another process has it");
	return error_help(err, "wait for it, or stop it");
}

int journal_lock(struct journal *journal, const char *dir, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/lock", dir);
	AUTO_CLOSE lock = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot open '%s'", path.text);
	if (lock_take(lock, DYING_HOLDS_MS) < 0)
		return refuse(path.text, err);
	if (!file_is_at(lock, path.text))
		return error_set(err, RONDO_ERROR_USAGE, "this run has been removed");
	lock_sign(lock);
	*journal = (struct journal){.fd = -1, .lock = STEAL_FD(&lock), .attempt = 1};
	return 0;
}

/* --- Writing --- */

static void journal_path(const char *dir, struct strbuf *path)
{
	strbuf_addf(path, "%s/journal.jsonl", dir);
}

int journal_create(
	struct journal *journal, const char *dir, const char *run, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	journal_path(dir, &path);
	journal->fd = open(path.text, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (journal->fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot begin the journal '%s'", path.text);
	journal->run = run;
	journal->started_at_ms = clock_now_ms();
	return 0;
}

/* What a crash tore is no record; it is put aside, not thrown away. */
static int cut_torn(int fd, const char *path, size_t n, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_JOURNAL), torn = STRBUF_INIT(STRBUF_LINE);
	if (file_read(path, LARGEST_JOURNAL, &text, err) < 0)
		return -1;
	if (text.length == n)
		return 0;
	strbuf_addf(&torn, "%s.torn", path);
	if (file_write(torn.text, text.text + n, text.length - n, 0600, err) < 0)
		return -1;
	return ftruncate(fd, (off_t)n) == 0
		? 0
		: error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s'", path);
}

int journal_continue(
	struct journal *journal, const char *dir, const char *run, size_t n, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	journal_path(dir, &path);
	journal->run = run;
	journal->length = (int64_t)n;
	journal->fd = open(path.text, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (journal->fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write the journal '%s'", path.text);
	return cut_torn(journal->fd, path.text, n, err);
}

static bool is_boundary(enum rondo_event_type type)
{
	return type == RONDO_EVENT_RUN_START || type == RONDO_EVENT_TURN_END ||
		type == RONDO_EVENT_RESUME || type == RONDO_EVENT_VERDICT || type == RONDO_EVENT_RUN_END;
}

/* A record follows only whole ones: where this one cannot be taken back, there is none any more. */
static int journal_take_back(struct journal *journal, struct rondo_error *err)
{
	error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write the journal");
	journal->seq--;
	if (ftruncate(journal->fd, journal->length) < 0) {
		close(journal->fd);
		journal->fd = -1;
	}
	return -1;
}

int journal_append(struct journal *journal, const struct rondo_event *event, const char *tree,
	struct rondo_error *err)
{
	char date[CLOCK_DATE_SIZE];
	if (event->type == RONDO_EVENT_PROGRESS)
		return 0;
	clock_format_date(clock_date_ms(), date);
	AUTO_JSON *record = json_object();
	json_add_int(record, "v", JOURNAL_VERSION);
	json_add_int(record, "seq", ++journal->seq);
	json_add_string(record, "t", date);
	json_add_int(record, "ms", clock_now_ms() - journal->started_at_ms);
	json_add_string(record, "run", journal->run);
	if (!event->attempt) /* it names another one than the journal's */
		json_add_int(record, "attempt", journal->attempt);
	event_to_json(event, record);
	json_add_string(record, "tree", tree);
	AUTO_FREE char *text = json_print(record);
	size_t n = strlen(text);
	/* in the NUL's place: one write a record, so that a crash tears at most the last */
	text[n] = '\n';
	if (file_write_all(journal->fd, text, n + 1) < 0 ||
		(is_boundary(event->type) && fdatasync(journal->fd) < 0))
		return journal_take_back(journal, err);
	journal->length += (int64_t)n + 1;
	return 0;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	if (journal->lock >= 0)
		close(journal->lock);
	journal->fd = journal->lock = -1;
}

/* --- Reading --- */

static int journal_is_missing(const char *dir, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_USAGE, "this run ended before its journal began: '%s'", dir);
	return error_help(err, "begin it again; rondo gc --keep N removes it");
}

int journal_text(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	journal_path(dir, &path);
	if (!file_exists(path.text) && errno == ENOENT)
		return journal_is_missing(dir, err);
	return file_read(path.text, LARGEST_JOURNAL, sb, err);
}

struct json *journal_record(const char *at, const char **ret_next, struct rondo_error *err)
{
	const char *end = strchr(at, '\n');
	*ret_next = end ? end + 1 : NULL;
	return end ? json_parse(at, (size_t)(end - at), err) : NULL;
}

int journal_read(const char *dir, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_JOURNAL);
	if (journal_text(dir, &text, err) < 0)
		return -1;
	int line = 1;
	for (const char *at = text.text; at; line++) {
		AUTO_JSON *record = journal_record(at, &at, err);
		if (!record && at)
			return error_prefix(err, "%s/journal.jsonl:%d", dir, line);
		if (record && each(owner, record))
			break;
	}
	return 0;
}
