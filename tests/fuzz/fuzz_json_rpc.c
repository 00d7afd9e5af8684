/* reads: lines of JSON-RPC */
/* JSON-RPC from agents and clients: cut anywhere, it gives the same lines; what a line says is
 * valid text, and its id comes back as it was sent. The first byte says where it is cut. */
#include "base/json/json_rpc.h"
#include "tests/fuzz/fuzz.h"

#define LIMIT 64

static void check_message(const char *line, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct json_rpc_message message, answer;
	json_rpc_read(line, n, &arena, &message);
	assert_text(message.id);
	assert_text(message.method);
	assert_text(message.text);
	assert((message.kind == JSON_RPC_INVALID || message.kind == JSON_RPC_ERROR) == !!message.text);
	assert(message.kind != JSON_RPC_REQUEST || (message.id && message.method));
	assert(message.kind != JSON_RPC_RESULT || (message.id && message.result));
	assert_text(json_rpc_id_in_params(line, n, "requestId", &arena));
	if (!message.id)
		return;
	AUTO_FREE char *text = json_rpc_result(message.id, NULL);
	json_rpc_read(text, strlen(text), &arena, &answer);
	assert(answer.kind == JSON_RPC_RESULT && strcmp(answer.id, message.id) == 0);
	assert(json_rpc_same_id(answer.id, message.id));
}

/* What comes of each line, in pieces of which `seed` says how long they are; 0: in one. A line that
 * is too long is said before its end. */
static void read_lines(const uint8_t *data, size_t size, unsigned seed, struct strbuf *seen)
{
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(LIMIT);
	enum json_rpc_came came;
	const char *line;
	for (size_t i = 0, n, length; i < size; i += n) {
		n = seed ? (seed = seed * 1103515245 + 12345) >> 16 & 7 : size;
		n = n < size - i ? n : size - i;
		AUTO_FREE char *piece = memory_alloc(n);
		memcpy(piece, data + i, n);
		json_rpc_lines_feed(&lines, piece, n);
		while ((came = json_rpc_lines_next(&lines, &line, &length)) != JSON_RPC_NOTHING) {
			if (came == JSON_RPC_LINE)
				strbuf_add(seen, line, length);
			strbuf_adds(seen, came == JSON_RPC_LINE ? "\n" : "too long\n");
			assert(came != JSON_RPC_LINE || (length && length <= LIMIT));
			if (came == JSON_RPC_LINE)
				check_message(line, length);
		}
	}
	json_rpc_lines_release(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_STRBUF whole = STRBUF_INIT(STRBUF_RECORD), cut = STRBUF_INIT(STRBUF_RECORD);
	if (!size)
		return 0;
	check_message((const char *)data + 1, size - 1);
	read_lines(data + 1, size - 1, 0, &whole);
	read_lines(data + 1, size - 1, data[0] + 1U, &cut);
	assert(whole.length == cut.length && memcmp(whole.text, cut.text, cut.length) == 0);
	return 0;
}
