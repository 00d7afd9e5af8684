/* reads: lines of agents that speak the Agent Client Protocol */
/* What an agent says while it is prompted, in pieces as the first byte says: its requests are
 * answered by lines of JSON, and what is kept of its updates is bounded text and steers nothing. */
#include "agents/external/acp.h"
#include "base/clock.h"
#include "tests/fuzz/said.h"

static void check_line_text(const char *text)
{
	assert_text(text);
	for (; *text; text++)
		assert((unsigned char)*text >= ' ' && *text != 127);
}

static void check_turn(const struct acp_turn *turn)
{
	assert(turn->n_steps <= 200);
	for (size_t i = 0; i < turn->n_steps; i++) {
		check_line_text(turn->steps[i].id);
		check_line_text(turn->steps[i].kind);
		check_line_text(turn->steps[i].title);
		check_line_text(turn->steps[i].status);
	}
	assert_text(turn->text.text);
	assert_text(turn->plan.text);
}

static void check_heard(const struct strbuf *heard)
{
	struct rondo_error err;
	const char *at = heard->text, *end = at + heard->length, *line;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		AUTO_JSON *json = json_parse(line, n, &err);
		assert(json_is_object(json));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const struct context ctx;
	if (!size)
		return 0;
	struct said said = said_of(data + 1, size - 1, data[0]);
	struct acp_turn turn = {.arena = &arena,
		.text = STRBUF_INIT(STRBUF_TEXT),
		.plan = STRBUF_INIT(STRBUF_LINE),
		.chunks = CHUNKS_INIT(&ctx, NULL, NULL, 0),
		.ctx = &ctx,
		.name = "agent"};
	struct acp_session session = {.process = said_on(&said),
		.lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT),
		.id = "s",
		.turn = &turn};
	struct acp_answer answer;
	do {
		acp_ask(&session, "session/prompt", NULL, clock_now_ms() + 10000, NULL, &arena, &answer);
		assert_text(answer.text);
		assert_text(acp_mode(&session, answer.result));
	} while (answer.end == ACP_ANSWERED || answer.end == ACP_REFUSED);
	assert(answer.end == ACP_GONE);
	check_turn(&turn);
	check_heard(&said.heard);
	coprocess_end(session.process);
	json_rpc_lines_release(&session.lines);
	chunks_end(&turn.chunks);
	strbuf_release(&turn.chunks.held);
	strbuf_release(&turn.text);
	strbuf_release(&turn.plan);
	said_release(&said);
	return 0;
}
