/*
 * What rondo and its helper exchange about files: a stream of records. Each is a head, "KIND ROOT
 * EXECUTABLE SIZE MODIFIED PATH" and a NUL, and SIZE bytes. Both programs use this file and
 * inside_record.c.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_kind {
	RECORD_GONE = 'g',
	RECORD_DIR = 'd',
	RECORD_FILE = 'f',    /* what it holds */
	RECORD_LINK = 'l',    /* its target */
	RECORD_REFUSED = 'x', /* not transferred; the bytes say why */
	RECORD_REPORT = 'r',  /* a struct inside_report */
	RECORD_OUTPUT = 'o',  /* what a line printed */
	RECORD_END = '.',     /* the stream is complete */
};

struct record {
	enum record_kind kind;
	unsigned root; /* 0: the path is below the tree; 1: below the cache */
	bool is_executable;
	uint64_t size;       /* of the bytes after the head */
	int64_t modified_ns; /* of a file; 0: now */
	const char *path;
};

enum { RECORD_ROOTS = 2, RECORD_HEAD = 64, RECORD_LONGEST_PATH = 4095 };

/* Write the head without the path. Returns its length, less than RECORD_HEAD. */
size_t record_write(char *to, const struct record *record);

/* Read a head. The path is borrowed. False: it is none. */
bool record_read(const char *head, struct record *ret_record);
