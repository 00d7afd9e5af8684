/* What repair remembers from turn to turn, and saves. Private to this folder. */
#pragma once
#include "agents/repair/partials.h"
#include "chat/message_thread.h"

/* Of the search for one group. */
struct repair_group {
	int64_t *proposed; /* candidates, by their ids */
	size_t n_proposed;
	bool is_closed; /* there is nothing more to try */
};

struct repair_memory {
	const struct rondo_message *report; /* searches begin from it; NULL: none yet */
	struct repair_group *groups;
	size_t n_groups, group;                /* the current one */
	size_t n_taken, n_tried;               /* by searches that may continue */
	size_t n_taken_before, n_tried_before; /* by those that are over */
	struct partials partials;
	struct edit undo; /* takes back the edit that was proposed last */
	bool has_undo;
	bool is_undone; /* the text is back: the search continues */
	bool finished;
	int64_t deadline_ms; /* 0: it has not begun */
};

/* Have so many groups; those that are new have proposed nothing. The array is another one than
 * before, which stays as it was. */
void repair_memory_need_groups(struct repair_memory *memory, size_t n, struct arena *arena);

void repair_memory_save(const struct repair_memory *memory, struct json *to);

/* An error where it cannot belong to this thread; the memory is then unchanged. */
int repair_memory_load(struct repair_memory *memory, const struct json *from,
	const struct message_thread *thread, struct arena *arena, struct rondo_error *err);
