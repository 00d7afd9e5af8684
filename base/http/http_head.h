/* What is read of an answer before its body. Only http.c includes it. */
#pragma once
#include "base/http/curl.h"
#include "base/http/http.h"

/* As text that steers nothing, wherever it is shown. */
void http_copy_text(char *field, size_t size, const char *bytes);

/* What is allowed of "requests" or "tokens". */
void http_read_quota(CURL *easy, const char *what, struct http_quota *quota);

/* Status, headers and advice, as far as the answer has come. */
void http_read_head(CURL *easy, struct http_response *response);
