/* reads: answers of container engines */
/* What an engine says of itself, of images, of a pull and of what lies there, as http.h cuts it;
 * the first byte says in which pieces. An engine that is agreed with has a version that rondo
 * knows, and what errors say is text. */
#include <sys/socket.h>
#include <sys/un.h>

#include "executors/docker/docker.h"
#include "tests/fuzz/http.h"

/* Connections are made to see whether somebody listens. */
static const char *listener(int *ret_fd)
{
	static struct sockaddr_un address = {.sun_family = AF_UNIX};
	static int fd = -1;
	if (fd < 0) {
		snprintf(address.sun_path, sizeof address.sun_path, "%s", fuzz_path("socket"));
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		assert(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
		assert(listen(fd, 8) == 0);
	}
	*ret_fd = fd;
	return address.sun_path;
}

static void use(struct docker_api *api)
{
	static const struct context ctx;
	struct docker docker = {.api = *api, .image = "host:5000/a/b:c", .pull = "missing"};
	struct rondo_error err;
	size_t n;
	assert(strcmp(api->version, "1.41") >= 0 && strcmp(api->version, "1.47") <= 0);
	if (docker_image_bring(&docker, &ctx, &err) < 0)
		assert_error(&err);
	if (docker_owner_collect(api, &n, NULL, &err) < 0)
		assert_error(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct docker_api api;
	int fd;
	const char *path = listener(&fd);
	if (!size)
		return 0;
	fuzz_answer_with(data + 1, size - 1, data[0]);
	if (docker_api_open(&api, path, &arena, NULL, &err) == 0) {
		use(&api);
		docker_api_close(&api);
	} else {
		assert_error(&err);
	}
	for (int tried; (tried = accept(fd, NULL, NULL)) >= 0;)
		close(tried);
	return 0;
}
