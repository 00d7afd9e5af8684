#include "run/journal.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "chat/event.h"

#define JOURNAL_VERSION 1
#define LARGEST_JOURNAL ((size_t)1 << 30)

int journal_create(struct journal *journal, const char *path, const char *run, struct rondo_error *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot begin the journal '%s'", path);
	*journal = (struct journal){.fd = fd, .run = run};
	return 0;
}

static bool is_boundary(enum rondo_event_type type)
{
	return type == RONDO_EVENT_RUN_START || type == RONDO_EVENT_TURN_END ||
	       type == RONDO_EVENT_VERDICT || type == RONDO_EVENT_RUN_END;
}

int journal_append(struct journal *journal, const struct rondo_event *event, struct rondo_error *err)
{
	char date[CLOCK_DATE_SIZE];
	if (event->type == RONDO_EVENT_PROGRESS)
		return 0;
	clock_format_date(clock_date_ms(), date);
	AUTO_JSON *record = json_object();
	json_add_int(record, "v", JOURNAL_VERSION);
	json_add_int(record, "seq", ++journal->seq);
	json_add_string(record, "t", date);
	json_add_string(record, "run", journal->run);
	json_add_int(record, "attempt", 1);
	event_to_json(event, record);
	AUTO_FREE char *text = json_print(record);
	size_t n = strlen(text);
	text[n] = '\n'; /* in the NUL's place: one write a record, so that a crash tears at most the last */
	if (file_write_all(journal->fd, text, n + 1) < 0 ||
		(is_boundary(event->type) && fdatasync(journal->fd) < 0))
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write the journal");
	return 0;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	journal->fd = -1;
}

int journal_read(const char *path, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_JOURNAL);
	if (file_read(path, LARGEST_JOURNAL, &text, err) < 0)
		return -1;
	int line = 1;
	for (const char *at = text.text, *end; (end = strchr(at, '\n')); at = end + 1, line++) {
		AUTO_JSON *record = json_parse(at, (size_t)(end - at), err);
		if (!record)
			return error_prefix(err, "%s:%d", path, line);
		if (each(owner, record))
			break;
	}
	return 0;
}
