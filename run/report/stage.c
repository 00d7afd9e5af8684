/* What a run does, in a word, for who only watches. */
#include <string.h>

#include "run/run.h"

const char *run_stage(const struct rondo_event *event)
{
	bool is_gate = event->source && strcmp(event->source, "gate") == 0;
	switch (event->type) {
	case RONDO_EVENT_RUN_START:
		return "preparing";
	case RONDO_EVENT_BASE:
		return "baseline";
	case RONDO_EVENT_BASELINE:
		return "judging";
	case RONDO_EVENT_TURN_START:
		return "fixing";
	case RONDO_EVENT_STOP:
		return "gate";
	case RONDO_EVENT_PROGRESS:
		return is_gate ? "gate" : NULL;
	case RONDO_EVENT_VERDICT:
		return "reporting";
	case RONDO_EVENT_RUN_END:
	case RONDO_EVENT_MODEL_REQUEST:
	case RONDO_EVENT_MODEL_REPLY:
	case RONDO_EVENT_QUESTION:
	case RONDO_EVENT_SEARCH:
	case RONDO_EVENT_MESSAGE:
	case RONDO_EVENT_TURN_END:
	case RONDO_EVENT_NOTICE:
	case RONDO_EVENT_RESUME:
	case RONDO_EVENT_CHUNK:
	case RONDO_EVENT_ATTEMPT:
		break;
	}
	return NULL;
}
