/* Where a relay listens, and whom it asks. */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "models/hosted.h"
#include "models/relay/relay.h"

#define KEY "sk-real-0123456789abcdef"

static char top[TOP_SIZE];

static void a_socket_may_be_anywhere(void **state)
{
	(void)state;
	struct relay_options options = {.upstream.base_url = "http://127.0.0.1:1"};
	struct relay *relay, *second;
	struct rondo_error err;
	struct stat st;
	char deep[TOP_SIZE + 256], path[TOP_SIZE + 300];
	snprintf(deep, sizeof deep, "%s/%0120d", top, 0);
	snprintf(path, sizeof path, "%s/s", deep);
	options.socket = path;
	assert_int_equal(relay_start(&options, &relay, &err), 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(relay_start(&options, &second, &err), -1);
	assert_non_null(strstr(err.message, "Address already in use"));
	assert_true(file_exists(path)); /* the first one's is left alone */
	relay_end(relay);
	assert_false(file_exists(path));
	options.socket = "/nowhere/at/all";
	assert_int_equal(relay_start(&options, &relay, &err), -1);
	assert_non_null(strstr(err.message, "cannot make '/nowhere/at/'"));
	options.socket = path;
	options.upstream.base_url = "ftp://x";
	assert_int_equal(relay_start(&options, &relay, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	relay_end(NULL);
}

/* As a box has it whose programs are another user's. */
static void a_socket_may_be_somebody_s(void **state)
{
	(void)state;
	struct relay_options options = {
		.upstream.base_url = "http://127.0.0.1:1", .uid = 65534, .gid = 65534};
	struct relay *relay;
	struct rondo_error err;
	struct stat st;
	char dir[TOP_SIZE + 32], path[TOP_SIZE + 64];
	snprintf(dir, sizeof dir, "%s/given", top);
	snprintf(path, sizeof path, "%s/s", dir);
	options.socket = path;
	if (geteuid() != 0) {
		assert_int_equal(relay_start(&options, &relay, &err), -1);
		assert_non_null(strstr(err.message, "cannot give"));
		return;
	}
	assert_int_equal(relay_start(&options, &relay, &err), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(stat(i ? path : dir, &st), 0);
		assert_int_equal(st.st_uid, 65534);
		assert_int_equal(st.st_mode & 0777, i ? 0600 : 0700);
	}
	relay_end(relay);
}

static struct model *model_of(const struct model_type *type, const char *base_url,
	const struct secrets *secrets, struct model_services *services, struct arena *arena)
{
	static const struct price price = {.input = 3, .known = true};
	struct rondo_error err;
	struct hosted *options = arena_alloc(arena, type->state_size);
	*services = (struct model_services){.secrets = secrets};
	option_defaults(type->options, options, arena);
	if (type->provider) {
		options->model = "m";
		options->base_url = base_url;
	}
	struct model *model = model_new(type, "own", options, &price, services, &err);
	if (!model)
		fail_msg("%s", err.message);
	return model;
}

static void a_model_s_host_can_be_asked_by_agents(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *names[] = {"OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"}, *values[] = {KEY, KEY};
	const struct secrets secrets = {.names = names, .values = values, .n = 2};
	struct model_services services;
	struct relay_upstream upstream;
	struct rondo_error err;
	struct model *openai = model_of(&openai_model, NULL, &secrets, &services, &arena);
	assert_int_equal(relay_upstream_of(openai, &upstream, &err), 0);
	assert_string_equal(upstream.base_url, "https://api.openai.com/v1");
	assert_string_equal(upstream.key, KEY);
	assert_string_equal(upstream.key_name, "OPENAI_API_KEY");
	assert_null(upstream.key_header);
	assert_true(upstream.price.known && upstream.price.input == 3);
	struct model *azure = model_of(&azure_model, "https://x.example/", &secrets, &services, &arena);
	assert_int_equal(relay_upstream_of(azure, &upstream, &err), 0);
	assert_string_equal(upstream.base_url, "https://x.example/openai/v1");
	assert_string_equal(upstream.key_header, "api-key: ");
	struct model replay = {.type = &replay_model, .name = "said"};
	assert_int_equal(relay_upstream_of(&replay, &upstream, &err), -1);
	assert_non_null(strstr(err.message, "model said is of the type replay"));
	model_free(openai);
	model_free(azure);
}

static int set_up(void **state)
{
	(void)state;
	return make_top(top) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct rondo_error err;
	(void)state;
	return file_remove_tree(top, &err);
}

UNIT(relay_start)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_socket_may_be_anywhere),
		cmocka_unit_test(a_socket_may_be_somebody_s),
		cmocka_unit_test(a_model_s_host_can_be_asked_by_agents),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
