/*
 * Whether a test is red because there is no network, or nobody behind a port of this machine: the
 * words of systems, languages and clients for it. A test that asserts something about such words is
 * about them.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

static const struct sign {
	const char *text, *what;
} signs[] = {
	{"Name or service not known", "the network"},
	{"Temporary failure in name resolution", "the network"},
	{"No address associated with hostname", "the network"},
	{"nodename nor servname provided", "the network"},
	{"getaddrinfo ENOTFOUND", "the network"},
	{"EAI_AGAIN", "the network"},
	{"Could not resolve host", "the network"},
	{"no such host", "the network"},
	{"server misbehaving", "the network"},
	{"UnknownHostException", "the network"},
	{"failed to lookup address information", "the network"},
	{"Network is unreachable", "the network"},
	{"network is unreachable", "the network"},
	{"No route to host", "the network"},
	{"ENETUNREACH", "the network"},
	{"fetch failed", "the network"},
	{"EHOSTUNREACH", "the network"},
	{"Cannot connect to the Docker daemon", "a service"},
	{"could not connect to server", "a service"},
	{"Can't connect to MySQL server", "a service"},
	{"Can't connect to local MySQL server", "a service"},
	{"ECONNREFUSED", "a service"},
	{"Connection refused", "a service"},
	{"connection refused", "a service"},
	{"Failed to connect to ", "a service"},
};

static const struct sign *find_sign(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (strstr(text, signs[i].text))
			return &signs[i];
	return NULL;
}

static bool is_assertion(const char *message)
{
	return strstr(message, "AssertionError") || text_starts_with(message, "assert ") ||
		   strstr(message, "Expected");
}

const char *suite_network_problem(
	const struct test_report *report, const struct test_result *result, struct arena *arena)
{
	if (!test_status_is_red(result->status))
		return NULL;
	const char *message = result->message ? result->message : "";
	const struct sign *sign = is_assertion(message) ? NULL : find_sign(message);
	/* One result that stands for all, by the exit code: its message is only one of the lines. */
	if (!sign && report->n == 1 && report->output && report->format &&
		strcmp(report->format, "exit") == 0)
		sign = find_sign(report->output);
	return sign ? arena_printf(arena, "%s: %s", sign->what, sign->text) : NULL;
}
