/*
 * The relay between a client and a host, against the same client that asks the host itself: how
 * much longer a small answer takes, and a large one in a model's words. Through the port, too,
 * as an agent in a box has it.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/http/http.h"
#include "executors/relay_port/relay_port.h"
#include "models/relay/relay.h"
#include "tests/bench/bench.h"

enum { RUNS = 7 };

static const char body[] = "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\","
						   "\"content\":\"Go on.\"}],\"stream_options\":{\"include_usage\":true}}";

/* A stream of so many bytes in events of a word each. */
static void make_reply(struct strbuf *reply, size_t bytes)
{
	AUTO_STRBUF events = STRBUF_INIT((size_t)128 << 20);
	while (events.length < bytes)
		strbuf_adds(&events,
			"data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,"
			"\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},"
			"\"finish_reason\":null}]}\n\n");
	strbuf_adds(&events,
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":9}}\n\n"
		"data: [DONE]\n\n");
	strbuf_addf(reply,
		"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %zu\r\n\r\n",
		events.length);
	strbuf_add(reply, events.text, events.length);
}

static void send_all(int fd, const char *bytes, size_t n)
{
	for (ssize_t sent; n && (sent = send(fd, bytes, n, MSG_NOSIGNAL)) > 0; bytes += sent)
		n -= (size_t)sent;
}

/* Answers each request of a connection, one after the other. */
static void serve_one(int fd, const struct strbuf *reply)
{
	char request[65536];
	int one = 1;
	ssize_t n;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	for (size_t end = 0; (n = read(fd, request + end, sizeof request - end - 1)) > 0;) {
		end += (size_t)n;
		request[end] = '\0';
		if (!strstr(request, "\r\n\r\n{") || request[end - 1] != '}')
			continue;
		send_all(fd, reply->text, reply->length);
		end = 0;
	}
	close(fd);
}

static pid_t serve(const struct strbuf *reply, int *ret_port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 64) < 0 ||
		getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		exit(1);
	*ret_port = ntohs(address.sin_port);
	pid_t pid = fork();
	if (pid) {
		close(listener);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	while ((fd = accept(listener, NULL, NULL)) >= 0) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			serve_one(fd, reply);
			_exit(0);
		}
		close(fd);
	}
	_exit(0);
}

static enum http_taken count(void *owner, const char *bytes, size_t n)
{
	(void)bytes;
	*(size_t *)owner += n;
	return HTTP_USED;
}

/* A call of the client's, in microseconds. */
static int64_t ask_us(struct http *http, const char *url, const char *unix_socket, size_t least)
{
	struct rondo_error err;
	struct http_response response;
	size_t got = 0;
	const char *headers[] = {"Content-Type: application/json", "Authorization: Bearer x", NULL};
	struct http_request request = {.url = url,
		.unix_socket = unix_socket,
		.headers = headers,
		.body = body,
		.body_length = strlen(body),
		.limits = HTTP_LIMITS,
		.take = count,
		.owner = &got};
	request.limits.body = (size_t)1 << 30;
	int64_t start_us = clock_now_us();
	bench_must(http_send(http, &request, &response, NULL, &err), &err);
	if (response.status != 200 || got < least) {
		fprintf(stderr, "bench: HTTP %d, %zu bytes\n", response.status, got);
		exit(1);
	}
	return clock_now_us() - start_us;
}

/* Many calls in a row, a call's microseconds; the first one opens the connection. */
static double calls_us(const char *url, const char *unix_socket, size_t least, int n)
{
	struct http *http = http_new();
	int64_t sum_us = 0;
	ask_us(http, url, unix_socket, least);
	for (int i = 0; i < n; i++)
		sum_us += ask_us(http, url, unix_socket, least);
	http_free(http);
	return (double)sum_us / n;
}

/* The port in front of a socket; its URL into `url`. Ends with its standard input. */
static pid_t port_start(const char *dir, const char *socket, char *url, size_t size)
{
	char program[256];
	int in[2], out[2];
	struct rondo_error err;
	snprintf(program, sizeof program, "%s/port", dir);
	bench_must(
		file_write(program, relay_port_programs[0].bytes, relay_port_programs[0].n, 0755, &err),
		&err);
	if (pipe(in) < 0 || pipe(out) < 0)
		exit(1);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		execl(program, program, socket, "0", "", "sh", "-c", "echo $RONDO_RELAY_URL; read x",
			(char *)NULL);
		_exit(1);
	}
	ssize_t n = read(out[0], url, size - 1);
	url[n > 0 ? n - 1 : 0] = '\0';
	return pid;
}

static double median(double *values)
{
	int64_t whole[RUNS];
	for (size_t i = 0; i < RUNS; i++)
		whole[i] = (int64_t)(values[i] * 1000);
	return (double)bench_median(whole, RUNS) / 1000;
}

/* One size of answers. */
static void compare(const char *dir, size_t bytes, int n, const char *what)
{
	char url[160], port_url[160], base[96], path[256];
	double direct[RUNS], relayed[RUNS], ported[RUNS];
	int port;
	struct rondo_error err;
	struct relay *relay;
	AUTO_STRBUF reply = STRBUF_INIT((size_t)128 << 20);
	make_reply(&reply, bytes);
	pid_t server = serve(&reply, &port);
	snprintf(base, sizeof base, "http://127.0.0.1:%d/v1", port);
	snprintf(url, sizeof url, "%s/chat/completions", base);
	snprintf(path, sizeof path, "%s/relay%zu/s", dir, bytes);
	struct relay_options options = {
		.socket = path, .upstream = {.base_url = base, .key = "sk-0123456789"}};
	bench_must(relay_start(&options, &relay, &err), &err);
	pid_t child = port_start(dir, path, base, sizeof base);
	snprintf(port_url, sizeof port_url, "%s/v1/chat/completions", base);
	snprintf(base, sizeof base, "http://127.0.0.1:%d/v1", port);
	for (size_t i = 0; i < RUNS; i++) {
		direct[i] = calls_us(url, NULL, bytes, n);
		relayed[i] = calls_us(url, path, bytes, n);
		ported[i] = calls_us(port_url, NULL, bytes, n);
	}
	kill(child, SIGKILL);
	kill(server, SIGKILL);
	waitpid(child, NULL, 0);
	waitpid(server, NULL, 0);
	relay_end(relay);
	double first = median(direct), second = median(relayed), third = median(ported);
	printf("relay %-28s direct %8.2f ms, by the relay %8.2f ms, %.2f x; by its port %8.2f ms, "
		   "%.2f x\n",
		what, first / 1000, second / 1000, second / first, third / 1000, third / first);
}

int main(void)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct rusage before, after;
	const char *dir = bench_directory(&arena);
	getrusage(RUSAGE_SELF, &before);
	compare(dir, 200, 200, "an answer of 1 KB:");
	compare(dir, 100000, 50, "a stream of 100 KB:");
	compare(dir, 20000000, 1, "a stream of 20 MB:");
	getrusage(RUSAGE_SELF, &after);
	printf("relay at most %ld MB of memory, with client and the host's answers\n",
		after.ru_maxrss / 1024);
	return file_remove_tree(dir, &err) < 0;
}
