/*
 * Whether a test is red because there is no network, or no server at a port of this machine: the
 * words of systems, languages and clients for it. A test that asserts such words is about them.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

static const char *const network_signs[] = {"Name or service not known",
	"Temporary failure in name resolution", "No address associated with hostname",
	"nodename nor servname provided", "getaddrinfo ENOTFOUND", "EAI_AGAIN",
	"Could not resolve host", "no such host", "server misbehaving", "UnknownHostException",
	"failed to lookup address information", "Network is unreachable", "network is unreachable",
	"No route to host", "ENETUNREACH", "fetch failed", "EHOSTUNREACH"};
static const char *const service_signs[] = {"Cannot connect to the Docker daemon",
	"could not connect to server", "Can't connect to MySQL server",
	"Can't connect to local MySQL server", "ECONNREFUSED", "Connection refused",
	"connection refused", "Failed to connect to "};

static const char *network_find_problem(const char *text, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(network_signs); i++)
		if (strstr(text, network_signs[i]))
			return arena_printf(arena, "the network: %s", network_signs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(service_signs); i++)
		if (strstr(text, service_signs[i]))
			return arena_printf(arena, "a service: %s", service_signs[i]);
	return NULL;
}

static bool network_is_assertion(const char *message)
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
	const char *problem =
		network_is_assertion(message) ? NULL : network_find_problem(message, arena);
	/* For one result by the exit code, the message is only one of the lines. */
	if (!problem && report->n == 1 && report->output && report->format &&
		strcmp(report->format, "exit") == 0)
		problem = network_find_problem(report->output, arena);
	return problem;
}
