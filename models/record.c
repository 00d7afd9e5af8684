/* A model that says what another one says, and keeps it on a tape that replay reads. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "models/tape.h"

struct record {
	struct option_ref model;
	const char *file;
	struct tape_call last;
};

static const struct option options[] = {
	OPTION("model", REF, offsetof(struct record, model), "the model whose replies are kept",
		.main = true, .family = &model_family, .required = true, .argument = "NAME"),
	OPTION("file", STRING, offsetof(struct record, file), "where they are kept, one a line",
		.required = true, .argument = "FILE"),
	OPTION_END,
};

/* A run that is resumed goes on where its tape ends. */
static int record_find_end(struct model *model, struct rondo_error *err)
{
	struct record *record = model->state;
	struct tape_call *calls;
	size_t n;
	if (tape_read(record->file, &model->arena, &calls, &n, err) < 0)
		return -1;
	if (n)
		record->last = calls[n - 1];
	return 0;
}

/* Before anything is spent: whether the tape can be written, and holds nothing of another run. */
static int record_make_tape(struct model *model, struct rondo_error *err)
{
	const struct record *record = model->state;
	const char *path = record->file;
	struct stat st;
	AUTO_CLOSE fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", path);
	if (S_ISREG(st.st_mode) && st.st_size == 0)
		return 0;
	if (S_ISREG(st.st_mode) && model->services->recorded)
		return record_find_end(model, err);
	error_set(err, RONDO_ERROR_USAGE, "'%s' holds a recording already", path);
	return error_help(err, "name another file, or remove it: rm %s", path);
}

static int record_open(struct model *model, struct rondo_error *err)
{
	struct record *record = model->state;
	const struct model *source = record->model.object;
	if (!source || !record->file)
		return error_set(
			err, RONDO_ERROR_USAGE, "'model' and 'file' must say what is recorded, and where");
	if (source->type->part)
		return error_set(err, RONDO_ERROR_USAGE,
			"'model' must be one model, and '%s' is several: record each", source->name);
	record->file = model_path(model, record->file);
	model->price = source->price; /* this one's calls are counted, not the source's */
	return record_make_tape(model, err);
}

/* Keys do not go on tape, not even where the reply repeats one. */
static int record_keep(struct model *model, const struct model_request *request,
	const struct model_reply *reply, struct rondo_error *err)
{
	struct record *record = model->state;
	struct model_message *asked =
		arena_memdup(&model->arena, request->messages, request->n * sizeof *asked);
	for (size_t i = 0; i < request->n; i++) {
		asked[i].provider_data = NULL;
		asked[i].content =
			i < record->last.n_asked && strcmp(record->last.asked[i].content, asked[i].content) == 0
			? record->last.asked[i].content
			: arena_strdup(&model->arena, asked[i].content);
	}
	const struct tape_call call = {.reply = *reply, .asked = asked, .n_asked = request->n};
	if (tape_append(record->file, &call, &record->last, model->services->secrets, err) < 0)
		return -1;
	record->last = call;
	return 0;
}

static int record_complete(struct model *model, const struct model_request *request,
	struct arena *arena, struct model_reply *reply, const struct context *ctx,
	struct rondo_error *err)
{
	const struct record *record = model->state;
	struct model *source = record->model.object;
	if (source->type->complete(source, request, arena, reply, ctx, err) < 0)
		return error_prefix(err, "%s", source->name);
	return record_keep(model, request, reply, err);
}

const struct model_type record_model = {
	.name = "record",
	.summary = "says what another model says, and keeps it in a file for replay",
	.state_size = sizeof(struct record),
	.options = options,
	.open = record_open,
	.complete = record_complete,
};
