/* What all requests came to. */
#include <inttypes.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/usage.h"
#include "models/relay/relay_parts.h"

/* Whether the host, not the relay or the agent, is to blame. */
static bool relay_sums_is_fault(const struct relay_entry *entry)
{
	bool has_gone = entry->is_broken && entry->status == 0;
	return !entry->is_refused && !has_gone &&
		(entry->status >= 400 || (*entry->why && !entry->is_broken));
}

/* The first kinds of faults are kept; of each the last one's words. */
static void relay_sums_add_fault(struct relay *relay, const struct relay_entry *entry)
{
	size_t i = 0;
	int status = entry->is_silent ? 0 : entry->status;
	while (i < relay->n_faults && relay->faults[i].status != status)
		i++;
	if (i == RELAY_MOST_FAULTS)
		return;
	if (i == relay->n_faults)
		relay->faults[relay->n_faults++] = (struct relay_host_fault){.status = status};
	relay->faults[i].n++;
	utf8_format(relay->faults[i].why, sizeof relay->faults[i].why, "%s", entry->why);
}

static void relay_sums_add(struct relay_sums *sums, const struct relay_entry *entry)
{
	bool is_used = entry->usage.prompt_tokens + entry->usage.completion_tokens > 0;
	sums->requests += !entry->is_refused;
	sums->refused += entry->is_refused;
	sums->faults += relay_sums_is_fault(entry);
	sums->usd += entry->usd > 0 ? entry->usd : 0;
	sums->n_unknown_cost += (entry->usd < 0 && is_used) || entry->is_least;
	usage_add(&sums->usage, &entry->usage);
}

static void relay_sums_log(const struct relay_entry *entry)
{
	log_line(LOG_INFO, "relay",
		"%s %s %s: %d%s, %" PRId64 " + %" PRId64 " tokens, %" PRId64 " ms%s%s", entry->method,
		entry->path, *entry->model ? entry->model : "-", entry->status,
		entry->is_refused ? " by the relay" : "", entry->usage.prompt_tokens,
		entry->usage.completion_tokens, entry->duration_ms, *entry->why ? ": " : "", entry->why);
}

void relay_tell(struct relay *relay, const struct relay_entry *entry)
{
	relay_sums_log(entry);
	pthread_mutex_lock(&relay->lock);
	relay_sums_add(&relay->sums, entry);
	if (relay_sums_is_fault(entry))
		relay_sums_add_fault(relay, entry);
	if (relay->n_entries == RELAY_MOST_ENTRIES) {
		relay->first_entry = (relay->first_entry + 1) % RELAY_MOST_ENTRIES;
		relay->n_entries--;
	}
	relay->entries[(relay->first_entry + relay->n_entries++) % RELAY_MOST_ENTRIES] = *entry;
	pthread_mutex_unlock(&relay->lock);
	eventfd_write(relay->told, 1);
}

void relay_tell_exhausted(struct relay *relay)
{
	pthread_mutex_lock(&relay->lock);
	relay->sums.is_exhausted = true;
	pthread_mutex_unlock(&relay->lock);
}

bool relay_take(struct relay *relay, struct relay_entry *ret_entry)
{
	eventfd_t told;
	pthread_mutex_lock(&relay->lock);
	bool has_one = relay->n_entries;
	if (has_one) {
		*ret_entry = relay->entries[relay->first_entry];
		relay->first_entry = (relay->first_entry + 1) % RELAY_MOST_ENTRIES;
		relay->n_entries--;
	} else {
		eventfd_read(relay->told, &told);
	}
	pthread_mutex_unlock(&relay->lock);
	return has_one;
}

int relay_fd(const struct relay *relay)
{
	return relay->told;
}

void relay_sums(struct relay *relay, struct relay_sums *ret_sums)
{
	pthread_mutex_lock(&relay->lock);
	*ret_sums = relay->sums;
	pthread_mutex_unlock(&relay->lock);
}

static void relay_sums_describe_faults(const struct relay *relay, struct strbuf *sb)
{
	for (size_t i = 0; i < relay->n_faults; i++) {
		const struct relay_host_fault *fault = &relay->faults[i];
		const char *comma = i ? "; " : "";
		if (fault->status >= 400)
			strbuf_addf(sb, "%sHTTP %d from %s", comma, fault->status, relay->host);
		else
			strbuf_addf(sb, "%s%s %s", comma,
				fault->status ? "an error in an answer of" : "no answer from", relay->host);
		if (fault->n > 1)
			strbuf_addf(sb, " (%" PRId64 " times)", fault->n);
		if (*fault->why)
			strbuf_addf(sb, ": %s", fault->why);
	}
}

void relay_turn(struct relay *relay, struct relay_sums *ret_sums, struct strbuf *faults)
{
	pthread_mutex_lock(&relay->lock);
	struct relay_sums now = relay->sums, *before = &relay->before;
	*ret_sums = (struct relay_sums){.requests = now.requests - before->requests,
		.refused = now.refused - before->refused,
		.faults = now.faults - before->faults,
		.usage = usage_since(&now.usage, &before->usage),
		.usd = now.usd - before->usd,
		.n_unknown_cost = now.n_unknown_cost - before->n_unknown_cost,
		.is_exhausted = now.is_exhausted};
	*before = now;
	relay_sums_describe_faults(relay, faults);
	relay->n_faults = 0;
	pthread_mutex_unlock(&relay->lock);
}
