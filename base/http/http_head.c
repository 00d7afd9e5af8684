#include "base/http/http_head.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"

#define LATEST (INT64_C(1) << 40) /* seconds; a later date is as good as that */

void http_copy_text(char *field, size_t size, const char *bytes)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	utf8_show(&text, bytes);
	strbuf_rtrim(&text);
	utf8_format(field, size, "%s", text.text);
}

static void copy_header(CURL *easy, const char *name, char *field, size_t size)
{
	struct curl_header *header;
	bool found = curl.easy_header(easy, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK;
	http_copy_text(field, size, found ? header->value : "");
}

/* A number of seconds or the like in ms, or -1. */
static int64_t read_wait(const char *text, double factor)
{
	size_t n = strspn(text, "0123456789.");
	return n && n < 10 && !text[n] ? (int64_t)(strtod(text, NULL) * factor) : -1;
}

static int64_t retry_after(CURL *easy)
{
	char text[64];
	copy_header(easy, "retry-after-ms", text, sizeof text);
	int64_t wait = read_wait(text, 1);
	if (wait >= 0)
		return wait;
	copy_header(easy, "retry-after", text, sizeof text);
	wait = read_wait(text, 1000);
	if (wait >= 0 || !strchr(text, ':')) /* only a date has one; libcurl takes numbers for dates */
		return wait;
	time_t date = curl.getdate(text, NULL);
	if (date < 0)
		return -1;
	wait = (date < LATEST ? (int64_t)date : LATEST) * 1000 - clock_date_ms();
	return wait > 0 ? wait : 0;
}

bool http_status_may_pass(int status)
{
	return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
}

void http_read_head(CURL *easy, struct http_response *response)
{
	char should[16];
	long status = 0;
	curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	response->status = (int)status;
	copy_header(easy, "content-type", response->content_type, sizeof response->content_type);
	copy_header(easy, "x-request-id", response->request_id, sizeof response->request_id);
	if (!*response->request_id)
		copy_header(easy, "request-id", response->request_id, sizeof response->request_id);
	copy_header(easy, "location", response->location, sizeof response->location);
	copy_header(easy, "x-should-retry", should, sizeof should);
	response->advice.again = strcmp(should, "true") == 0 ||
		(http_status_may_pass(response->status) && strcmp(should, "false") != 0);
	response->advice.overloaded = status == 529;
	response->advice.after_ms = retry_after(easy);
	http_read_quota(easy, "requests", &response->requests);
	http_read_quota(easy, "tokens", &response->tokens);
}
