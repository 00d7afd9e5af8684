/* reads: lines of clients of the Model Context Protocol */
/* A client's lines, up to its end. Every answer is an object of JSON-RPC on a line, and the
 * directory that the client may name is as it was. */
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/json/json_rpc.h"
#include "run/run.h"
#include "tests/fuzz/fuzz.h"

static void begin(void)
{
	struct rondo_error err;
	assert(file_make_dir(fuzz_path("home"), 0700, &err) == 0 &&
		file_make_dir(fuzz_path("root"), 0700, &err) == 0);
	setenv("HOME", fuzz_path("home"), 1);
	setenv("XDG_STATE_HOME", fuzz_path("home"), 1);
	setenv("XDG_CACHE_HOME", fuzz_path("home"), 1);
	setenv("RONDO_STATE_DIR", fuzz_path("home"), 1);
}

static void check(int out)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	assert(lseek(out, 0, SEEK_SET) == 0);
	assert(file_read_fd(out, "out", STRBUF_RECORD, &text, &err) == 0);
	const char *at = text.text, *end = at + text.length, *line;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		AUTO_JSON *json = json_parse(line, n, &err);
		if (!json)
			fprintf(stderr, "%s: %.*s\n", err.message, (int)n, line);
		assert(strcmp(json_string(json, "jsonrpc", ""), "2.0") == 0);
		assert(json_get(json, "result") || json_get(json, "error") || json_get(json, "method"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;
	struct rondo_error err;
	if (!is_ready)
		begin();
	is_ready = true;
	const char *root = fuzz_path("root");
	AUTO_CLOSE in = memfd_create("in", MFD_CLOEXEC);
	AUTO_CLOSE out = memfd_create("out", MFD_CLOEXEC);
	assert(in >= 0 && out >= 0 && write(in, data, size) == (ssize_t)size);
	assert(lseek(in, 0, SEEK_SET) == 0);
	const struct mcp_options options = {.roots = {&root, 1}, .in = in, .out = out};
	assert(run_mcp(&options, NULL, &err) == 0);
	check(out);
	assert(rmdir(root) == 0 && mkdir(root, 0700) == 0); /* nothing lies there */
	return 0;
}
