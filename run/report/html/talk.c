/* What was said, as bubbles, a colour for each agent. */
#include "base/memory.h"
#include "chat/markdown.h"
#include "run/report/html/html.h"

enum { MOST_BYTES = 8 << 20, COLOURS = 6, SHORT_LINES = 14 };

static void head_add(struct strbuf *sb, const struct html_run *run, const struct json *record)
{
	const char *speaker = html_speaker(run, record);
	int64_t turn = json_int(record, "turn", 0);
	strbuf_adds(sb, "<header>");
	html_element(sb, "strong", NULL, speaker);
	strbuf_adds(sb, "<span class=\"when\">");
	if (turn)
		strbuf_addf(sb, "turn %d, ", (int)turn);
	strbuf_adds(sb, "at ");
	html_time(sb, json_int(record, "ms", 0));
	strbuf_adds(sb, "</span></header>\n");
}

/* What a program printed, as it is; folded where it is long, with its first line to be seen. */
static void printed_add(struct strbuf *sb, const char *text)
{
	size_t first = strcspn(text, "\n"), n = strlen(text);
	if (text_count_lines(text, n) < SHORT_LINES) {
		html_element(sb, "pre", NULL, text);
		return;
	}
	strbuf_adds(sb, "<p>");
	html_add_n(sb, text, first);
	strbuf_adds(sb, "</p>\n");
	html_fold(sb, "all of it", text);
}

static void message_add(struct strbuf *sb, const struct json *message)
{
	const char *type = json_string(message, "type", "text");
	const char *content = json_string(message, "content", "");
	const char *output = json_string(json_get(message, "data"), "output", NULL);
	bool is_program = strcmp(type, "code_execution") == 0 || strcmp(type, "test_report") == 0;
	if (is_program) {
		printed_add(sb, content);
	} else {
		AUTO_STRBUF text = STRBUF_INIT(HTML_TEXT);
		strbuf_adds(&text, content);
		strbuf_mark_cut(&text);
		markdown_to_html(sb, text.text);
	}
	if (output && *output)
		html_fold(sb, "what the tests printed", output);
}

static void bubble_add(struct strbuf *sb, const struct html_run *run, const struct json *record)
{
	const struct json *message = json_get(record, "message");
	size_t number = html_speaker_number(run, html_speaker(run, record));
	strbuf_addf(sb, "<li class=\"bubble a%zu\">", number % COLOURS);
	head_add(sb, run, record);
	message_add(sb, message);
	strbuf_adds(sb, "</li>\n");
}

/* What happened beside: "coder searched: tried 81 candidates". */
static void event_add(struct strbuf *sb, const struct json *record, const char *word)
{
	const char *text = json_string(record, "text", NULL);
	if (!text)
		return;
	strbuf_addf(sb, "<li class=\"event\">%s ", word);
	html_add(sb, text);
	strbuf_adds(sb, "</li>\n");
}

static void record_add(struct strbuf *sb, const struct html_run *run, const struct json *record)
{
	static const struct {
		const char *type, *word;
	} events[] = {{"search", "search:"}, {"question", "asked a person:"}, {"notice", "notice:"},
		{"attempt", "attempt:"}, {"resume", "gone on with:"}, {"stop", "the chat stopped:"},
		{"baseline", "tests before:"}, {"verdict", "final check:"}};
	if (json_get(record, "message")) {
		bubble_add(sb, run, record);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (html_is(record, events[i].type))
			event_add(sb, record, events[i].word);
}

void html_add_talk(struct strbuf *sb, const struct html_run *run)
{
	if (!run->n_speakers)
		return;
	size_t begin = sb->length, i = 0;
	html_section(sb, "talk", "The conversation");
	strbuf_adds(sb, "<ol class=\"talk\">\n");
	for (; i < run->n_records && sb->length - begin < MOST_BYTES; i++)
		record_add(sb, run, run->records[i]);
	strbuf_adds(sb, "</ol>\n");
	if (i < run->n_records)
		strbuf_adds(sb, "<p class=\"note\">The rest is left out: rondo show has it.</p>\n");
	strbuf_adds(sb, "</section>\n");
}
