/*
 * Tar streams, as container engines take and send them: ustar, with pax headers for what does not fit into one. What comes is
 * hostile: it may be cut anywhere, lie in any field and name anything. Pure; only the docker executor and tests include it.
 */
#pragma once
#include "base/error.h"
#include "base/strbuf.h"

enum tar_kind { TAR_FILE, TAR_DIR, TAR_LINK, TAR_HARD_LINK, TAR_OTHER };

struct tar_entry {
	enum tar_kind kind;
	const char *name;    /* bytes of any encoding; of one that was read without "." and empty parts: "" is the top itself */
	const char *target;  /* of a link of either kind, as it stands there; else "" */
	uint64_t size;       /* of a file */
	int64_t modified_s;
	unsigned mode, uid, gid;
	const char *refusal; /* of one that was read: why nobody may take it over; static; NULL: nothing is against its name and kind */
};

/* Append the headers of an entry. A file's bytes come next, and zeros behind them. */
void tar_add(struct strbuf *sb, const struct tar_entry *entry);

/* How many zeros stand behind so many bytes. */
size_t tar_padding(uint64_t size);

/* Append what ends an archive. */
void tar_add_end(struct strbuf *sb);

enum { TAR_BLOCK = 512, TAR_LONGEST_NAME = 4095 };

/* What stands before an entry and is about it. */
struct tar_extension {
	struct strbuf path, target;
	bool has_path, has_target, has_size;
	uint64_t size;
	const char *refusal;
};

struct tar_reader {
	/* An entry, with strings that are gone with the call. True: its bytes are wanted. */
	bool (*begin)(void *owner, const struct tar_entry *entry);
	/* Some of the bytes of one that was wanted; then: that was all of them, also where there were none. */
	void (*take)(void *owner, const char *bytes, size_t n);
	void (*end)(void *owner);
	void *owner;
	/* Its own: */
	unsigned char block[TAR_BLOCK];
	size_t n_block;
	uint64_t left;    /* bytes of what is open */
	size_t padding;   /* behind them */
	bool is_wanted;
	bool skips_maps;  /* blocks of a sparse file's map come next */
	bool is_over;
	char extends;     /* the type of the extension that is open; 0: it is an entry */
	struct strbuf text; /* of an extension */
	struct tar_extension next; /* for the entry that comes next */
};

void tar_reader_init(struct tar_reader *reader);
void tar_reader_release(struct tar_reader *reader);

/* Take n bytes. -1 where they are no archive: then nothing more can be read. */
int tar_reader_feed(struct tar_reader *reader, const char *bytes, size_t n, struct rondo_error *err);

/* Nothing more comes. -1 where something is missing. */
int tar_reader_finish(const struct tar_reader *reader, struct rondo_error *err);
