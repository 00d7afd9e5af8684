/*
 * relay SOCKET BASE_URL [TOKENS [USD]]: a relay to that host, with the key in RELAY_API_KEY, until
 * standard input ends. Prints "ready", then each request that is over, and at the end the sums and
 * what went wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "models/relay/relay.h"

static void print_entries(struct relay *relay)
{
	struct relay_entry entry;
	while (relay_take(relay, &entry))
		printf("%s %s %s %d%s%s%s tokens %" PRId64 "+%" PRId64 "%s%s\n", entry.method, entry.path,
			*entry.model ? entry.model : "-", entry.status, entry.is_refused ? " refused" : "",
			entry.is_broken ? " broken" : "", entry.usage_known ? "" : " estimated",
			entry.usage.prompt_tokens, entry.usage.completion_tokens, *entry.why ? ": " : "",
			entry.why);
	fflush(stdout);
}

static void print_sums(struct relay *relay)
{
	struct relay_sums sums;
	AUTO_STRBUF faults = STRBUF_INIT(STRBUF_LINE);
	relay_turn(relay, &sums, &faults);
	printf("requests %" PRId64 ", refused %" PRId64 ", faults %" PRId64 ", tokens %" PRId64
		   "+%" PRId64 "%s\n",
		sums.requests, sums.refused, sums.faults, sums.usage.prompt_tokens,
		sums.usage.completion_tokens, sums.is_exhausted ? ", exhausted" : "");
	if (faults.length)
		printf("faults: %s\n", faults.text);
}

int main(int argc, char **argv)
{
	struct rondo_error err;
	struct relay *relay;
	struct budget budget;
	char bytes[64];
	if (argc < 3)
		return 2;
	budget_init(&budget, argc > 3 ? atoll(argv[3]) : 0, argc > 4 ? atof(argv[4]) : 0);
	struct relay_options options = {.socket = argv[1],
		.upstream = {.base_url = argv[2], .key = getenv("RELAY_API_KEY")},
		.budget = &budget};
	if (relay_start(&options, &relay, &err) < 0) {
		fprintf(stderr, "relay: %s\n", err.message);
		return 1;
	}
	printf("ready\n");
	fflush(stdout);
	struct pollfd fds[] = {{.events = POLLIN}, {.fd = relay_fd(relay), .events = POLLIN}};
	while (poll(fds, 2, -1) > 0 && !(fds[0].revents && read(0, bytes, sizeof bytes) <= 0))
		print_entries(relay);
	print_entries(relay);
	print_sums(relay);
	relay_end(relay);
	budget_release(&budget);
	return 0;
}
