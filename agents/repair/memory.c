#include "agents/repair/memory.h"

#include "base/clock.h"
#include "chat/message.h"

enum { GROUPS_MOST = 100000 };

void repair_memory_need_groups(struct repair_memory *memory, size_t n, struct arena *arena)
{
	struct repair_group *groups = arena_alloc(arena, n * sizeof *groups);
	for (size_t i = 0; i < n && i < memory->n_groups; i++)
		groups[i] = memory->groups[i];
	memory->groups = groups;
	memory->n_groups = n;
	if (memory->group >= n)
		memory->group = 0;
}

static void repair_group_save(const struct repair_group *group, struct json *to)
{
	struct json *proposed = json_add_array(to, "proposed");
	for (size_t i = 0; i < group->n_proposed; i++)
		json_add_int(proposed, NULL, group->proposed[i]);
	json_add_bool(to, "closed", group->is_closed);
}

void repair_memory_save(const struct repair_memory *memory, struct json *to)
{
	if (!memory->report)
		return;
	json_add_int(to, "report", memory->report->id);
	struct json *groups = json_add_array(to, "groups");
	for (size_t i = 0; i < memory->n_groups; i++)
		repair_group_save(&memory->groups[i], json_add_object(groups, NULL));
	json_add_int(to, "group", (int64_t)memory->group);
	json_add_int(to, "taken", (int64_t)memory->n_taken);
	json_add_int(to, "tried", (int64_t)memory->n_tried);
	json_add_int(to, "taken_before", (int64_t)memory->n_taken_before);
	json_add_int(to, "tried_before", (int64_t)memory->n_tried_before);
	json_add(to, "partials", partials_save(&memory->partials));
	if (memory->has_undo)
		json_add(to, "undo", edit_to_json(&memory->undo));
	json_add_bool(to, "undone", memory->is_undone);
	json_add_bool(to, "finished", memory->finished);
	json_add_int(to, "left_ms", memory->deadline_ms - clock_now_ms());
}

static const struct rondo_message *repair_find_report(
	const struct message_thread *thread, int64_t id)
{
	bool exists = id > 0 && (size_t)id <= thread->n;
	return exists && message_data(thread->messages[id - 1]) ? thread->messages[id - 1] : NULL;
}

static void repair_groups_load(
	struct repair_memory *memory, const struct json *from, struct arena *arena)
{
	const struct json *item = json_first(from);
	for (; item && memory->n_groups < GROUPS_MOST; item = json_next(item)) {
		struct repair_group group = {.is_closed = json_bool(item, "closed", false)};
		const struct json *id = json_first(json_get(item, "proposed"));
		for (; id; id = json_next(id))
			ARENA_PUSH(arena, group.proposed, group.n_proposed, json_integer(id, 0));
		ARENA_PUSH(arena, memory->groups, memory->n_groups, group);
	}
}

int repair_memory_load(struct repair_memory *ret_memory, const struct json *from,
	const struct message_thread *thread, struct arena *arena, struct rondo_error *err)
{
	const struct json *undo = json_get(from, "undo");
	struct repair_memory memory = {
		.report = repair_find_report(thread, json_int(from, "report", 0)),
		.group = (size_t)json_int(from, "group", 0),
		.n_taken = (size_t)json_int(from, "taken", 0),
		.n_tried = (size_t)json_int(from, "tried", 0),
		.n_taken_before = (size_t)json_int(from, "taken_before", 0),
		.n_tried_before = (size_t)json_int(from, "tried_before", 0),
		.has_undo = undo,
		.is_undone = json_bool(from, "undone", false),
		.finished = json_bool(from, "finished", false),
		.deadline_ms = clock_now_ms() + json_int(from, "left_ms", 0)};
	if (!memory.report)
		return error_set(
			err, RONDO_ERROR_USAGE, "it searches from a report that is not on the thread");
	if (undo && edit_from_json(undo, arena, &memory.undo, err) < 0)
		return -1;
	repair_groups_load(&memory, json_get(from, "groups"), arena);
	partials_load(&memory.partials, json_get(from, "partials"), arena);
	*ret_memory = memory;
	return 0;
}
