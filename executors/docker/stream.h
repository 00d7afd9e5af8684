/*
 * The output of a process in a container: frames with a head of eight bytes, split anywhere. Only
 * the docker executor and tests include it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum docker_channel { DOCKER_OUTPUT = 1, DOCKER_ERROR = 2 };

struct docker_stream {
	void (*take)(void *owner, enum docker_channel channel, const char *bytes, size_t n);
	void *owner;
	unsigned char head[8];
	size_t n_head;
	uint32_t left; /* bytes left in the current frame */
};

/* Take n bytes. False: these are not frames, and nothing more can be read. */
bool docker_stream_feed(struct docker_stream *stream, const char *bytes, size_t n);
