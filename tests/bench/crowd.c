/*
 * A crowd: 1,000 conversations at once in one process, each a thread with a model of its own that
 * is asked three times, by a server that takes a second a reply. Whoever waits costs next to
 * nothing: that is what is measured.
 */
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "models/model.h"
#include "tests/bench/bench.h"

#define CONVERSATIONS 1000
#define CALLS 3
#define REPLY_MS 1000
#define REPLAYS 10000
#define STACK_SIZE ((size_t)128 << 10)

#define CHUNK(size, json) size "\r\ndata: " json "\n\n\r\n"
static const char reply[] =
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: "
	"chunked\r\n\r\n" CHUNK(
		"4b", "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}")
		CHUNK("42", "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"All tests \"}}]}")
			CHUNK("3d", "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"pass.\"}}]}")
				CHUNK("43", "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}")
					CHUNK("4a",
						"{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":4}"
						"}") "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n";

/* Replies that are due, in order: all take as long. */
struct due {
	int fd;
	int64_t when_ms;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Requests are small and come one at a time: what is read at once is one, or the rest of one. */
static bool reads_request(int fd)
{
	char bytes[8192];
	ssize_t n = recv(fd, bytes, sizeof bytes - 1, 0);
	if (n <= 0) {
		close(fd);
		return false;
	}
	return bytes[n - 1] == '}';
}

static int send_due(const struct due *queue, size_t *first, size_t last)
{
	int64_t now = clock_now_ms();
	for (; *first < last && queue[*first].when_ms <= now; ++*first)
		send(queue[*first].fd, reply, sizeof reply - 1, MSG_NOSIGNAL);
	return *first < last ? (int)(queue[*first].when_ms - now) : -1;
}

__attribute__((noreturn)) static void serve(int listener)
{
	struct due *queue = memory_alloc((CONVERSATIONS * CALLS + 1) * sizeof *queue);
	size_t first = 0, last = 0;
	int epoll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
	epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
	for (;;) {
		int n = epoll_wait(epoll, ready, ARRAY_SIZE(ready), send_due(queue, &first, last));
		for (int i = 0; i < n; i++) {
			int fd = ready[i].data.fd;
			if (fd == listener) {
				event.data.fd = accept(listener, NULL, NULL);
				epoll_ctl(epoll, EPOLL_CTL_ADD, event.data.fd, &event);
			} else if (reads_request(fd)) {
				queue[last++] = (struct due){fd, clock_now_ms() + REPLY_MS};
			}
		}
	}
}

/* The port of a server in a process of its own, whose time and memory do not count. */
static int start_server(pid_t *pid)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&address, size) < 0 ||
		listen(listener, CONVERSATIONS) < 0 ||
		getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		fail("listen");
	*pid = fork();
	if (*pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(listener);
	}
	close(listener);
	return ntohs(address.sin_port);
}

static void allow_files(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void *model_options(
	const struct model_type *type, const char *const (*settings)[2], size_t n, struct arena *arena)
{
	struct rondo_error err;
	void *options = arena_alloc(arena, type->state_size);
	option_defaults(type->options, options, arena);
	for (size_t i = 0; i < n; i++)
		bench_must(option_set(option_find(type->options, settings[i][0], "key", &err), options,
					   arena, settings[i][1], &err),
			&err);
	return options;
}

/* Ask so often, each time with all that was said before. */
static void converse(struct model *model, size_t calls)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct context ctx = {0};
	struct model_reply said;
	struct model_message messages[1 + 2 * CALLS] = {
		{.role = MODEL_SYSTEM, .content = "You repair programs."}};
	for (size_t i = 0; i < calls; i++) {
		messages[1 + 2 * i] = (struct model_message){
			.role = MODEL_USER, .content = "2 of 18 tests fail. test_total: found 8, expected 15."};
		const struct model_request request = {.messages = messages, .n = 2 + 2 * i};
		bench_must(model_complete(model, &request, &arena, &said, &ctx, &err), &err);
		messages[2 + 2 * i] = (struct model_message){.role = MODEL_ASSISTANT, .content = said.text};
	}
}

static void *run_conversation(void *options)
{
	static const struct price price;
	static const struct model_services services;
	struct rondo_error err;
	struct model *model = model_new(&openai_model, "openai/test", options, &price, &services, &err);
	bench_must(model ? 0 : -1, &err);
	converse(model, CALLS);
	model_free(model);
	return NULL;
}

static int64_t cpu_us(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
		usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static long peak_kb(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void run_crowd(void *options)
{
	pthread_t threads[CONVERSATIONS];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_SIZE);
	long memory = peak_kb();
	int64_t cpu = cpu_us(), start = clock_now_us();
	for (size_t i = 0; i < CONVERSATIONS; i++)
		if ((errno = pthread_create(&threads[i], &small, run_conversation, options)))
			fail("pthread_create");
	for (size_t i = 0; i < CONVERSATIONS; i++)
		pthread_join(threads[i], NULL);
	int64_t wall = clock_now_us() - start;
	cpu = cpu_us() - cpu;
	memory = peak_kb() - memory;
	printf("crowd: %d conversations of %d calls: %.2f s (ideal %.2f s: ratio %.2f), each %.0f KB "
		   "and %.2f ms of CPU\n",
		CONVERSATIONS, CALLS, (double)wall / 1e6, CALLS * REPLY_MS / 1e3,
		(double)wall / (CALLS * REPLY_MS * 1e3), (double)memory / CONVERSATIONS,
		(double)cpu / 1000 / CONVERSATIONS);
	pthread_attr_destroy(&small);
}

static void run_replays(void)
{
	static const char *const settings[][2] = {
		{"replies", "Swap the operands."}, {"replies", "TERMINATE"}};
	static const struct price price;
	static const struct model_services services;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	void *options = model_options(&replay_model, settings, ARRAY_SIZE(settings), &arena);
	int64_t start = clock_now_us();
	for (size_t i = 0; i < REPLAYS; i++) {
		struct model *model = model_new(&replay_model, "replay", options, &price, &services, &err);
		bench_must(model ? 0 : -1, &err);
		converse(model, 2);
		model_free(model);
	}
	printf("crowd: a replayed conversation of 2 calls: %.2f us\n",
		(double)(clock_now_us() - start) / REPLAYS);
}

int main(void)
{
	AUTO_ARENA arena = ARENA_INIT;
	pid_t server = 0;
	allow_files();
	const char *url = arena_printf(&arena, "http://127.0.0.1:%d/v1", start_server(&server));
	const char *const settings[][2] = {{"model", "test"}, {"base_url", url}};
	run_crowd(model_options(&openai_model, settings, ARRAY_SIZE(settings), &arena));
	run_replays();
	kill(server, SIGKILL);
	return 0;
}
