/* reads: Daytona's answers */
/* What the API and the toolbox of a sandbox answer, as http.h cuts it; the first byte says in which
 * pieces. A sandbox that is made has an id and a toolbox, what is printed and what errors say is
 * text, and the key is in none of it. */
#include "executors/daytona/daytona.h"
#include "tests/fuzz/http.h"

#define KEY "dtn_0123456789abcdef"

static void check(const struct rondo_error *err)
{
	assert_error(err);
	assert(!strstr(err->message, KEY));
}

static void download(const struct daytona_api *api, const struct daytona_sandbox *sandbox)
{
	struct rondo_error err;
	enum { MOST = 1000 };
	AUTO_CLOSE fd = open(fuzz_path("answer"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (daytona_download(api, sandbox, "/a b/c", fd, MOST, NULL, &err) < 0)
		check(&err);
}

static void work_in(const struct daytona_api *api, const struct daytona_sandbox *sandbox)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	bool started;
	struct daytona_line line = {.line = "true", .timeout_ms = 1000, .is_once = true};
	const struct daytona_file file = {.to = "/a", .bytes = "b", .n = 1};
	assert(sandbox->id && sandbox->toolbox);
	assert_text(sandbox->id);
	assert_text(sandbox->toolbox);
	if (daytona_execute(api, sandbox, &line, &arena, NULL, &err) < 0)
		check(&err);
	assert_text(line.text);
	if (daytona_upload(api, sandbox, &file, NULL, &err) < 0)
		check(&err);
	download(api, sandbox);
	if (daytona_sandbox_revive(api, sandbox->id, 1, &started, NULL, &err) < 0)
		check(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct daytona_sandbox sandbox;
	size_t n;
	static const struct context ctx;
	const struct daytona_spec spec = {.label = "ours", .owner = "1@here", .start_ms = 1};
	struct secrets secrets = {0};
	struct daytona_api api = {
		.http = http_new(), .url = "https://host.example/api", .key = KEY, .secrets = &secrets};
	if (!size)
		return 0;
	setenv("FUZZ_API_KEY", KEY, 1);
	secrets_from_environment(&secrets, &arena);
	fuzz_answer_with(data + 1, size - 1, data[0]);
	if (daytona_sandbox_make(&api, &spec, &arena, &sandbox, &ctx, &err) == 0)
		work_in(&api, &sandbox);
	else
		check(&err);
	fuzz_answer_with(data + 1, size - 1, 0);
	if (daytona_sandbox_collect(&api, NULL, &n, &err) < 0)
		check(&err);
	return 0;
}
