/*
 * What an external agent asks a model for goes through a relay. Its calls are told as those of the
 * agent's model: in the record, in the report, in what a limit counts.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "agents/external/external.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/usage.h"
#include "executors/relay_port/relay_port.h"
#include "executors/world.h"
#include "models/relay/relay.h"

#define SOCKET_AT "/run/rondo/relay"
#define PORT_AT "/run/rondo/relay_port"
#define ENTRIES_MOST 1000 /* of a turn that are told one by one; the rest together */

struct external_relay {
	struct relay *relay;
	struct relay_options options;
	struct model *model;
	const char *start; /* what stands before a shell's -c */
	const char *mark;
	int log;
	pthread_mutex_t lock; /* over the entries, which the watcher of the turn takes */
	struct relay_entry *entries;
	size_t n;
	struct relay_entry rest; /* the sum of those that come after them */
	size_t n_rest;
};

/* --- Its beginning --- */

static int relay_write_port(const char *path, struct rondo_error *err)
{
	const struct relay_port_program *program = &relay_port_programs[0];
	return file_write(path, program->bytes, program->n, 0755, err);
}

static void relay_mount(
	struct external_box *box, const char *source, const char *target, struct arena *arena)
{
	const struct mount mount = {
		.source = source, .target = target, .kind = MOUNT_READ_ONLY, .why = "relay to the model"};
	world_add_mount(&box->world, &mount, arena);
}

static void relay_log_open(
	struct external_relay *relay, const struct agent *agent, const struct external_box *box)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *dir = agent->services->log_dir;
	relay->log = dir ? open(arena_printf(&arena, "%s/%s-relay.log", dir, file_name(box->dir)),
						   O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600)
					 : -1;
}

int external_relay_start(struct agent *agent, struct external_box *box, struct rondo_error *err)
{
	struct arena *arena = &agent->arena;
	const struct external_settings *settings = external_settings_of(agent);
	const struct agent_services *services = agent->services;
	struct external_relay *relay = arena_alloc(arena, sizeof *relay);
	struct model *model = settings->model.object;
	bool sees_host = executor_sees(services->main_checkout->executor) == EXECUTOR_SEES_HOST;
	const char *dir = arena_printf(arena, "%s/relay", box->dir);
	const char *port = arena_printf(arena, "%s/relay_port", box->dir);
	const char *socket = arena_printf(arena, "%s/socket", dir);
	*relay = (struct external_relay){.model = model,
		.mark = executor_cache_name("relay", arena),
		.log = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.options = {.socket = socket,
			.uid = box->world.drop ? box->world.uid : (uid_t)-1,
			.gid = box->world.drop ? box->world.gid : (gid_t)-1,
			.budget = model->services->budget,
			.secrets = model->services->secrets}};
	if (relay_upstream_of(relay->model, &relay->options.upstream, err) < 0 ||
		file_remove_tree(dir, err) < 0 || file_make_dir(box->dir, 0700, err) < 0 ||
		relay_write_port(port, err) < 0 || relay_start(&relay->options, &relay->relay, err) < 0)
		return -1;
	relay_log_open(relay, agent, box);
	if (!sees_host) {
		relay_mount(box, dir, SOCKET_AT, arena);
		relay_mount(box, port, PORT_AT, arena);
	}
	AUTO_STRBUF start = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_word(&start, sees_host ? port : PORT_AT);
	strbuf_addc(&start, ' ');
	strbuf_add_word(&start, sees_host ? socket : SOCKET_AT "/socket");
	strbuf_addf(&start, " 0 %s", relay->mark);
	relay->start = arena_strdup(arena, start.text);
	box->relay = relay;
	return 0;
}

const char *external_relay_url(const struct external_relay *relay)
{
	return relay->mark;
}

const char *external_relay_model(const struct external_relay *relay)
{
	return relay->options.upstream.model;
}

const char *external_relay_line(
	const struct external_relay *relay, const char *line, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&text, "exec %s /bin/sh -c ", relay->start);
	strbuf_add_word(&text, line);
	return arena_strdup(arena, text.text);
}

void external_relay_end(struct external_relay *relay)
{
	if (!relay)
		return;
	relay_end(relay->relay);
	if (relay->log >= 0)
		close(relay->log);
	free(relay->entries);
}

/* --- What goes through it --- */

int external_relay_fd(const struct external_relay *relay)
{
	return relay ? relay_fd(relay->relay) : -1;
}

static void relay_log(const struct external_relay *relay, const struct relay_entry *entry)
{
	char date[CLOCK_DATE_SIZE];
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	clock_format_date(clock_date_ms(), date);
	strbuf_addf(&line, "%s %s %s %s %d%s %" PRId64 "+%" PRId64 " tokens, %d ms%s%s\n", date,
		entry->method, entry->path, *entry->model ? entry->model : "-", entry->status,
		entry->is_refused ? " refused" : "", entry->usage.prompt_tokens,
		entry->usage.completion_tokens, (int)entry->duration_ms, *entry->why ? ": " : "",
		entry->why);
	if (relay->log >= 0)
		(void)file_write_all(relay->log, line.text, line.length);
}

/* What they cost is known where it is of each. */
static void relay_add_rest(struct external_relay *relay, const struct relay_entry *entry)
{
	struct relay_entry *rest = &relay->rest;
	if (!relay->n_rest++)
		*rest = (struct relay_entry){.usd = 0};
	rest->status = entry->status;
	rest->usd += entry->usd > 0 ? entry->usd : 0;
	rest->is_least |= entry->is_least || entry->usd < 0;
	usage_add(&rest->usage, &entry->usage);
}

static void relay_keep(struct external_relay *relay, const struct relay_entry *entry)
{
	if (relay->n == ENTRIES_MOST) {
		relay_add_rest(relay, entry);
		return;
	}
	if (!relay->entries)
		relay->entries = memory_alloc(ENTRIES_MOST * sizeof *relay->entries);
	relay->entries[relay->n++] = *entry;
}

bool external_relay_collect(struct external_relay *relay)
{
	struct relay_entry entry;
	bool has_answer = false;
	pthread_mutex_lock(&relay->lock);
	while (relay_take(relay->relay, &entry)) {
		relay_log(relay, &entry);
		has_answer |= entry.status > 0 && entry.status < 400;
		if (!entry.is_refused)
			relay_keep(relay, &entry);
	}
	pthread_mutex_unlock(&relay->lock);
	return has_answer;
}

/* As models/model.c tells a call, but for what was said, which only the agent knows. */
static int relay_tell_call(const struct external_relay *relay, const struct relay_entry *entry,
	struct rondo_usage *sum, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct model_reply reply = {.text = "", .usage = entry->usage, .usage_known = true};
	const char *request = executor_cache_name("relay", &arena);
	usage_add(sum, &entry->usage);
	AUTO_JSON *asked = json_object();
	AUTO_JSON *data = model_reply_to_json(&reply);
	json_add_string(asked, "request", request);
	json_add_string(data, "request", request);
	json_add_string(data, "path", entry->path);
	json_add_int(data, "status", entry->status);
	if (entry->usd >= 0)
		json_add_number(data, "usd", entry->usd);
	if (entry->is_least)
		json_add_bool(data, "at_least", true);
	if (*entry->model)
		json_add_string(data, "model", entry->model);
	struct rondo_event event = {.type = RONDO_EVENT_MODEL_REQUEST,
		.source = relay->model->name,
		.data = json_print_in(asked, &arena)};
	if (context_event(ctx, &event, err) < 0)
		return -1;
	event = (struct rondo_event){.type = RONDO_EVENT_MODEL_REPLY,
		.source = relay->model->name,
		.text = "",
		.data = json_print_in(data, &arena),
		.value = &reply};
	return context_event(ctx, &event, err);
}

/* Where nothing came of its calls, why. */
static const char *relay_problem(struct external_relay *relay, struct arena *arena)
{
	struct relay_sums sums;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	relay_turn(relay->relay, &sums, &text);
	if (sums.is_exhausted)
		return "a limit of tokens or money is used up";
	if (!sums.faults || sums.faults < sums.requests)
		return NULL;
	return text.length ? arena_strdup(arena, text.text) : NULL;
}

int external_relay_tell(struct external_relay *relay, struct external_answer *answer,
	struct arena *arena, const struct context *ctx, struct rondo_error *err)
{
	if (!relay)
		return 0;
	external_relay_collect(relay);
	for (size_t i = 0; i < relay->n; i++)
		if (relay_tell_call(relay, &relay->entries[i], &answer->usage, ctx, err) < 0)
			return -1;
	if (relay->n_rest) {
		utf8_format(relay->rest.path, sizeof relay->rest.path, "%zu more calls", relay->n_rest);
		if (relay_tell_call(relay, &relay->rest, &answer->usage, ctx, err) < 0)
			return -1;
	}
	relay->n = relay->n_rest = 0;
	const char *problem = relay_problem(relay, arena);
	if (problem && answer->problem)
		problem = arena_printf(arena, "%s; %s", answer->problem, problem);
	answer->problem = problem ? problem : answer->problem;
	return 0;
}
