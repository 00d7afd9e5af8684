/* The port, run by itself before a socket of the test's: bytes, halves, ends, and its child. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/raw.h"
#include "executors/relay_port/relay_port.h"

#define MARK "@here-71c0@"

static char top[TOP_SIZE], program[TOP_SIZE + 16], path[TOP_SIZE + 16], script[TOP_SIZE + 16];

/* Connects as often as it is told, writes and reads at once, and closes its half first. */
static const char client[] =
	"import os, socket, sys, threading\n"
	"host, port = os.environ['RONDO_RELAY_URL'][7:].split(':')\n"
	"data = bytes(range(256)) * int(sys.argv[2])\n"
	"bad = []\n"
	"def one():\n"
	"    s = socket.create_connection((host, int(port)))\n"
	"    def write():\n"
	"        s.sendall(data)\n"
	"        s.shutdown(socket.SHUT_WR)\n"
	"    threading.Thread(target=write).start()\n"
	"    got = bytearray()\n"
	"    while piece := s.recv(65536):\n"
	"        got += piece\n"
	"    if got != data + b'end':\n"
	"        bad.append(len(got))\n"
	"threads = [threading.Thread(target=one) for _ in range(int(sys.argv[1]))]\n"
	"[t.start() for t in threads]\n"
	"[t.join() for t in threads]\n"
	"print(bad, flush=True)\n"
	"sys.exit(3 if bad else 0)\n";

/* --- The socket --- */

struct echo {
	int listener;
	pthread_t thread;
	pid_t port; /* whose processor time is looked at while all is silent */
	int64_t ticks;
};

/* Give back what comes; where no more does, say so, and close. */
static void *echo_one(void *owner)
{
	int fd = (int)(intptr_t)owner;
	static const char last[] = "end";
	char bytes[30000];
	ssize_t n;
	while ((n = recv(fd, bytes, sizeof bytes, 0)) > 0)
		if (file_write_all(fd, bytes, (size_t)n) < 0)
			break;
	if (n == 0)
		file_write_all(fd, last, strlen(last));
	close(fd);
	return NULL;
}

static void *echo_all(void *owner)
{
	struct echo *echo = owner;
	int fd;
	while ((fd = accept4(echo->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, echo_one, (void *)(intptr_t)fd) == 0)
			pthread_detach(thread);
	}
	return NULL;
}

static int64_t ticks_of(pid_t pid)
{
	char name[64], stat[1024];
	snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
	assert_true(raw_read(AT_FDCWD, name, stat, sizeof stat) > 0);
	return raw_stat_field(stat, 14) + raw_stat_field(stat, 15);
}

/* Read the first connection to the end of its half, and let it wait. */
static void *echo_late(void *owner)
{
	struct echo *echo = owner;
	char bytes[4096];
	int fd = accept4(echo->listener, NULL, NULL, SOCK_CLOEXEC);
	while (recv(fd, bytes, sizeof bytes, 0) > 0)
		;
	int64_t before = ticks_of(echo->port);
	poll(NULL, 0, 500); /* what does not rest would use all of it */
	echo->ticks = ticks_of(echo->port) - before;
	close(fd);
	return NULL;
}

static void echo_start(struct echo *echo, void *(*work)(void *))
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(path, sizeof path, "%s/s", top);
	memcpy(address.sun_path, path, strlen(path) + 1);
	unlink(path);
	echo->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(echo->listener, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(listen(echo->listener, 256), 0);
	if (work)
		assert_int_equal(pthread_create(&echo->thread, NULL, work, echo), 0);
}

static void echo_stop(struct echo *echo)
{
	shutdown(echo->listener, SHUT_RDWR);
	pthread_join(echo->thread, NULL);
	close(echo->listener);
}

/* --- The port --- */

/* Start it with its output and input in pipes. */
static pid_t port_start(const char *const *arguments, int *ret_output, int *ret_input)
{
	int out[2], in[2];
	const char *argv[16] = {program};
	for (size_t i = 0; (argv[i + 1] = arguments[i]); i++)
		;
	assert_int_equal(pipe2(out, O_CLOEXEC) | pipe2(in, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setenv("PLACED", "{\"url\": \"" MARK "/v1\"}", 1);
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(out[1], 2);
		execv(program, (char **)(uintptr_t)argv);
		_exit(99);
	}
	close(out[1]);
	close(in[0]);
	*ret_output = out[0];
	*ret_input = in[1];
	return pid;
}

static int port_wait(pid_t pid)
{
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Until a text is there (NULL: to the end). */
static void port_read(int fd, const char *text, struct strbuf *to)
{
	char bytes[4096];
	ssize_t n = 1;
	while (!(text && strstr(to->text, text)) && (n = read(fd, bytes, sizeof bytes)) > 0)
		strbuf_add(to, bytes, (size_t)n);
}

/* Run it to its end: the exit code. */
static int port_run(const char *const *arguments, struct strbuf *said)
{
	int output, input;
	pid_t pid = port_start(arguments, &output, &input);
	close(input);
	port_read(output, NULL, said);
	close(output);
	return port_wait(pid);
}

#define RUN(said, ...) port_run((const char *const[]){__VA_ARGS__, NULL}, said)

/* --- Tests --- */

static void the_child_knows_the_url(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF want = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(RUN(&said, "/none", "0", MARK, "sh", "-c",
						 "echo $RONDO_RELAY_URL; echo \"$PLACED\"; echo \"$0|$1\"; exit 7",
						 MARK "/x?" MARK, "fix {url} here"),
		7);
	size_t n = strcspn(said.text, "\n");
	assert_true(text_starts_with(said.text, "http://127.0.0.1:"));
	strbuf_addf(&want, "%.*s\n{\"url\": \"%.*s/v1\"}\n%.*s/x?%.*s|fix {url} here\n", (int)n,
		said.text, (int)n, said.text, (int)n, said.text, (int)n, said.text);
	assert_string_equal(said.text, want.text);
	strbuf_reset(&said);
	assert_int_equal(RUN(&said, "/none", "0", "", "sh", "-c", "echo \"$PLACED\""), 0);
	assert_string_equal(said.text, "{\"url\": \"" MARK "/v1\"}\n");
}

static void its_end_is_the_child_s(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(RUN(&said, "/none", "0", "", "true"), 0);
	assert_int_equal(RUN(&said, "/none", "0", "", "sh", "-c", "kill -9 $$"), 137);
	assert_string_equal(said.text, "");
	assert_int_equal(RUN(&said, "/none", "0", "", "/no/such/program"), 127);
	assert_string_equal(said.text, "relay_port: /no/such/program: No such file or directory\n");
	assert_int_equal(RUN(&said, "/none", "0", "", "/"), 126);
	/* what a child has left running holds nobody up */
	assert_int_equal(RUN(&said, "/none", "0", "", "sh", "-c", "sleep 60 >&- 2>&- & exit 4"), 4);
}

static void what_cannot_be_is_said(void **state)
{
	(void)state;
	static const char *const ports[] = {"", "x", "-1", "65536", "80 "};
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF longer = STRBUF_INIT(STRBUF_LINE);
	char number[16];
	for (size_t i = 0; i < ARRAY_SIZE(ports); i++)
		assert_int_equal(RUN(&said, "/none", ports[i], "", "true"), RELAY_PORT_FAILED);
	assert_int_equal(RUN(&said, "/none", "0", ""), RELAY_PORT_FAILED);
	for (int i = 0; i < 200; i++)
		strbuf_adds(&longer, "x");
	assert_int_equal(RUN(&said, longer.text, "0", "", "true"), RELAY_PORT_FAILED);
	assert_true(text_starts_with(said.text, "usage: relay_port SOCKET PORT MARK COMMAND"));
	strbuf_reset(&said);
	int output, input;
	const char *const arguments[] = {
		"/none", "0", "", "sh", "-c", "echo ${RONDO_RELAY_URL##*:}.; read x", NULL};
	pid_t pid = port_start(arguments, &output, &input);
	port_read(output, ".", &said);
	snprintf(number, sizeof number, "%.*s", (int)strcspn(said.text, "."), said.text);
	strbuf_reset(&said);
	assert_int_equal(RUN(&said, "/none", number, "", "true"), RELAY_PORT_FAILED);
	assert_true(text_starts_with(said.text, "relay_port: cannot listen on 127.0.0.1: Address "));
	close(input);
	assert_int_equal(port_wait(pid), 1);
	close(output);
}

static void bytes_pass_both_ways(void **state)
{
	(void)state;
	static const char *const rows[][2] = {{"1", "0"}, {"1", "1"}, {"1", "40000"}, {"100", "400"}};
	struct echo echo;
	echo_start(&echo, echo_all);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
		assert_int_equal(RUN(&said, path, "0", "", "python3", script, rows[i][0], rows[i][1]), 0);
		assert_string_equal(said.text, "[]\n");
	}
	echo_stop(&echo);
}

/* Homes lie deep: the path is longer than a socket's may be. */
static void a_socket_may_lie_deep(void **state)
{
	(void)state;
	char deep[TOP_SIZE + 208], moved[TOP_SIZE + 216];
	struct echo echo;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	snprintf(deep, sizeof deep, "%s/%0200d", top, 0);
	snprintf(moved, sizeof moved, "%s/s", deep);
	echo_start(&echo, echo_all);
	assert_int_equal(mkdir(deep, 0700), 0);
	assert_int_equal(rename(path, moved), 0);
	assert_int_equal(RUN(&said, moved, "0", "", "python3", script, "2", "40"), 0);
	assert_string_equal(said.text, "[]\n");
	echo_stop(&echo);
}

static void a_connection_that_waits_costs_nothing(void **state)
{
	(void)state;
	struct echo echo;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	int output, input;
	echo_start(&echo, NULL);
	const char *const arguments[] = {path, "0", "", "python3", script, "1", "10", NULL};
	echo.port = port_start(arguments, &output, &input);
	assert_int_equal(pthread_create(&echo.thread, NULL, echo_late, &echo), 0);
	port_read(output, NULL, &said);
	assert_int_equal(port_wait(echo.port), 3);
	assert_string_equal(said.text, "[0]\n");
	echo_stop(&echo);
	assert_in_range(echo.ticks, 0, 10); /* of 50 in the time that it waited */
	close(output);
	close(input);
}

static void nobody_at_the_socket_ends_the_connection(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(RUN(&said, "/none", "0", "", "python3", "-c",
						 "import os, socket\n"
						 "host, port = os.environ['RONDO_RELAY_URL'][7:].split(':')\n"
						 "for i in range(300):\n"
						 "    s = socket.create_connection((host, int(port)))\n"
						 "    try:\n"
						 "        assert s.recv(1) == b''\n"
						 "    except ConnectionResetError:\n"
						 "        pass\n"
						 "    s.close()\n"),
		0);
	assert_string_equal(said.text, "");
}

static void signals_reach_the_child(void **state)
{
	(void)state;
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
		int output, input;
		const char *const arguments[] = {
			"/none", "0", "", "sh", "-c", "trap 'exit 9' TERM INT HUP; echo ready; read x", NULL};
		pid_t pid = port_start(arguments, &output, &input);
		port_read(output, "ready", &said);
		kill(pid, signals[i]);
		assert_int_equal(port_wait(pid), 9);
		close(output);
		close(input);
	}
}

/* Who waits for the end of the output need not wait for the port. */
static void the_streams_are_the_child_s_alone(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	int output, input;
	const char *const arguments[] = {
		"/none", "0", "", "sh", "-c", "read x; echo $x; exec >&- 2>&-; read x; exit 5", NULL};
	pid_t pid = port_start(arguments, &output, &input);
	assert_int_equal(file_write_all(input, "hello\n", 6), 0);
	port_read(output, NULL, &said);
	assert_string_equal(said.text, "hello\n");
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	close(input);
	assert_int_equal(port_wait(pid), 5);
	close(output);
}

/* Nobody is left who could reach anything. */
static void a_port_that_is_killed_takes_its_child_along(void **state)
{
	(void)state;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_LINE);
	int output, input;
	const char *const arguments[] = {"/none", "0", "", "sh", "-c", "echo ready; exec cat", NULL};
	pid_t pid = port_start(arguments, &output, &input);
	port_read(output, "ready", &said);
	kill(pid, SIGKILL);
	assert_int_equal(port_wait(pid), 1000 + SIGKILL);
	port_read(output, NULL, &said);
	close(output);
	close(input);
}

static void the_program_is_small(void **state)
{
	(void)state;
	assert_true(relay_port_programs_n >= 1);
	assert_in_range(relay_port_programs[0].n, 1, 300000 * 4);
	assert_memory_equal(relay_port_programs[0].bytes,
		"\x7f"
		"ELF",
		4);
}

static int set_up(void **state)
{
	struct rondo_error err;
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_non_null(make_top(top));
	snprintf(program, sizeof program, "%s/relay_port", top);
	snprintf(script, sizeof script, "%s/client.py", top);
	assert_int_equal(
		file_create(program, relay_port_programs[0].bytes, relay_port_programs[0].n, 0755, &err),
		0);
	return file_create(script, client, strlen(client), 0644, &err);
}

static int tear_down(void **state)
{
	struct rondo_error err;
	(void)state;
	return file_remove_tree(top, &err);
}

UNIT(relay_port)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_child_knows_the_url),
		cmocka_unit_test(its_end_is_the_child_s),
		cmocka_unit_test(what_cannot_be_is_said),
		cmocka_unit_test(bytes_pass_both_ways),
		cmocka_unit_test(a_socket_may_lie_deep),
		cmocka_unit_test(a_connection_that_waits_costs_nothing),
		cmocka_unit_test(nobody_at_the_socket_ends_the_connection),
		cmocka_unit_test(signals_reach_the_child),
		cmocka_unit_test(the_streams_are_the_child_s_alone),
		cmocka_unit_test(a_port_that_is_killed_takes_its_child_along),
		cmocka_unit_test(the_program_is_small),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
