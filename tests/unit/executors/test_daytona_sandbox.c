/* Sandboxes at Daytona: what is asked for, how they start, stop, and go. */
#include "tests/unit/daytona_fixture.h"

static int open_plain(void **state)
{
	return cloud_open(state, "start=0");
}

static int open_slow(void **state)
{
	return cloud_open(state, "start=0.3");
}

static int open_stuck(void **state)
{
	return cloud_open(state, "start=60");
}

/* A minute is a moment: what idles, stops soon. */
static int open_hasty(void **state)
{
	return cloud_open(state, "minute=0.2");
}

static int open_old(void **state)
{
	return cloud_open(state, "proxy=no");
}

static void test_151_155_what_is_asked_for(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.target = "eu";
	cloud->settings.env =
		(struct option_texts){(const char *[]){"COLOUR"}, (const char *[]){"red"}, 1};
	started(state);
	AUTO_JSON *request = cloud_request(cloud, "POST", "/api/sandbox");
	const struct json *body = json_get(request, "body"), *labels = json_get(body, "labels");
	const char *name = json_string(body, "name", "");
	assert_true(text_starts_with(name, "rondo-") && strlen(name) == 14 &&
		strspn(name + 6, "0123456789abcdef") == 8);
	assert_int_equal(json_int(body, "autoStopInterval", 0), 15);
	assert_int_equal(json_int(body, "autoDeleteInterval", 0), 60);
	assert_true(json_bool(body, "networkBlockAll", false));
	assert_string_equal(json_string(body, "target", ""), "eu");
	assert_string_equal(json_string(json_get(body, "env"), "COLOUR", ""), "red");
	assert_string_equal(json_string(labels, "code-toolbox-language", ""), "python");
	assert_string_equal(json_string(labels, "rondo", ""), name + 6);
	assert_null(json_get(body, "snapshot"));
	assert_null(json_get(body, "buildInfo"));
	assert_null(json_get(body, "cpu"));
	assert_string_equal(
		json_string(json_get(request, "headers"), "authorization", ""), "Bearer " DAYTONA_KEY);
}

static void test_155_an_image_and_resources(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.image = "python:3.12-slim";
	cloud->options.resources = (struct daytona_resources){.cpu = 2, .memory = 4};
	cloud->options.name = "mine";
	started(state);
	AUTO_JSON *request = cloud_request(cloud, "POST", "/api/sandbox");
	const struct json *body = json_get(request, "body");
	assert_string_equal(json_string(json_get(body, "buildInfo"), "dockerfileContent", ""),
		"FROM python:3.12-slim\n");
	assert_int_equal(json_int(body, "cpu", 0), 2);
	assert_int_equal(json_int(body, "memory", 0), 4);
	assert_null(json_get(body, "disk"));
	assert_string_equal(json_string(body, "name", ""), "mine");
}

static void test_153_snapshot_or_image(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.snapshot = "s";
	cloud->options.image = "i";
	assert_no_start(cloud, "executor daytona: Cannot specify both snapshot 's' and image 'i'");
	cloud->options.image = NULL;
	cloud->options.resources.cpu = 1;
	assert_no_start(cloud, "Cannot specify resources for a snapshot");
}

static void test_a_start_takes_its_states(void **state)
{
	struct cloud *cloud = *state;
	cloud_fault(cloud, "2 GET /sandbox/ status 503 busy\n1 POST /sandbox$ later 0\n");
	cloud->options.image = "debian";
	started(state);
	assert_run(cloud, "echo there", 0, "there\n");
	cloud_stop(cloud);
	assert_int_equal(cloud_count(cloud), 0);
}

static void test_a_start_that_takes_too_long(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.image = "debian";
	cloud->options.start_ms = 1000;
	assert_no_start(
		cloud, "the sandbox has not started in 1 s; its state is 'pending_build' (start_timeout)");
}

static void test_a_sandbox_that_stopped_runs_again(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	cloud->options.delete_ms = 3600000 * 24;
	started(state);
	assert_run(cloud, "echo two >>a", 0, "");
	AUTO_JSON *asked = cloud_request(cloud, "POST", "/api/sandbox");
	for (const char *now = "";
		 strcmp(now, "stopped") != 0;) { /* it idles for 15 minutes of 200 ms */
		AUTO_JSON *found = NULL;
		struct daytona *daytona = cloud->executor->state;
		struct daytona_call call = {.doing = "look",
			.method = "GET",
			.limit_ms = 5000,
			.url = arena_printf(
				&cloud->arena, "%s/sandbox/%s", daytona->api.url, daytona->sandbox.id)};
		assert_int_equal(daytona_call(&daytona->api, &call, &found, NULL, &cloud->err), 0);
		now = arena_strdup(&cloud->arena, json_string(found, "state", ""));
	}
	assert_run(cloud, "cat a", 0, "onetwo\n");
}

static void test_a_sandbox_that_is_gone(void **state)
{
	struct cloud *cloud = started(state);
	struct daytona *daytona = cloud->executor->state;
	assert_int_equal(daytona_sandbox_delete(&daytona->api, daytona->sandbox.id, &cloud->err), 0);
	assert_int_equal(daytona_sandbox_delete(&daytona->api, daytona->sandbox.id, &cloud->err), 0);
	assert_int_equal(run(cloud, "true", 5000), -1);
	assert_non_null(
		strstr(cloud->err.message, "there is no such thing at Daytona (HTTP 404: Sandbox with ID"));
}

static void test_the_way_through_the_api(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "echo here", 0, "here\n");
	AUTO_JSON *request = cloud_request(cloud, "POST", "/toolbox/process/execute");
	assert_true(text_starts_with(json_string(request, "path", ""), "/api/toolbox/"));
}

/* A process that was killed leaves one; what is another's stays. */
static void test_161_orphans(void **state)
{
	struct cloud *cloud = *state;
	size_t n;
	if (!cloud_is_possible())
		skip();
	pid_t child = fork();
	if (child == 0)
		_exit(cloud_start(cloud) < 0);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(cloud_count(cloud), 1);
	started(state);
	assert_int_equal(cloud_count(cloud), 1);
	assert_int_equal(daytona_executor.collect(&n, &cloud->err), 0);
	assert_int_equal(n, 0);
	child = fork();
	if (child == 0)
		_exit(cloud_start(cloud) < 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(daytona_executor.collect(&n, &cloud->err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(cloud_count(cloud), 1);
	unsetenv("DAYTONA_API_KEY");
	assert_int_equal(daytona_executor.collect(&n, &cloud->err), 0);
	assert_int_equal(n, 0);
}

static void test_probe(void **state)
{
	struct cloud *cloud = *state;
	AUTO_STRBUF found = STRBUF_INIT(1000);
	assert_int_equal(daytona_executor.probe(&found, &cloud->err), 0);
	assert_non_null(strstr(found.text, "the key in DAYTONA_API_KEY is accepted"));
	setenv("DAYTONA_API_KEY", "wrong", 1);
	assert_int_equal(daytona_executor.probe(&found, &cloud->err), -1);
	assert_non_null(strstr(cloud->err.message, "does not accept the key"));
	assert_non_null(strstr(cloud->err.help, "make a key"));
	unsetenv("DAYTONA_API_KEY");
	assert_int_equal(daytona_executor.probe(&found, &cloud->err), -1);
	assert_string_equal(cloud->err.message, "no key: DAYTONA_API_KEY is not set");
}

UNIT(daytona_sandbox)
{
	const struct CMUnitTest tests[] = {
		CLOUD_TEST(test_151_155_what_is_asked_for, open_plain),
		CLOUD_TEST(test_155_an_image_and_resources, open_plain),
		CLOUD_TEST(test_153_snapshot_or_image, open_plain),
		CLOUD_TEST(test_a_start_takes_its_states, open_slow),
		CLOUD_TEST(test_a_start_that_takes_too_long, open_stuck),
		CLOUD_TEST(test_a_sandbox_that_stopped_runs_again, open_hasty),
		CLOUD_TEST(test_a_sandbox_that_is_gone, open_plain),
		CLOUD_TEST(test_the_way_through_the_api, open_old),
		CLOUD_TEST(test_161_orphans, open_plain),
		CLOUD_TEST(test_probe, open_plain),
	};
	return RUN_TESTS(tests);
}
