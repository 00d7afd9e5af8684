/* tests/lib/server, started by a test with a script of its own: see there for the instructions. */
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "tests/unit/unit.h"

struct server {
	char dir[TOP_SIZE], log[TOP_SIZE + 32];
	int port, input; /* it ends when its input does */
	pid_t pid;
};

static inline int server_read_port(int fd)
{
	char text[16];
	size_t n = 0;
	while (n < sizeof text - 1 && read(fd, text + n, 1) == 1 && text[n] != '\n')
		n++;
	text[n] = '\0';
	return atoi(text);
}

static inline void server_start(struct server *server, const char *script)
{
	int in[2], out[2];
	char path[TOP_SIZE + 32];
	struct rondo_error err;
	assert_non_null(make_top(server->dir));
	snprintf(path, sizeof path, "%s/script", server->dir);
	snprintf(server->log, sizeof server->log, "%s/log", server->dir);
	assert_int_equal(file_write(path, script, strlen(script), 0600, &err), 0);
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	server->pid = fork();
	if (server->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl("tests/lib/server", "server", path, server->log, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	server->input = in[1];
	server->port = server_read_port(out[0]);
	close(out[0]);
	assert_true(server->pid > 0 && server->port > 0);
}

static inline void server_stop(struct server *server)
{
	struct rondo_error err;
	close(server->input);
	waitpid(server->pid, NULL, 0);
	file_remove_tree(server->dir, &err);
}

/* The request of that number in a scene, as it stands in the log; the caller's. NULL: there was
 * none. */
static inline struct json *server_request(
	const struct server *server, const char *scene, int number)
{
	struct rondo_error err;
	AUTO_STRBUF log = STRBUF_INIT(STRBUF_RECORD);
	assert_int_equal(file_read(server->log, STRBUF_RECORD, &log, &err), 0);
	for (const char *line = log.text; *line;) {
		size_t n = strcspn(line, "\n");
		struct json *request = json_parse(line, n, &err);
		if (request && strcmp(json_string(request, "scene", "?"), scene) == 0 &&
			json_int(request, "number", 0) == number)
			return request;
		json_free(request);
		line += n + (line[n] == '\n');
	}
	return NULL;
}

/* How many requests a scene got. */
static inline int server_count(const struct server *server, const char *scene)
{
	int n = 0;
	for (struct json *request; (request = server_request(server, scene, n + 1)); n++)
		json_free(request);
	return n;
}
