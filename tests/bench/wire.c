/*
 * A streamed reply through the whole client, against bare libcurl that writes the same bytes into
 * memory: how much longer it takes, and how much memory. The events are as large as a model's
 * words, as its sentences, and as a file that comes at once.
 */
#include <dlfcn.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/http/curl.h"
#include "models/model.h"
#include "tests/bench/bench.h"

enum { RUNS = 5 };

static const char head[] =
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
static const char tail[] = "data: [DONE]\n\n";

/* A reply of so many bytes in events with so much text each. */
static void make_reply(struct strbuf *reply, size_t bytes, size_t words)
{
	AUTO_STRBUF event = STRBUF_INIT(STRBUF_RECORD);
	strbuf_adds(&event,
		"data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":"
		"\"test\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"");
	for (size_t i = 0; i < words; i++)
		strbuf_addc(&event, i % 6 == 5 ? ' ' : 'x');
	strbuf_adds(&event, "\"},\"finish_reason\":null}]}\n\n");
	strbuf_adds(reply, head);
	while (reply->length + event.length < bytes)
		strbuf_add(reply, event.text, event.length);
	strbuf_adds(reply, tail);
}

static void send_all(int fd, const struct strbuf *reply)
{
	for (size_t at = 0; at < reply->length;) {
		ssize_t n = send(fd, reply->text + at, reply->length - at, MSG_NOSIGNAL);
		if (n <= 0)
			return;
		at += (size_t)n;
	}
}

/* A process of its own that answers each request alike. */
static pid_t serve(const struct strbuf *reply, int *ret_port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 8) < 0 ||
		getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		exit(1);
	*ret_port = ntohs(address.sin_port);
	pid_t pid = fork();
	if (pid) {
		close(listener);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		char request[65536];
		int fd = accept(listener, NULL, NULL);
		if (read(fd, request, sizeof request) > 0)
			send_all(fd, reply);
		close(fd);
	}
}

static size_t keep(char *bytes, size_t size, size_t n, void *owner)
{
	strbuf_add(owner, bytes, size * n);
	return size * n;
}

static int64_t bare_us(const char *url)
{
	struct rondo_error err;
	AUTO_STRBUF got = STRBUF_INIT((size_t)128 << 20);
	int64_t start_us = clock_now_us();
	bench_must(curl_need(&err), &err);
	CURL *easy = curl.easy_init();
	curl.easy_setopt(easy, CURLOPT_URL, url);
	curl.easy_setopt(easy, CURLOPT_POSTFIELDS, "{}");
	curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep);
	curl.easy_setopt(easy, CURLOPT_WRITEDATA, &got);
	CURLcode (*perform)(CURL *) = NULL;
	*(void **)&perform = dlsym(dlopen("libcurl.so.4", RTLD_NOW), "curl_easy_perform");
	if (!perform || perform(easy) != CURLE_OK)
		exit(1);
	curl.easy_cleanup(easy);
	return clock_now_us() - start_us;
}

static int64_t rondo_us(const char *url)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct model_reply reply;
	static const struct price nothing = {.known = true};
	static const struct context ctx;
	static const struct model_services services;
	static const struct model_message message = {.role = MODEL_USER, .content = "Go on."};
	const struct model_request request = {.messages = &message, .n = 1};
	void *state = arena_alloc(&arena, openai_model.state_size);
	option_defaults(openai_model.options, state, &arena);
	const char *const settings[][2] = {{"model", "test"}, {"base_url", url}};
	for (size_t i = 0; i < 2; i++)
		bench_must(option_set(option_find(openai_model.options, settings[i][0], "key", &err), state,
					   &arena, settings[i][1], &err),
			&err);
	struct model *model = model_new(&openai_model, "m", state, &nothing, &services, &err);
	bench_must(model ? 0 : -1, &err);
	int64_t start_us = clock_now_us();
	bench_must(model_complete(model, &request, &arena, &reply, &ctx, &err), &err);
	int64_t took_us = clock_now_us() - start_us;
	model_free(model);
	return took_us;
}

/* Of one size of a reply and of its events. */
static void compare(size_t bytes, size_t words)
{
	char url[64];
	int port;
	int64_t bare[RUNS], rondo[RUNS];
	AUTO_STRBUF reply = STRBUF_INIT((size_t)128 << 20);
	make_reply(&reply, bytes, words);
	pid_t server = serve(&reply, &port);
	snprintf(url, sizeof url, "http://127.0.0.1:%d", port);
	for (size_t i = 0; i < RUNS; i++) {
		bare[i] = bare_us(url);
		rondo[i] = rondo_us(url);
	}
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	int64_t first = bench_median(bare, RUNS), second = bench_median(rondo, RUNS);
	printf(
		"wire  %5.1f MB, %7zu bytes of text an event: libcurl %7.1f ms, rondo %7.1f ms, %.2f x\n",
		(double)bytes / 1e6, words, (double)first / 1000, (double)second / 1000,
		(double)second / (double)first);
}

int main(void)
{
	static const size_t words[] = {20, 1000, 100000};
	struct rusage usage;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		compare(1000000, words[i]);
		compare(60000000, words[i]);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("wire  at most %ld MB of memory, with the reply itself\n", usage.ru_maxrss / 1024);
	return 0;
}
