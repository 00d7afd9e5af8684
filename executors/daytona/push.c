/* What goes into a sandbox before a command: what changed here, as files and a script that puts them in their places. */
#include <string.h>

#include "base/memory.h"
#include "executors/daytona/daytona.h"

#define WORDS_A_LINE 100

struct parcel {
	struct strbuf script;
	struct daytona_file *files;
	size_t n;
};

/* A command on many words, in lines that no system finds too long. */
struct words {
	struct strbuf *script;
	const char *command;
	size_t n;
};

static void add_word(struct words *words, const char *dir, const char *path)
{
	AUTO_STRBUF word = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&word, "%s/%s", dir, path);
	if (words->n++ % WORDS_A_LINE == 0)
		strbuf_addf(words->script, "\n%s", words->command);
	strbuf_addc(words->script, ' ');
	strbuf_add_word(words->script, word.text);
}

/* After the first command there may lie what never came here, such as a FIFO or a link out of the tree. */
static bool goes(const struct errand *errand, const struct mirror_entry *entry)
{
	return entry->kind == MIRROR_GONE || (entry->kind != MIRROR_DIR && errand->daytona->number);
}

/* `away` removes; `make` makes directories, also where something else lies. */
static const char functions[] =
	"set -e\n"
	"away() { rm -rf -- \"$@\" 2>/dev/null || { chmod -R u+rwx -- \"$@\"; rm -rf -- \"$@\"; }; }\n"
	"make() { for dir; do if [ -L \"$dir\" ] || { [ -e \"$dir\" ] && [ ! -d \"$dir\" ]; }; then away \"$dir\"; fi; done; "
	"mkdir -p -- \"$@\"; }";

/* Away with what is gone or other, then what is new: files by a copy of what was sent, links, the right to execute. */
static void pack(struct errand *errand, const struct mirror *mirror,
	const struct mirror_changes *changes, const char *at, const char *root,
	struct parcel *parcel)
{
	const char *sent = arena_printf(errand->arena, "%s/up/%s", errand->daytona->place, root);
	struct words gone = {&parcel->script, "away", 0}, dirs = {&parcel->script, "make", 0},
		     programs = {&parcel->script, "chmod 755", 0};
	bool has_files = false;
	for (size_t i = 0; i < changes->n; i++)
		if (goes(errand, &changes->items[i]))
			add_word(&gone, at, changes->items[i].path);
	for (size_t i = 0; i < changes->n; i++)
		if (changes->items[i].kind == MIRROR_DIR)
			add_word(&dirs, at, changes->items[i].path);
	for (size_t i = 0; i < changes->n; i++) {
		const struct mirror_entry *entry = &changes->items[i];
		if (entry->kind != MIRROR_FILE)
			continue;
		has_files = true;
		struct daytona_file file = {
			.to = arena_printf(errand->arena, "%s/%s", sent, entry->path),
			.dir = mirror->dir,
			.name = entry->path};
		ARENA_PUSH(errand->arena, parcel->files, parcel->n, file);
	}
	if (has_files) {
		strbuf_adds(&parcel->script, "\ncp -R ");
		strbuf_add_word(&parcel->script, arena_printf(errand->arena, "%s/.", sent));
		strbuf_addc(&parcel->script, ' ');
		strbuf_add_word(&parcel->script, arena_printf(errand->arena, "%s/", at));
	}
	for (size_t i = 0; i < changes->n; i++) {
		const struct mirror_entry *entry = &changes->items[i];
		struct words link = {&parcel->script, "ln -s", 0};
		if (entry->kind == MIRROR_FILE && entry->is_executable)
			add_word(&programs, at, entry->path);
		if (entry->kind != MIRROR_LINK)
			continue;
		strbuf_adds(&parcel->script, "\nln -s ");
		strbuf_add_word(&parcel->script, entry->target);
		link.n = 1; /* the line has begun */
		add_word(&link, at, entry->path);
	}
}

/* True in *ret_started: it had stopped by itself, and runs again. */
int daytona_wake(struct errand *errand, bool *ret_started, struct rondo_error *err)
{
	struct daytona *daytona = errand->daytona;
	return daytona_sandbox_revive(&daytona->api, daytona->sandbox.id, daytona->start_ms,
		ret_started, errand->ctx->cancel, err);
}

static int upload(struct errand *errand, const struct parcel *parcel, struct rondo_error *err)
{
	struct daytona *daytona = errand->daytona;
	const struct cancel *cancel = errand->ctx->cancel;
	struct rondo_error fault;
	bool started;
	if (daytona_upload(
		    &daytona->api, &daytona->sandbox, parcel->files, parcel->n, cancel, err) == 0)
		return 0;
	if (err->code == RONDO_ERROR_CANCELLED)
		return -1;
	if (daytona_wake(errand, &started, &fault) < 0)
		return -1;
	return started ? daytona_upload(&daytona->api, &daytona->sandbox, parcel->files, parcel->n,
				 cancel, err)
		       : -1;
}

/* What is sent lies beside the tree until remote.sh puts all of it in its place, before the line runs. */
int daytona_push(struct errand *errand, struct rondo_error *err)
{
	struct daytona *daytona = errand->daytona;
	struct executor *executor = errand->executor;
	struct parcel parcel = {.script = STRBUF_INIT(STRBUF_RECORD)};
	if (mirror_scan(&daytona->tree, errand->arena, &errand->tree, err) < 0 ||
		mirror_scan(&daytona->cache, errand->arena, &errand->cache, err) < 0)
		return -1;
	if (daytona->packages_at &&
		mirror_scan(&daytona->packages, errand->arena, &errand->packages, err) < 0)
		return -1;
	if (!errand->tree.n && !errand->cache.n && !errand->packages.n)
		return 0;
	strbuf_adds(&parcel.script, functions);
	pack(errand, &daytona->tree, &errand->tree, executor_tree_at(executor), "t", &parcel);
	pack(errand, &daytona->cache, &errand->cache,
		executor_cache_at(executor, ".", errand->arena), "c", &parcel);
	pack(errand, &daytona->packages, &errand->packages, daytona->packages_at, "p", &parcel);
	strbuf_addc(&parcel.script, '\n');
	struct daytona_file script = {.to = arena_printf(errand->arena, "%s/apply", daytona->place),
		.text = parcel.script.text};
	ARENA_PUSH(errand->arena, parcel.files, parcel.n, script);
	if (parcel.n > 100)
		context_progress(errand->ctx, "daytona", "sending %zu files", parcel.n);
	int status = upload(errand, &parcel, err);
	strbuf_release(&parcel.script);
	return status;
}
