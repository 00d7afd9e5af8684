/*
 * The parts of the executor jupyter. Only executors/ and tests include it.
 */
#pragma once
#include "base/json/json.h"
#include "executors/executor.h"

/* --- The wire protocol, without I/O: wire.c --- */

/* A part of a message on a socket. */
struct jupyter_frame {
	const char *bytes;
	size_t n;
};

enum {
	JUPYTER_FRAMES = 16, /* frames that are kept; after the sixth there are only buffers */
	JUPYTER_REQUEST_FRAMES = 6,
};

/* A message from a kernel. */
struct jupyter_message {
	const char *type;   /* such as "status" */
	const char *parent; /* the id of its request, or "" */
	const struct json *content;
	struct json *header, *parent_header, *body; /* owned */
};

/* Read a message that was signed with the key. A wrong signature, an incomplete message or broken
 * JSON is an error. NUL and invalid UTF-8 are replaced, as in the output of programs. */
int jupyter_read(const struct jupyter_frame *frames, size_t n, const char *key,
	struct jupyter_message *ret_message, struct rondo_error *err);
void jupyter_message_release(struct jupyter_message *message);

#define AUTO_JUPYTER_MESSAGE \
	__attribute__((cleanup(jupyter_message_release))) struct jupyter_message

/* A request, ready to send. */
struct jupyter_request {
	const char *id;
	struct jupyter_frame frames[JUPYTER_REQUEST_FRAMES];
};

/* Make one, in the arena. */
void jupyter_request_make(struct jupyter_request *request, const char *type,
	const struct json *content, const char *session, const char *key, struct arena *arena);

/* --- What a cell shows that is saved as a file: media.c --- */

#define JUPYTER_MEDIA_LIMIT ((size_t)16 << 20) /* of a file */

struct jupyter_media {
	const char *type;   /* the MIME type */
	const char *suffix;
	const char *noun;   /* for the reply: "Image data saved to ..." */
	const char *magic;  /* its first bytes; NULL: it is text */
	size_t n_magic;
};

/* The kind of a MIME type, or NULL: it is not saved. */
const struct jupyter_media *jupyter_media_find(const char *type);

/* Append its bytes. Base64 must be strict, and the first bytes must fit. */
int jupyter_media_decode(
	const struct jupyter_media *media, const struct json *value, struct strbuf *bytes,
	struct rondo_error *err);

/* --- One block in a kernel: cell.c. Works on messages, not on sockets --- */

/* Where pictures and the like are saved. */
struct jupyter_files {
	const struct executor *executor; /* whose tree */
	const char *dir;                 /* below it; "." */
	int64_t shown;                   /* the last number */
};

enum jupyter_last { JUPYTER_NOTHING, JUPYTER_TEXT, JUPYTER_ITEM };

struct jupyter_cell {
	const char *id; /* of its request */
	bool replied, idle, aborted;
	bool exits;       /* the kernel was told to exit */
	bool has_error;   /* a traceback was output */
	int exit_code;    /* the block's exit code, as if it were a program */
	struct strbuf *output;
	struct process_listener listener;
	size_t start;     /* where its output begins */
	enum jupyter_last last; /* what its output ends with */
	bool clears;      /* the next output replaces everything before */
	uint64_t bytes;   /* everything it printed, including what was cut */
	struct strbuf late; /* what leftovers of earlier blocks printed meanwhile, up to a limit */
	struct jupyter_files *kept; /* NULL: nothing is kept */
	size_t n_files;
	uint64_t file_bytes;
	struct arena *arena;
	struct code_result *result; /* receives the names of files */
};

/* Release what the cell owns. */
void jupyter_cell_release(struct jupyter_cell *cell);

/* A block's text to run: pip is made quiet. In the arena, or the text itself. */
const char *jupyter_cell_source(const char *code, struct arena *arena);

/* Take a message from the kernel. */
void jupyter_cell_hear(struct jupyter_cell *cell, const struct jupyter_message *message);

/* Take text that the kernel's process printed outside of messages. */
void jupyter_cell_print(struct jupyter_cell *cell, const char *bytes, size_t n);

/* Append a line of rondo's about the block. */
void jupyter_cell_say(struct jupyter_cell *cell, const char *format,
	...) __attribute__((format(printf, 2, 3)));

/* Finish: append late output of other blocks. */
void jupyter_cell_end(struct jupyter_cell *cell);

static inline bool jupyter_cell_is_over(const struct jupyter_cell *cell)
{
	return cell->replied && cell->idle;
}

/* --- Which kernel is started, and how: launch.c --- */

/* How a kernel is started. */
struct jupyter_launch {
	const char *kernel;  /* its name */
	const char *python;  /* the interpreter of "python3"; NULL: use the words of a kernel.json */
	const char *version; /* of ipykernel there, or NULL */
	const char **words;
	size_t n_words;
	const char **env;    /* NAME=value ..., not terminated */
	size_t n_env;
	const char *const *block_env; /* the blocks' environment: NAME=value ..., NULL; may be NULL */
};

/* Find a kernel that the executor's programs see: "python3" is the first python3 on their PATH that
 * has ipykernel; otherwise a kernel.json is looked up. In the arena. */
int jupyter_launch_find(struct executor *executor, const char *kernel, struct arena *arena,
	struct jupyter_launch *ret_launch, const struct context *ctx, struct rondo_error *err);

/* The line of sh that starts it; each line on its standard input interrupts the kernel. In the
 * arena. */
const char *jupyter_launch_line(const struct jupyter_launch *launch, const char *connection_file,
	struct arena *arena);

/* --- A running kernel: start.c, kernel.c --- */

struct jupyter_kernel {
	struct arena arena;
	struct executor *executor;
	const char *name; /* the name of its directory in the cache */
	int dir;          /* that directory */
	char key[65], session[33];
	struct coprocess *process;
	struct jupyter_sockets *sockets;
	bool ended;
	/* unusable: it has ended, ignored an interrupt, or sent broken messages */
	bool lost;
	uint64_t heard;       /* number of messages */
	char interrupt_id[33]; /* of the last that was asked for and is not answered, or "" */
	struct strbuf between; /* its output between two blocks */
	char open_id[33];     /* the id of an abandoned block, or "" */
};

/* How a cell ended. */
enum jupyter_end {
	JUPYTER_DONE,
	JUPYTER_INTERRUPTED, /* by its deadline */
	JUPYTER_FLOODED,     /* interrupted because it printed too much */
	JUPYTER_BROKEN,      /* its messages broke off */
	JUPYTER_DIED,
	JUPYTER_CANCELLED,
};

/* Start a kernel and wait until it answers. -1 only if that could not be tried or was cancelled.
 * NULL in *ret_kernel: it ended or never answered, and `said` has its output. */
int jupyter_kernel_start(struct executor *executor, const struct jupyter_launch *launch,
	struct strbuf *said, struct jupyter_kernel **ret_kernel, const struct context *ctx,
	struct rondo_error *err);

/* Kill it. NULL is fine. */
void jupyter_kernel_free(struct jupyter_kernel *kernel);

/* Run a block. timeout_ms 0: no deadline; output_limit 0: no limit. Afterwards the kernel may be
 * lost. */
enum jupyter_end jupyter_kernel_run(struct jupyter_kernel *kernel, const char *code,
	int64_t timeout_ms, uint64_t output_limit, struct jupyter_cell *cell,
	const struct cancel *cancel);

/* Send another request and listen for at most timeout_ms. */
enum jupyter_end jupyter_kernel_ask(struct jupyter_kernel *kernel, const char *type,
	struct jupyter_cell *cell, int64_t timeout_ms, const struct cancel *cancel);

/* Whether it can run a block. A cancelled one is interrupted and given a moment. */
bool jupyter_kernel_is_ready(struct jupyter_kernel *kernel, const struct cancel *cancel);

/* Its exit code, as a shell reports it. */
int jupyter_kernel_exit_code(struct jupyter_kernel *kernel);
