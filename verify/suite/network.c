/*
 * Whether a test is red because of where it runs: there is no network, no server at a port of this
 * machine, no database, no display, no terminal, a full disk or nobody who answers. The words of
 * systems, languages and clients for it. A test that asserts such words is about them.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

#define THE_NETWORK "the network"
#define A_SERVICE "a service"
#define A_DATABASE "a database"
#define AN_ANSWER "an answer on stdin, which is at its end"
#define A_DISPLAY "a display"
#define A_TERMINAL "a terminal"
#define DOCKER "Docker"
#define NO_DOCKER "Cannot connect to the Docker daemon"
#define ROOM "room on the disk"

/* What is first is asked first. */
static const struct place_sign {
	const char *text, *what;
} place_signs[] = {
	{"Name or service not known", THE_NETWORK},
	{"Temporary failure in name resolution", THE_NETWORK},
	{"No address associated with hostname", THE_NETWORK},
	{"nodename nor servname provided", THE_NETWORK},
	{"getaddrinfo ENOTFOUND", THE_NETWORK},
	{"EAI_AGAIN", THE_NETWORK},
	{"Could not resolve host", THE_NETWORK},
	{"no such host", THE_NETWORK},
	{"server misbehaving", THE_NETWORK},
	{"UnknownHostException", THE_NETWORK},
	{"failed to lookup address information", THE_NETWORK},
	{"Network is unreachable", THE_NETWORK},
	{"network is unreachable", THE_NETWORK},
	{"No route to host", THE_NETWORK},
	{"ENETUNREACH", THE_NETWORK},
	{"fetch failed", THE_NETWORK},
	{"EHOSTUNREACH", THE_NETWORK},
	{NO_DOCKER, DOCKER},
	{"Error while fetching server API version", DOCKER},
	{"couldn't connect to display", A_DISPLAY},
	{"could not connect to display", A_DISPLAY},
	{"no display name and no $DISPLAY", A_DISPLAY},
	{"cannot open display", A_DISPLAY},
	{"Can't open display", A_DISPLAY},
	{"Missing X server or $DISPLAY", A_DISPLAY},
	{"Inappropriate ioctl for device", A_TERMINAL},
	{"No such device or address: '/dev/tty'", A_TERMINAL},
	{"the input device is not a TTY", A_TERMINAL},
	{"reading from stdin while output is captured", A_TERMINAL},
	{"connection to server at ", A_DATABASE},
	{"connection to server on socket ", A_DATABASE},
	{"could not connect to server", A_DATABASE},
	{"Can't connect to MySQL server", A_DATABASE},
	{"Can't connect to local MySQL server", A_DATABASE},
	{"ServerSelectionTimeoutError", A_DATABASE},
	{"MongoServerSelectionError", A_DATABASE},
	{"connecting to localhost:6379", A_DATABASE},
	{"connecting to 127.0.0.1:6379", A_DATABASE},
	{"ECONNREFUSED 127.0.0.1:5432", A_DATABASE},
	{"ECONNREFUSED 127.0.0.1:3306", A_DATABASE},
	{"ECONNREFUSED 127.0.0.1:6379", A_DATABASE},
	{"ECONNREFUSED 127.0.0.1:27017", A_DATABASE},
	{"dial tcp 127.0.0.1:5432", A_DATABASE},
	{"dial tcp 127.0.0.1:3306", A_DATABASE},
	{"dial tcp 127.0.0.1:6379", A_DATABASE},
	{"dial tcp 127.0.0.1:27017", A_DATABASE},
	{"EOFError: EOF when reading a line", AN_ANSWER},
	{"No space left on device", ROOM},
	{"connect ENOENT ", A_SERVICE},
	{"dial unix ", A_SERVICE},
	{"write unixgram ", A_SERVICE},
	{"ECONNREFUSED", A_SERVICE},
	{"Connection refused", A_SERVICE},
	{"connection refused", A_SERVICE},
	{"Failed to connect to ", A_SERVICE},
};

static const char *network_find_problem(const char *text, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(place_signs); i++)
		if (strstr(text, place_signs[i].text))
			return arena_printf(arena, "%s: %s", place_signs[i].what, place_signs[i].text);
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
	bool is_about = network_is_assertion(message);
	const char *problem = is_about ? NULL : network_find_problem(message, arena);
	if (!problem && !is_about && result->detail && strstr(result->detail, NO_DOCKER))
		problem = DOCKER ": " NO_DOCKER;
	/* For one result by the exit code, the message is only one of the lines. */
	if (!problem && report->n == 1 && report->output && test_report_is_exit(report))
		problem = network_find_problem(report->output, arena);
	return problem;
}
