/*
 * Events of a stream are alike but for the words in them. Where two in a row were, the next one's
 * words are taken from between the same bytes, and its JSON is not read: that costs more than all
 * else that is done for a word. Inside models/ only.
 */
#pragma once
#include "models/model_answer.h"

struct shape {
	struct strbuf event;  /* the last whose JSON was read, and that was nothing but words */
	size_t before, after; /* how many of its bytes stand around the words; both 0: none are known */
	bool is_proved;       /* another event was alike, and its other words stood there, too */
	size_t length;        /* of the answer's text before the event that is being read */
};

#define SHAPE_INIT \
	{ \
		.event = STRBUF_INIT(STRBUF_RECORD) \
	}

/* Whether an event is the last one again, or of a shape that is proved: then its words are in the
 * answer. */
bool shape_take(struct shape *shape, const char *event, size_t n, struct answer *answer);

/* Before and after the JSON of an event is read, to know what it adds. */
void shape_look(struct shape *shape, const struct answer *answer);
void shape_learn(struct shape *shape, const char *event, size_t n, const struct answer *answer);

void shape_release(struct shape *shape);
