/* A model of a type that a server answers for, before tests/lib/server, whose script the test makes
 * of these pieces. */
#pragma once
#include "models/model.h"
#include "tests/unit/server_fixture.h"

#define KEY "sk-test-0123456789abcdef"
#define CHUNK(content) "word " content "\n"
#define STOP "stop\n"
#define DONE "done\nend\n"
#define ALL STOP DONE
#define EVENTS "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n"
#define AGAIN "reply\nsay fine\n"

static const char *const key_names[] = {"TEST_API_KEY"}, *const key_values[] = {KEY};
static const struct retry_options hasty = {
	.tries = 5, .base_ms = 1, .cap_ms = 2, .asked_ms = 120000, .total_ms = 600000};
static const struct model_message messages[] = {{.role = MODEL_SYSTEM, .content = "Be brief."},
	{.role = MODEL_USER, .content = "Say \"fine\"."}};
static const struct model_request request = {.messages = messages, .n = ARRAY_SIZE(messages)};
static struct server server;

struct client {
	const struct model_type *type; /* NULL: openai */
	struct arena arena;
	struct secrets secrets;
	struct model_services services;
	struct model *model;
	struct rondo_error err;
};

/* A model with "key=value" options beside those that every test needs. NULL with err set where it
 * does not open. */
static inline struct model *open_model(
	struct client *client, const char *base_url, const char *const *settings)
{
	static const struct price free_of_charge = {.known = true};
	const char *all[16] = {
		"model=test", "api_key_env=TEST_API_KEY", "first_timeout=1m", "idle_timeout=1m"};
	size_t n = 4;
	while (settings && *settings)
		all[n++] = *settings++;
	if (base_url)
		all[n++] = arena_printf(&client->arena, "base_url=%s", base_url);
	if (!client->secrets.n)
		client->secrets = (struct secrets){.names = (const char **)(uintptr_t)key_names,
			.values = (const char **)(uintptr_t)key_values,
			.n = 1};
	client->services = (struct model_services){.secrets = &client->secrets, .retry = &hasty};
	const struct model_type *type = client->type ? client->type : &openai_model;
	void *state = arena_alloc(&client->arena, type->state_size);
	option_defaults(type->options, state, &client->arena);
	for (size_t i = 0; i < n; i++) {
		size_t length = strcspn(all[i], "=");
		const struct option *option = option_find(
			type->options, arena_strndup(&client->arena, all[i], length), "key", &client->err);
		assert_non_null(option);
		assert_int_equal(
			option_set(option, state, &client->arena, all[i] + length + 1, &client->err), 0);
	}
	return client->model = model_new(type, arena_printf(&client->arena, "%s/test", type->name),
			   state, &free_of_charge, &client->services, &client->err);
}

static inline struct model *open_scene(
	struct client *client, const char *scene, const char *const *settings)
{
	return open_model(client,
		arena_printf(&client->arena, "http://127.0.0.1:%d/%s", server.port, scene), settings);
}

static inline void release(struct client *client)
{
	model_free(client->model);
	arena_release(&client->arena);
}
