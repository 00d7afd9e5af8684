/* The Engine API and what goes wrong with it, by a server of ours on a socket that answers what it
 * is told to. */
#include "tests/unit/docker_fixture.h"

#include <sys/socket.h>
#include <sys/un.h>

struct scene {
	/* a request whose target ends so is answered so; NULL answer: never */
	const char *path, *answer;
};

struct engine {
	struct fixture *fixture;
	const char *socket;
	const struct scene *scenes;
	pthread_t thread;
	int listener, closer[2];
};

#define OK(body) \
	"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n" body
#define VERSION \
	OK("{\"Version\":\"24.0\",\"ApiVersion\":\"1.43\",\"MinAPIVersion\":\"1.12\",\"Components\":[" \
	   "{\"Name\":\"Engine\"}]}")
#define NOTHING_TO_COLLECT \
	{"/info", OK("{}")}, \
	{ \
		"22%5D%7D", OK("[]") \
	}

static const char *find_answer(const struct scene *scenes, const char *request)
{
	const char *target = strchr(request, ' ');
	size_t n = target ? strcspn(target + 1, " ") : 0;
	for (; target && scenes->path; scenes++)
		if (n >= strlen(scenes->path) &&
			strncmp(target + 1 + n - strlen(scenes->path), scenes->path, strlen(scenes->path)) == 0)
			return scenes->answer;
	return "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n{\"message\":\"no such thing\"}";
}

static void serve(struct engine *engine, int fd)
{
	char request[65536];
	size_t n = 0;
	ssize_t got;
	request[0] = '\0';
	while (!strstr(request,
			   "\r\n"
			   "\r\n") &&
		(got = recv(fd, request + n, sizeof request - 1 - n, 0)) > 0) {
		n += (size_t)got;
		request[n] = '\0';
	}
	const char *answer = find_answer(engine->scenes, request);
	struct pollfd closer = {.fd = engine->closer[0], .events = POLLIN};
	if (answer)
		send(fd, answer, strlen(answer), MSG_NOSIGNAL);
	else
		poll(&closer, 1, -1);
	close(fd);
}

static void *listen_on(void *owner)
{
	struct engine *engine = owner;
	for (;;) {
		struct pollfd fds[] = {{.fd = engine->listener, .events = POLLIN},
			{.fd = engine->closer[0], .events = POLLIN}};
		poll(fds, 2, -1);
		if (fds[1].revents)
			return NULL;
		int fd = accept(engine->listener, NULL, NULL);
		if (fd >= 0)
			serve(engine, fd);
	}
}

static void engine_start(struct engine *engine, struct fixture *fixture, const struct scene *scenes)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	*engine = (struct engine){
		.fixture = fixture, .scenes = scenes, .socket = fixture_at(fixture, "socket")};
	snprintf(address.sun_path, sizeof address.sun_path, "%s", engine->socket);
	engine->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(engine->listener, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(listen(engine->listener, 10) | pipe(engine->closer), 0);
	assert_int_equal(pthread_create(&engine->thread, NULL, listen_on, engine), 0);
	fixture->options.socket = engine->socket;
}

static void engine_end(struct engine *engine)
{
	close(engine->closer[1]);
	pthread_join(engine->thread, NULL);
	close(engine->listener);
	close(engine->closer[0]);
}

/* Start an executor against these scenes: it fails. */
static void refuses(struct fixture *fixture, const struct scene *scenes, enum rondo_error_code code,
	const char *message, const char *help)
{
	struct engine engine;
	engine_start(&engine, fixture, scenes);
	assert_int_equal(fixture_open(fixture), -1);
	engine_end(&engine);
	unlink(engine.socket);
	assert_contains(fixture->err.message, message);
	assert_string_equal(fixture->err.help, help);
	assert_int_equal(fixture->err.code, code);
}

static void there_is_no_socket(void **state)
{
	struct fixture *fixture = *state;
	fixture->options.socket = fixture_at(fixture, "none");
	assert_int_equal(fixture_open(fixture), -1);
	assert_contains(
		fixture->err.message, "executor docker: no container engine: there is no socket at ");
	assert_string_equal(
		fixture->err.help, "start the engine, or name its socket by DOCKER_HOST=unix:///PATH");
}

static void nobody_listens(void **state)
{
	struct fixture *fixture = *state;
	struct engine engine;
	engine_start(&engine, fixture, NULL);
	engine_end(&engine);
	assert_int_equal(fixture_open(fixture), -1);
	assert_contains(fixture->err.message, "executor docker: nobody listens at ");
	assert_string_equal(fixture->err.help, "sudo systemctl start docker");
}

static void only_sockets_of_this_machine(void **state)
{
	struct fixture *fixture = *state;
	fixture->options.socket = NULL;
	setenv("DOCKER_HOST", "tcp://10.0.0.1:2375", 1);
	assert_int_equal(fixture_open(fixture), -1);
	unsetenv("DOCKER_HOST");
	assert_string_equal(fixture->err.message,
		"executor docker: DOCKER_HOST is 'tcp://10.0.0.1:2375': rondo speaks with engines of this "
		"machine only, by unix:///PATH");
}

static void versions_that_do_not_meet(void **state)
{
	static const struct scene old[] = {
		{"/version", OK("{\"Version\":\"19.03\",\"ApiVersion\":\"1.40\"}")}, {0}};
	static const struct scene new[] = {
		{"/version", OK("{\"Version\":\"99\",\"ApiVersion\":\"2.10\",\"MinAPIVersion\":\"2.0\"}")},
		{0}};
	static const struct scene html[] = {{"/version", OK("<html>")}, {0}};
	refuses(*state, old, RONDO_ERROR_CANNOT_JUDGE, "socket speaks API 1.40, and rondo needs 1.41",
		"upgrade to Docker 20.10 or Podman 4 or newer");
	refuses(*state, new, RONDO_ERROR_CANNOT_JUDGE,
		"socket speaks API 2.0 and newer, and rondo no newer than 1.47",
		"upgrade rondo, or start the engine with DOCKER_MIN_API_VERSION=1.47");
	refuses(
		*state, html, RONDO_ERROR_CANNOT_JUDGE, ": what answers there is no container engine", "");
}

/* It goes into the head of a request that rondo writes itself. */
static void version_is_written_by_rondo(void **state)
{
	static const struct scene odd[] = {
		{"/version", OK("{\"Version\":\"1\",\"ApiVersion\":\"\\r\\n+01.044\"}")},
		{"/v1.44/info", OK("{}")}, {"22%5D%7D", OK("[]")},
		{"/v1.44/images/a/b:1/json",
			"HTTP/1.1 500 No\r\nConnection: close\r\n\r\n{\"message\":\"asked so\"}"},
		{NULL, NULL}};
	struct fixture *fixture = *state;
	fixture->options.image = "a/b:1";
	fixture->options.pull = "missing";
	refuses(fixture, odd, RONDO_ERROR_CANNOT_JUDGE, "asked so", "");
}

#define PULL(answer) \
	{ \
		{"/version", VERSION}, NOTHING_TO_COLLECT, {"/images/a/b:1/json", NULL_404}, \
			{"?fromImage=a/b&tag=1", answer}, \
		{ \
			0 \
		} \
	}
#define NULL_404 \
	"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n{\"message\":\"No such image: a/b:1\"}"

/* Semantics.md does not have them; sandbox.md 3.2 does: an error comes as a line under a status
 * that says that all is well. */
static void pulls_that_fail(void **state)
{
	static const struct scene lines[] =
		PULL(OK("{\"status\":\"Downloading\",\"progressDetail\":{\"current\":1,\"total\":9},\"id\":"
				"\"x\"}\r\n"
				"{\"errorDetail\":{},\"error\":\"manifest unknown\"}\r\n"));
	static const struct scene denied[] =
		PULL("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"
			 "{\"message\":\"pull access denied for a/b, may require 'docker login'\"}");
	static const struct scene offline[] =
		PULL("HTTP/1.1 500 Internal Server Error\r\n"
			 "Connection: close\r\n"
			 "\r\n"
			 "{\"message\":\"dial tcp: lookup registry: no such host\"}");
	static const struct scene full[] =
		PULL(OK("{\"error\":\"write /x: no space left on device\"}\n"));
	struct fixture *fixture = *state;
	fixture->options.image = "a/b:1";
	fixture->options.pull = "missing";
	refuses(fixture, lines, RONDO_ERROR_CANNOT_JUDGE,
		"cannot pull the image a/b:1: manifest unknown",
		"name an image that exists by executor.image");
	refuses(fixture, denied, RONDO_ERROR_CANNOT_JUDGE, "pull access denied",
		"docker login and docker pull a/b:1; or name another image by executor.image");
	refuses(fixture, offline, RONDO_ERROR_TRANSIENT, "no such host",
		"docker pull a/b:1 where its registry can be reached, or docker load -i FILE");
	refuses(fixture, full, RONDO_ERROR_TRANSIENT, "no space left on device",
		"docker system df shows what fills the disk, docker system prune makes room");
}

static void a_start_that_fails_leaves_no_container(void **state)
{
	static const struct scene scenes[] = {{"/version", VERSION}, NOTHING_TO_COLLECT,
		{"/json", OK("{}")}, {"/containers/create", OK("{\"Id\":\"abc\"}")},
		{"/attach?stream=1&stdin=1",
			"HTTP/1.1 101 UPGRADED\r\n"
			"\r\n"},
		{"/containers/abc/start",
			"HTTP/1.1 500 Error\r\n"
			"Connection: close\r\n"
			"\r\n"
			"{\"message\":\"OCI runtime create failed\"}"},
		{0}};
	refuses(*state, scenes, RONDO_ERROR_CANNOT_JUDGE,
		"cannot start the container: Docker 24.0 says: OCI runtime create failed", "");
}

static void streams_that_are_none(void **state)
{
	static const struct scene silent[] = {{"/version", VERSION}, NOTHING_TO_COLLECT,
		{"/json", OK("{}")}, {"/containers/create", OK("{\"Id\":\"abc\"}")},
		{"/attach?stream=1&stdin=1", "HTTP/1.1 101"}, {0}};
	static const struct scene refused[] = {{"/version", VERSION}, NOTHING_TO_COLLECT,
		{"/json", OK("{}")}, {"/containers/create", OK("{\"Id\":\"abc\"}")},
		{"/attach?stream=1&stdin=1",
			"HTTP/1.1 409 Conflict\r\n"
			"\r\n"
			"{\"message\":\"it is paused\"}"},
		{0}};
	refuses(*state, silent, RONDO_ERROR_TRANSIENT, "no stream from ", "");
	refuses(*state, refused, RONDO_ERROR_CANNOT_JUDGE,
		"no stream to the container: Docker 24.0 says: it is paused", "");
}

static void *cancel_soon(void *owner)
{
	cancel_fire(owner, SIGTERM);
	return NULL;
}

static void waiting_for_an_engine_can_be_cancelled(void **state)
{
	static const struct scene scenes[] = {{"/version", NULL}, {0}};
	struct fixture *fixture = *state;
	struct engine engine;
	pthread_t thread;
	engine_start(&engine, fixture, scenes);
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &fixture->cancel), 0);
	assert_int_equal(fixture_open(fixture), -1);
	pthread_join(thread, NULL);
	engine_end(&engine);
	assert_int_equal(fixture->err.code, RONDO_ERROR_CANCELLED);
}

#define PREPARED(test) cmocka_unit_test_setup_teardown(test, fixture_prepare, fixture_end)

UNIT(docker_api)
{
	const struct CMUnitTest tests[] = {PREPARED(there_is_no_socket), PREPARED(nobody_listens),
		PREPARED(only_sockets_of_this_machine), PREPARED(versions_that_do_not_meet),
		PREPARED(version_is_written_by_rondo), PREPARED(pulls_that_fail),
		PREPARED(a_start_that_fails_leaves_no_container), PREPARED(streams_that_are_none),
		PREPARED(waiting_for_an_engine_can_be_cancelled)};
	return RUN_TESTS(tests);
}
