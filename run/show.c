/* A run, later: its report in a line, then what was said, then why it stopped. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "run/journal.h"
#include "run/run.h"

static int show_record(void *owner, const struct json *record)
{
	struct strbuf *sb = owner;
	const struct json *message = json_get(record, "message");
	const char *type = json_string(record, "type", "");
	if (message) {
		strbuf_addf(sb, "\n---------- %s ----------\n", json_string(message, "source", "?"));
		utf8_show(sb, json_string(message, "content", ""));
		strbuf_addc(sb, '\n');
	} else if (strcmp(type, "notice") == 0 || strcmp(type, "baseline") == 0 ||
		   strcmp(type, "verdict") == 0) {
		strbuf_addf(sb, "\n%s: ", type);
		utf8_show(sb, json_string(record, "text", ""));
		strbuf_addc(sb, '\n');
	}
	return 0;
}

static void show_head(const struct json *report, struct strbuf *sb)
{
	char time[CLOCK_DATE_SIZE];
	const struct json *fix = json_get(report, "fix");
	const char *branch = json_string(fix, "branch", NULL);
	clock_format_duration(json_int(report, "duration_ms", 0), time);
	strbuf_addf(sb, "run %s   ", json_string(report, "run", "?"));
	utf8_show(sb, json_string(report, "name", "?"));
	strbuf_addf(sb, ", %s, %s, %s", time, json_string(report, "coder", "?"),
		json_string(report, "outcome", "?"));
	if (branch)
		strbuf_addf(sb, ", branch %s", branch);
	strbuf_addc(sb, '\n');
	const char *reason = json_string(report, "reason", NULL);
	if (reason) {
		utf8_show(sb, reason);
		strbuf_addc(sb, '\n');
	}
}

int run_show(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/attempts/1/journal.jsonl", dir);
	/* Missing where a run was killed: the journal alone is shown then. */
	AUTO_JSON *report = run_report(dir);
	if (report)
		show_head(report, sb);
	else
		strbuf_addf(sb, "run %s   ended without a report: it was killed, or still goes on\n", file_name(dir));
	if (journal_read(path.text, show_record, sb, err) < 0)
		return -1;
	const struct json *fix = json_get(report, "fix");
	const char *stop = json_string(report, "stopped_by", NULL), *patch = json_string(fix, "patch", NULL);
	if (stop)
		strbuf_addf(sb, "\nstopped: %s, after %d turns\n", stop, (int)json_int(report, "turns", 0));
	if (patch)
		strbuf_addf(sb, "patch: %s\n", patch);
	strbuf_addf(sb, "files: %s\n", dir);
	return 0;
}
