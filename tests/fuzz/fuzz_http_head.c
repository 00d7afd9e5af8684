/* reads: heads of HTTP answers, and addresses */
/* The first byte is the status; the rest are lines "name: value". What is kept of them is text that
 * steers nothing, and no time to wait is below -1. The first line is read as an address, too. */
#include "base/http/http_head.h"
#include "tests/fuzz/fuzz.h"

static char *head; /* lower-case names, a line each */
static long status;

static CURLHcode find_header(CURL *easy, const char *name, size_t index, unsigned origin,
	int request, struct curl_header **ret_header)
{
	static struct curl_header header;
	static char value[512];
	(void)easy;
	(void)index;
	(void)origin;
	(void)request;
	for (const char *line = head; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = strlen(name);
		if (strncmp(line, name, n) != 0 || line[n] != ':')
			continue;
		snprintf(value, sizeof value, "%.*s", (int)strcspn(line + n + 1, "\n"), line + n + 1);
		header.value = value + strspn(value, " ");
		*ret_header = &header;
		return CURLHE_OK;
	}
	return CURLHE_MISSING;
}

static CURLcode get_info(CURL *easy, CURLINFO info, ...)
{
	va_list args;
	(void)easy;
	va_start(args, info);
	*va_arg(args, long *) = status;
	va_end(args);
	return CURLE_OK;
}

static void check_field(const char *text)
{
	assert_text(text);
	for (; *text; text++)
		assert((unsigned char)*text >= ' ' || strchr("\t\n", *text));
}

static void check_address(const char *url)
{
	struct http_url found;
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	const char *quoted = http_quote(url, &arena);
	assert(quoted[strcspn(quoted, " \r\n\"'?#&=")] == '\0');
	if (http_url_read(url, &found, &err) < 0) {
		assert_error(&err);
		return;
	}
	assert(*found.host && found.port > 0 && found.port < 65536);
	assert(!strpbrk(found.host, "/@ \r\n"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct http_response response = {0};
	struct rondo_error err;
	if (!size)
		return 0;
	if (!curl.easy_init)
		assert(curl_need(&err) == 0);
	curl.easy_header = find_header;
	curl.easy_getinfo = get_info;
	head = fuzz_string(data + 1, size - 1);
	status = 100 + 2 * data[0];
	http_read_head(NULL, &response);
	check_field(response.content_type);
	check_field(response.request_id);
	check_field(response.location);
	assert(response.advice.after_ms >= -1);
	const struct http_quota quotas[] = {response.requests, response.tokens};
	for (size_t i = 0; i < ARRAY_SIZE(quotas); i++)
		assert(quotas[i].limit >= -1 && quotas[i].remaining >= -1 && quotas[i].reset_ms >= -1);
	head[strcspn(head, "\n")] = '\0';
	check_address(head);
	free(head);
	return 0;
}
