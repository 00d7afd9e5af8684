/*
 * Programs in a container of Docker or Podman. The engine is driven by its API over its socket.
 */
#include "executors/docker/docker.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/docker_api.h"

#define AT(member) offsetof(struct docker, member)
#define USUAL_IMAGE "python:3-slim"

static const char *const pulls[] = {"missing", "always", "never", NULL};
static const char *const trees[] = {"auto", "mount", "archive", NULL};

static const struct option options[] = {
	{.name = "image", .kind = OPTION_STRING, .offset = AT(image), .fallback = USUAL_IMAGE,
		.argument = "IMAGE",
		.help = "what containers are made of; it needs /bin/sh and what the programs need"},
	{.name = "pull", .kind = OPTION_ENUM, .offset = AT(pull), .values = pulls,
		.fallback = "missing", .help = "when the image is brought from its registry"},
	{.name = "container_name", .kind = OPTION_STRING, .offset = AT(container_name),
		.argument = "NAME", .help = "of the container; else the engine gives one"},
	{.name = "auto_remove", .kind = OPTION_BOOL, .offset = AT(auto_remove), .fallback = "true",
		.help = "remove the container when it stops"},
	{.name = "stop_container", .kind = OPTION_BOOL, .offset = AT(stop_container),
		.fallback = "true", .help = "stop the container at the end of the run"},
	{.name = "extra_hosts", .kind = OPTION_TEXTS, .offset = AT(extra_hosts),
		.help = "addresses by the names that programs know them by; host-gateway is this machine"},
	{.name = "memory", .kind = OPTION_BYTES, .offset = AT(memory), .fallback = "4G", .most = 1e15,
		.help = "of all programs together, and no swap; 0: no limit"},
	{.name = "cpus", .kind = OPTION_NUMBER, .offset = AT(cpus), .most = 10000,
		.help = "how many cores; 0: all"},
	{.name = "pids", .kind = OPTION_INT, .offset = AT(pids), .least = 16, .most = 4000000,
		.fallback = "1024", .help = "processes and threads at once"},
	{.name = "tmp", .kind = OPTION_BYTES, .offset = AT(tmp), .least = 1048576, .most = 1e15,
		.fallback = "1G", .help = "what /tmp and the home may hold, each"},
	{.name = "tree", .kind = OPTION_ENUM, .offset = AT(tree), .values = trees, .fallback = "auto",
		.help = "how containers get it: mount it, send what changed (archive), or auto: mount it "
			"where the engine sees it"},
	{.name = "socket", .kind = OPTION_STRING, .offset = AT(socket), .argument = "PATH",
		.help = "where the engine listens; else DOCKER_HOST, Docker's or Podman's own; doctor "
			"and gc ask only these, what was left at another goes at the next start there"},
	OPTION_END,
};

static void docker_stop(struct executor *executor)
{
	struct docker *docker = executor->state;
	struct rondo_error ignored;
	if (!docker->api.http)
		return;
	docker_container_leave(docker);
	remote_release(&docker->remote);
	docker_api_close(&docker->api);
	pthread_mutex_destroy(&docker->lock);
	file_remove_tree(docker->inside, &ignored);
}

enum made { MADE, MADE_UNSEEN, MADE_REFUSED, MADE_STOPPED };

/* Make a container with the tree mounted and check that programs see it. Otherwise err says why;
 * sending the tree may still work except after MADE_STOPPED. */
static enum made docker_make_mounted(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	bool sees = false;
	int status = docker_container_make(executor, ctx, err);
	if (status == 0)
		status = docker_helper_see(executor, &sees, ctx, err);
	if (status == 0 && sees)
		return MADE;
	if (status < 0 && (cancel_reason(ctx->cancel) || err->code == RONDO_ERROR_TRANSIENT))
		return MADE_STOPPED;
	if (*docker->container)
		docker_container_drop(docker, docker->container, NULL);
	if (status < 0)
		return MADE_REFUSED;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s does not see '%s' as this machine does",
		docker->api.name, executor->tree);
	return MADE_UNSEEN;
}

/* Podman's volumes belong to the user, so that programs could replace the helper. */
static int docker_refuse_podman(const struct docker *docker, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"%s takes no tree by archive: its volumes belong to the programs", docker->api.name);
	return error_help(err, "choose executor.tree: mount, or an engine of Docker's");
}

/* If both ways are refused, the first error tells the reason. */
static int docker_make_by_archive(struct executor *executor, enum made made,
	const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct rondo_error first = *err;
	if (made == MADE_UNSEEN)
		context_progress(ctx, "docker", "%s does not see the tree, which is sent to it",
			docker->api.name);
	docker->by_archive = true;
	if (docker_container_make(executor, ctx, err) == 0)
		return 0;
	if (made == MADE_REFUSED && !cancel_reason(ctx->cancel))
		*err = first;
	return -1;
}

static int docker_make_first(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	docker->by_archive = strcmp(docker->tree, "archive") == 0;
	if (docker->by_archive && docker->api.is_podman)
		return docker_refuse_podman(docker, err);
	if (docker->by_archive)
		return docker_container_make(executor, ctx, err);
	enum made made = docker_make_mounted(executor, ctx, err);
	if (made == MADE)
		return 0;
	if (made == MADE_STOPPED || docker->api.is_podman)
		return -1;
	if (strcmp(docker->tree, "mount") == 0)
		return *err->help ? -1
			: error_help(err, "-s executor.tree=archive sends the tree to the container");
	return docker_make_by_archive(executor, made, ctx, err);
}

static int docker_start(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	size_t n;
	docker->held = -1;
	docker->container[0] = '\0';
	docker->why_new = NULL;
	docker->remote = (struct remote){0};
	if (docker_api_open(&docker->api, docker->socket, &executor->arena, ctx->cancel, err) < 0)
		return -1;
	pthread_mutex_init(&docker->lock, NULL);
	if (docker_helper_write(docker, executor, err) == 0 &&
		docker_owner_collect(&docker->api, &n, ctx->cancel, err) == 0 &&
		docker_image_bring(docker, ctx, err) == 0 && docker_make_first(executor, ctx, err) == 0)
		return 0;
	docker_stop(executor);
	return -1;
}

static int docker_collect(size_t *ret_n, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker_api api;
	struct rondo_error absent;
	*ret_n = 0;
	if (docker_api_open(&api, NULL, &arena, NULL, &absent) < 0)
		return 0;
	int status = docker_owner_collect(&api, ret_n, NULL, err);
	docker_api_close(&api);
	return status;
}

/* Also say whether the image is present, because pulling it takes time. */
static int docker_ask(const char *socket, struct strbuf *found, struct arena *arena,
	const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_api api;
	struct docker_request image = {.method = "GET", .path = "/images/" USUAL_IMAGE "/json"};
	if (docker_api_open(&api, socket, arena, cancel, err) < 0)
		return -1;
	int status = docker_send(&api, &image, &answer, cancel, err);
	bool is_there = status == 0 && answer.status == 200;
	if (status == 0)
		strbuf_addf(found, "%s%s, API %s%s, at %s%s", is_there ? USUAL_IMAGE " in " : "", api.name,
			api.version, api.is_rootless ? ", rootless" : "", api.socket,
			is_there ? "" : "; " USUAL_IMAGE " is pulled at first use");
	docker_api_close(&api);
	return status;
}

static int docker_probe(struct strbuf *found, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct cancel deadline;
	const char *host = getenv("DOCKER_HOST"), *socket = docker_socket_find(NULL, &arena, err);
	bool is_there = (host && *host) || (socket && file_exists(socket));
	if (!socket)
		strbuf_adds(found, is_there ? host : "");
	if (!socket || cancel_init(&deadline, NULL, EXECUTOR_PROBE_MS, err) < 0)
		return -1;
	int status = docker_ask(socket, found, &arena, &deadline, err);
	cancel_release(&deadline);
	if (status == 0)
		return 0;
	strbuf_adds(found, is_there ? socket : "");
	if (err->code != RONDO_ERROR_CANCELLED)
		return -1;
	error_set(err, RONDO_ERROR_TRANSIENT,
		"the container engine at %s takes calls, and does not answer", socket);
	return error_help(err, "sudo systemctl restart docker");
}

const struct executor_type docker_executor = {
	.name = "docker",
	.summary =
	"a container of Docker or Podman: a system of its own, no network, read-only but for the tree",
	.state_size = sizeof(struct docker),
	.options = options,
	.sees = EXECUTOR_SEES_ITSELF,
	.probe = docker_probe,
	.collect = docker_collect,
	.start = docker_start,
	.attempt = executor_run_nothing,
	.run = docker_run,
	.open = docker_open,
	.stop = docker_stop,
};
