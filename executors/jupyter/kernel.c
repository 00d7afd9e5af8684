#include "executors/jupyter/jupyter.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/jupyter/jupyter_socket.h"

#define HEED_MS 750      /* to react to an interrupt by message, and again by signal */
#define ANSWER_MS 500    /* for an idle kernel to answer */
#define QUIET_MS 2000    /* between its reply and its idle status */
#define MOST_AT_ONCE 256 /* messages read before the clock is checked */
#define LAST_WORDS_MS 50 /* for its last messages after it died */
#define MOST_READS 1024  /* of its output, 64 KiB each */
#define LATE_LIMIT ((size_t)4 << 10)

/* --- Listening --- */

/* Take messages that have arrived. False: there may be more. */
static bool kernel_take_messages(struct jupyter_kernel *kernel, enum jupyter_channel channel,
	struct jupyter_cell *cell)
{
	struct jupyter_multipart multipart;
	size_t n = 0;
	for (; n < MOST_AT_ONCE && jupyter_sockets_receive(kernel->sockets, channel, &multipart); n++) {
		AUTO_JUPYTER_MESSAGE message = {0};
		struct rondo_error err;
		if (jupyter_read(multipart.frames, multipart.n, kernel->key, &message, &err) < 0)
			log_line(LOG_INFO, "jupyter", "dropped: %s", err.message);
		else if (channel != JUPYTER_CONTROL)
			jupyter_cell_hear(cell, &message);
		else if (strcmp(message.parent, kernel->interrupt_id) == 0)
			*kernel->interrupt_id = '\0';
		kernel->heard++;
		jupyter_multipart_release(&multipart);
	}
	return n < MOST_AT_ONCE;
}

/* Take what it printed outside of messages. Whether there was something. */
static bool kernel_take_output(struct jupyter_kernel *kernel, struct jupyter_cell *cell)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (!coprocess_take(kernel->process, &text))
		kernel->ended = true;
	if (text.length)
		jupyter_cell_print(cell, text.text, text.length);
	return text.length;
}

/* Take everything that has arrived, outputs before replies. False: there may be more. */
static bool kernel_take(struct jupyter_kernel *kernel, struct jupyter_cell *cell)
{
	kernel_take_output(kernel, cell);
	bool all = kernel_take_messages(kernel, JUPYTER_IOPUB, cell);
	return kernel_take_messages(kernel, JUPYTER_SHELL, cell) &&
		kernel_take_messages(kernel, JUPYTER_CONTROL, cell) && all;
}

static void kernel_wait_for(struct jupyter_kernel *kernel, const struct cancel *cancel,
	int64_t left_ms)
{
	struct pollfd fds[1 + CANCEL_FDS] = {{.fd = coprocess_fd(kernel->process), .events = POLLIN}};
	size_t n = 1 + cancel_poll(cancel, fds + 1);
	jupyter_sockets_wait(kernel->sockets, fds, n, left_ms < 0 ? 0 : left_ms);
}

static int64_t kernel_earlier(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

/* When to stop listening to a cell. */
struct patience {
	int64_t deadline_ms;
	int64_t quiet_ms; /* when its silence counts as an error; 0: it has not replied yet */
	uint64_t limit;   /* bytes */
	bool was_ended;   /* before the last read */
	const struct cancel *cancel;
};

/* Whether the cell has ended, and how. `all`: everything that had arrived was taken. */
static bool kernel_has_end(const struct jupyter_kernel *kernel, const struct jupyter_cell *cell,
	const struct patience *patience, bool all, int64_t now_ms, enum jupyter_end *ret_end)
{
	const struct {
		bool holds;
		enum jupyter_end end;
	} ends[] = {
		{jupyter_cell_is_over(cell), JUPYTER_DONE},
		{kernel->ended && patience->was_ended && all, JUPYTER_DIED},
		{cancel_reason(patience->cancel), JUPYTER_CANCELLED},
		{patience->limit && cell->bytes > patience->limit, JUPYTER_FLOODED},
		{patience->quiet_ms && now_ms >= patience->quiet_ms, JUPYTER_BROKEN},
		{patience->deadline_ms && now_ms >= patience->deadline_ms, JUPYTER_INTERRUPTED},
	};
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends[i].holds) {
			*ret_end = ends[i].end;
			return true;
		}
	return false;
}

/* Listen until the cell ends. */
static enum jupyter_end kernel_listen_to(struct jupyter_kernel *kernel, struct jupyter_cell *cell,
	int64_t deadline_ms, uint64_t limit, const struct cancel *cancel)
{
	struct patience patience = {.deadline_ms = deadline_ms, .limit = limit, .cancel = cancel};
	enum jupyter_end end;
	for (;;) {
		uint64_t heard = kernel->heard;
		bool all = kernel_take(kernel, cell);
		int64_t now_ms = clock_now_ms();
		if (cell->replied && (!patience.quiet_ms || heard != kernel->heard))
			patience.quiet_ms = now_ms + QUIET_MS;
		if (kernel_has_end(kernel, cell, &patience, all, now_ms, &end))
			return end;
		int64_t next_ms = kernel_earlier(deadline_ms, patience.quiet_ms);
		patience.was_ended = kernel->ended;
		if (kernel->ended)
			jupyter_sockets_wait(kernel->sockets, NULL, 0, LAST_WORDS_MS);
		else if (all)
			kernel_wait_for(kernel, cancel, next_ms ? next_ms - now_ms : 1 << 30);
	}
}

/* --- Asking --- */

/* Send a request; its id lies in the arena. False: the kernel does not listen. */
static bool kernel_ask(struct jupyter_kernel *kernel, enum jupyter_channel channel,
	const char *type, const struct json *content, struct arena *arena, const char **ret_id)
{
	struct jupyter_request request;
	jupyter_request_make(&request, type, content, kernel->session, kernel->key, arena);
	*ret_id = request.id;
	return jupyter_sockets_send(kernel->sockets, channel, &request);
}

static bool kernel_ask_to_execute(struct jupyter_kernel *kernel, const char *code,
	struct jupyter_cell *cell)
{
	AUTO_JSON *content = json_object();
	json_add_string(content, "code", code);
	json_add_bool(content, "silent", false);
	json_add_bool(content, "store_history", true);
	json_add_object(content, "user_expressions");
	json_add_bool(content, "allow_stdin", false);
	json_add_bool(content, "stop_on_error", false);
	cell->replied = cell->idle = cell->aborted = false;
	return kernel_ask(kernel, JUPYTER_SHELL, "execute_request", content, cell->arena, &cell->id);
}

static void kernel_ask_to_interrupt(struct jupyter_kernel *kernel)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *nothing = json_object();
	const char *id;
	if (kernel_ask(kernel, JUPYTER_CONTROL, "interrupt_request", nothing, &arena, &id))
		snprintf(kernel->interrupt_id, sizeof kernel->interrupt_id, "%s", id);
}

/* Interrupt by message, then by signal. JUPYTER_INTERRUPTED: it did not help. */
static enum jupyter_end kernel_interrupt(struct jupyter_kernel *kernel, struct jupyter_cell *cell,
	const struct cancel *cancel)
{
	struct rondo_error err;
	bool taken;
	kernel_ask_to_interrupt(kernel);
	enum jupyter_end end = kernel_listen_to(kernel, cell, clock_now_ms() + HEED_MS, 0, cancel);
	if (end != JUPYTER_INTERRUPTED)
		return end;
	if (coprocess_say(kernel->process, "", HEED_MS, &taken, &err) < 0 || !taken)
		return JUPYTER_BROKEN;
	return kernel_listen_to(kernel, cell, clock_now_ms() + HEED_MS, 0, cancel);
}

/* Abandon a cell; it may have ended by the next request. */
static void kernel_leave(struct jupyter_kernel *kernel, const struct jupyter_cell *cell)
{
	snprintf(kernel->open_id, sizeof kernel->open_id, "%s", cell->id);
	kernel_ask_to_interrupt(kernel);
}

/* An interrupt that is still on its way would hit the next block. Not all kernels answer one. */
static void kernel_await_interrupts(
	struct jupyter_kernel *kernel, struct jupyter_cell *cell, const struct cancel *cancel)
{
	int64_t deadline_ms = clock_now_ms() + ANSWER_MS, left_ms;
	while (*kernel->interrupt_id && !kernel->ended && !cancel_reason(cancel) &&
		(left_ms = deadline_ms - clock_now_ms()) > 0)
		if (kernel_take(kernel, cell))
			kernel_wait_for(kernel, cancel, left_ms);
	*kernel->interrupt_id = '\0';
}

/* An interrupt just before a block begins suppresses it without any message. */
static bool kernel_answers(struct jupyter_kernel *kernel, const struct cancel *cancel)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF unheard = STRBUF_INIT(LATE_LIMIT);
	struct jupyter_cell cell = {.output = &unheard, .arena = &arena};
	enum jupyter_end end = jupyter_kernel_ask(kernel, "kernel_info_request", &cell, ANSWER_MS,
		cancel);
	jupyter_cell_release(&cell);
	return end == JUPYTER_DONE;
}

bool jupyter_kernel_is_ready(struct jupyter_kernel *kernel, const struct cancel *cancel)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF unheard = STRBUF_INIT(LATE_LIMIT);
	struct jupyter_cell cell = {.id = kernel->open_id, .output = &unheard, .arena = &arena};
	enum jupyter_end end = JUPYTER_DONE;
	if (*kernel->open_id)
		end = kernel_listen_to(kernel, &cell, clock_now_ms() + HEED_MS, 0, cancel);
	if (end == JUPYTER_INTERRUPTED)
		end = kernel_interrupt(kernel, &cell, cancel);
	kernel_await_interrupts(kernel, &cell, cancel);
	if (end == JUPYTER_DONE || (end == JUPYTER_INTERRUPTED && kernel_answers(kernel, cancel)))
		*kernel->open_id = '\0';
	kernel->ended = kernel->ended || !coprocess_take(kernel->process, &kernel->between);
	jupyter_cell_release(&cell);
	return !kernel->ended && !*kernel->open_id;
}

/* Messages since the last block do not belong to this one. */
static void kernel_begin(struct jupyter_kernel *kernel, struct jupyter_cell *cell)
{
	cell->id = "-";
	cell->late = (struct strbuf)STRBUF_INIT(LATE_LIMIT);
	utf8_scrub(&cell->late, kernel->between.text, kernel->between.length);
	strbuf_reset(&kernel->between);
	kernel_take_messages(kernel, JUPYTER_IOPUB, cell);
	kernel_take_messages(kernel, JUPYTER_SHELL, cell);
}

static void kernel_end(struct jupyter_kernel *kernel, struct jupyter_cell *cell)
{
	for (int i = 0; i < MOST_READS && !kernel->ended && kernel_take_output(kernel, cell); i++)
		;
	jupyter_cell_end(cell);
}

enum jupyter_end jupyter_kernel_run(struct jupyter_kernel *kernel, const char *code,
	int64_t timeout_ms, uint64_t output_limit, struct jupyter_cell *cell,
	const struct cancel *cancel)
{
	int64_t deadline_ms = timeout_ms ? clock_now_ms() + timeout_ms : 0;
	enum jupyter_end how = JUPYTER_DONE;
	const char *source = jupyter_cell_source(code, cell->arena);
	kernel_begin(kernel, cell);
	for (int i = 0; how == JUPYTER_DONE && (i == 0 || (i == 1 && cell->aborted)); i++) {
		how = JUPYTER_BROKEN;
		if (kernel_ask_to_execute(kernel, source, cell))
			how = kernel_listen_to(kernel, cell, deadline_ms, output_limit, cancel);
	}
	if (how == JUPYTER_INTERRUPTED || how == JUPYTER_FLOODED) {
		enum jupyter_end heeded = kernel_interrupt(kernel, cell, cancel);
		kernel_await_interrupts(kernel, cell, cancel);
		how = heeded == JUPYTER_CANCELLED ? heeded : how;
		bool is_free = heeded == JUPYTER_DONE ||
			(heeded == JUPYTER_INTERRUPTED && kernel_answers(kernel, cancel));
		kernel->lost = !is_free && heeded != JUPYTER_CANCELLED;
	}
	kernel->lost = kernel->lost || how == JUPYTER_BROKEN || how == JUPYTER_DIED || cell->exits;
	if (how == JUPYTER_CANCELLED)
		kernel_leave(kernel, cell);
	kernel_end(kernel, cell);
	return how;
}

enum jupyter_end jupyter_kernel_ask(struct jupyter_kernel *kernel, const char *type,
	struct jupyter_cell *cell, int64_t timeout_ms, const struct cancel *cancel)
{
	AUTO_JSON *nothing = json_object();
	if (!kernel_ask(kernel, JUPYTER_SHELL, type, nothing, cell->arena, &cell->id))
		return JUPYTER_BROKEN;
	return kernel_listen_to(kernel, cell, clock_now_ms() + timeout_ms, 0, cancel);
}

int jupyter_kernel_exit_code(struct jupyter_kernel *kernel)
{
	return coprocess_exit_code(kernel->process);
}

