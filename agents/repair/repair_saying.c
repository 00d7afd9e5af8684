/* What the repair agent says: edits, and why it gives up. */
#include <string.h>

#include "agents/repair/turn.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

static void repair_say(const struct repair_turn *turn, enum rondo_message_type type,
	const char *content, struct json *data)
{
	if (turn->all.n_tried)
		search_add_figures(&turn->all, json_add_object(data, "search"));
	turn->response->message = (struct rondo_message){
		.type = type, .content = content, .data = json_print_in(data, turn->arena)};
}

/* The edit that undoes `edit` in the tree as it is now. */
static int repair_invert(const char *dir, const struct edit *edit, struct arena *arena,
	struct edit *ret_inverse, struct rondo_error *err)
{
	struct edit inverse = {.description = arena_printf(arena, "undo: %s", edit->description)};
	for (size_t i = 0; i < edit->n; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, edit->files[i].path);
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		if (file_read(path, STRBUF_TEXT, &text, err) < 0)
			return -1;
		ARENA_PUSH(arena, inverse.files, inverse.n, edit_invert(&edit->files[i], text.text, arena));
	}
	*ret_inverse = inverse;
	return 0;
}

int repair_propose(const struct repair_turn *turn, const struct candidate *candidate,
	const struct passing *among, struct rondo_error *err)
{
	struct repair_memory *memory = turn->memory;
	struct arena *arena = &turn->agent->arena;
	const char *dir = worktree_dir(turn->agent->services->main_checkout->worktree);
	if (repair_invert(dir, &candidate->edit, arena, &memory->undo, err) < 0)
		return -1;
	struct repair_group *group = &memory->groups[memory->group];
	memory->has_undo = true;
	ARENA_PUSH(arena, group->proposed, group->n_proposed, candidate->id);
	AUTO_JSON *data = edit_to_json(&candidate->edit);
	if (among)
		passing_describe(among, json_add_object(data, "choice"));
	const char *what = arena_strdup(turn->arena, candidate->edit.description);
	repair_say(turn, RONDO_MESSAGE_EDIT, what, data);
	return 0;
}

void repair_undo(const struct repair_turn *turn)
{
	struct repair_memory *memory = turn->memory;
	AUTO_JSON *data = edit_to_json(&memory->undo);
	json_add_bool(data, "undo", true);
	const char *what = arena_strdup(turn->arena, memory->undo.description);
	repair_say(turn, RONDO_MESSAGE_EDIT, what, data);
	memory->has_undo = false;
	memory->is_undone = true;
}

void repair_give_up(const struct repair_turn *turn)
{
	size_t i = 0;
	while (i + 1 < turn->agenda->n &&
		(turn->agenda->items[i].is_fixed || !turn->agenda->items[i].search.repair))
		i++;
	const struct search *search = &turn->agenda->items[i].search;
	struct last_words words = {.search = search,
		.partials = &turn->memory->partials,
		.n_choices = turn->n_choices,
		.n_tried = turn->memory->n_tried_before + agenda_tried(turn->agenda),
		.why = END_OUT_OF_TIME};
	if (turn->n_choices)
		words.why = END_FEWER;
	else if (search_is_in_vain(search))
		words.why = END_HOPELESS;
	else if (repair_taken(turn) >= repair_limit(turn))
		words.why = END_SPENT;
	else if (clock_now_ms() < turn->memory->deadline_ms)
		words.why = END_EXHAUSTED;
	AUTO_JSON *data = json_object();
	last_words_describe(&words, data);
	repair_say(turn, RONDO_MESSAGE_STOP, last_words_text(&words, turn->arena), data);
	turn->memory->finished = true;
}
