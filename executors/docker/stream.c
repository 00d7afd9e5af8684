#include "executors/docker/stream.h"

#include <string.h>

/* Some engines use channel 0 for output; 3 has errors of the engine. */
#define MOST_CHANNEL 3

static bool stream_open_frame(struct docker_stream *stream)
{
	const unsigned char *head = stream->head;
	stream->left =
		(uint32_t)head[4] << 24 | (uint32_t)head[5] << 16 | (uint32_t)head[6] << 8 | head[7];
	stream->n_head = stream->left ? sizeof stream->head : 0;
	return head[0] <= MOST_CHANNEL && !head[1] && !head[2] && !head[3];
}

static size_t stream_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

bool docker_stream_feed(struct docker_stream *stream, const char *bytes, size_t n)
{
	while (n) {
		bool in_head = stream->n_head < sizeof stream->head;
		size_t part = stream_least(n, in_head ? sizeof stream->head - stream->n_head
			: stream->left);
		if (in_head) {
			memcpy(stream->head + stream->n_head, bytes, part);
			stream->n_head += part;
			if (stream->n_head == sizeof stream->head && !stream_open_frame(stream))
				return false;
		} else {
			stream->take(stream->owner, stream->head[0] == DOCKER_ERROR ? DOCKER_ERROR
				: DOCKER_OUTPUT, bytes, part);
			stream->left -= (uint32_t)part;
			stream->n_head = stream->left ? stream->n_head : 0;
		}
		bytes += part;
		n -= part;
	}
	return true;
}
