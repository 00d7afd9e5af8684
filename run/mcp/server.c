/* One client, from its first line to its end. */
#include "base/clock.h"
#include "base/memory.h"
#include "run/mcp/mcp.h"

enum { TICK_MS = 1000, LAST_WORDS_MS = 5000, MOST_CALLS = 16 };

static const char instructions[] =
	"rondo proves patches. Before you say that a bug is fixed, call `verify`: it runs the tests of "
	"the base on the change in fresh checkouts, in a sandbox, and refuses what only looks right "
	"(edited or skipped tests, hard-coded results, swallowed errors). `verify` without rev and "
	"patch judges the uncommitted work. `fix` searches for a fix by itself and leaves it as a "
	"branch. `baseline` says which tests fail at HEAD. Runs take seconds to minutes and do not "
	"change the user's files. Where an answer names an option such as --test, it is the argument "
	"`test`; options that a tool lacks, such as --allow-edit, are the user's to set, when "
	"`rondo mcp` is started: ask for them, do not work around them.";

static int server_init(
	struct mcp_server *server, const struct cancel *cancel, struct rondo_error *err)
{
	pthread_condattr_t attributes;
	if (cancel_init(&server->cancel, cancel, 0, err) < 0)
		return -1;
	if (cancel_init(&server->gone, NULL, 0, err) < 0) {
		cancel_release(&server->cancel);
		return -1;
	}
	pthread_mutex_init(&server->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&server->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return 0;
}

static void server_release(struct mcp_server *server)
{
	cancel_release(&server->cancel);
	cancel_release(&server->gone);
	pthread_cond_destroy(&server->changed);
	pthread_mutex_destroy(&server->lock);
	arena_release(&server->arena);
}

/* False: the client has closed, or nobody wants to hear it any more. */
static bool server_hear(struct mcp_server *server, struct json_rpc_lines *lines)
{
	struct rondo_error err;
	enum json_rpc_came came;
	const char *line;
	size_t n;
	outbox_await_room(server);
	int64_t timeout_ms = server->calls ? TICK_MS : -1;
	if (json_rpc_hear(
			lines, server->options->in, timeout_ms, &server->cancel, &line, &n, &came, &err) < 0 ||
		came == JSON_RPC_ENDED)
		return false;
	if (came == JSON_RPC_LINE)
		protocol_take(server, line, n);
	else if (came == JSON_RPC_TOO_LONG)
		protocol_refuse_length(server);
	int64_t now_ms = clock_now_ms();
	if (came == JSON_RPC_NOTHING || now_ms - server->ticked_at_ms >= TICK_MS) {
		server->ticked_at_ms = now_ms;
		calls_tick(server);
	}
	return true;
}

int server_run(const struct mcp_offer *offer, const struct mcp_options *options,
	struct verdict_listener *asking, const struct cancel *cancel, struct rondo_error *err)
{
	pthread_t writer;
	struct mcp_server server = {
		.offer = offer, .options = options, .asking = asking, .hearer = pthread_self()};
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(offer->line_most);
	if (server_init(&server, cancel, err) < 0)
		return -1;
	int status = asking ? 0 : roots_begin(&server, err);
	if (status == 0)
		status = outbox_start(&server, &writer, err);
	if (status == 0) {
		while (server_hear(&server, &lines))
			;
		calls_end(&server);
		outbox_end(&server, writer, LAST_WORDS_MS);
		status = cancel_reason(cancel) ? cancel_error(cancel, err) : 0;
	}
	json_rpc_lines_release(&lines);
	server_release(&server);
	return status;
}

int run_mcp(const struct mcp_options *options, const struct cancel *cancel, struct rondo_error *err)
{
	const struct mcp_offer offer = {.tools = mcp_tools,
		.n = mcp_tools_n,
		.instructions = instructions,
		.has_resources = true,
		.line_most = JSON_RPC_LIMIT,
		.most_calls = MOST_CALLS};
	return server_run(&offer, options, NULL, cancel, err);
}
