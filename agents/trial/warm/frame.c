#include "agents/trial/warm/frame.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/trial/warm/stand_in.h"

/* Go writes the import path of the package into its test program, "path\tNAME.test\n"; that of a
 * package main without ".test". */
static bool frame_read_go(const char *program, struct frame *frame)
{
	static const char magic[] = "\xff Go buildinf:", label[] = "path\t", end[] = ".test";
	struct stat st;
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	void *map = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0
		? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
		: MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return false;
	size_t n = (size_t)st.st_size;
	const char *text = map, *at = memmem(text, n, magic, strlen(magic)), *stop = NULL;
	at = at ? memmem(at, n - (size_t)(at - text), label, strlen(label)) : NULL;
	at = at ? at + strlen(label) : NULL;
	if (at)
		stop = memchr(at, '\n', n - (size_t)(at - text));
	if (stop && stop - at > (long)strlen(end) &&
		memcmp(stop - strlen(end), end, strlen(end)) == 0)
		stop -= strlen(end);
	bool found = stop && stop > at && stop - at < FRAME_SIZE / 2;
	if (found) {
		snprintf(frame->passed, FRAME_SIZE, "ok  \t%.*s\t0.000s\n", (int)(stop - at), at);
		snprintf(frame->failed, FRAME_SIZE, "FAIL\t%.*s\t0.000s\n", (int)(stop - at), at);
	}
	munmap(map, n);
	return found;
}

/* The end of what was printed so far. */
static size_t frame_read_tail(char *tail, size_t size)
{
	const char *output = getenv(STAND_IN_OUTPUT);
	struct stat st;
	ssize_t n = -1;
	int fd = output ? open(output, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0 && fstat(fd, &st) == 0)
		n = pread(fd, tail, size - 1, st.st_size < (off_t)size ? 0 : st.st_size - (off_t)size + 1);
	if (fd >= 0)
		close(fd);
	tail[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* The last line of a text that begins so, in front of a place; NULL: there is none. */
static const char *frame_line_before(const char *text, const char *end, const char *label)
{
	for (const char *at = end; at-- > text;)
		if ((at == text || at[-1] == '\n') && strncmp(at, label, strlen(label)) == 0)
			return at;
	return NULL;
}

/* A doc-test, whose name rustdoc has printed: "test src/lib.rs - add (line 5) ... ". */
static bool frame_read_doc(const char *tail, const char *line, struct frame *frame)
{
	const char *section = frame_line_before(tail, line, "   Doc-tests ");
	const char *panics = strstr(line, " - should panic");
	size_t n = strlen(line);
	if (!section || panics || n >= FRAME_SIZE / 2 || strcmp(line + n - 5, " ... ") != 0)
		return false;
	snprintf(frame->section, FRAME_SIZE, "%.*s", (int)strcspn(section, "\n"), section);
	snprintf(frame->passed, FRAME_SIZE, "\n%sok\n", line);
	snprintf(frame->failed, FRAME_SIZE, "\n%sFAILED\n", line);
	return true;
}

/* Cargo has just named the program. */
static bool frame_read_cargo(struct frame *frame)
{
	static const char label[] = "     Running ";
	static char tail[65536];
	size_t n = frame_read_tail(tail, sizeof tail);
	char *line = tail + n - (n && tail[n - 1] == '\n');
	while (line > tail && line[-1] != '\n')
		line--;
	if (strncmp(line, "test ", 5) == 0)
		return frame_read_doc(tail, line, frame);
	snprintf(frame->before, FRAME_SIZE, "%s", line);
	return strncmp(line, label, strlen(label)) == 0 && tail[n - 1] == '\n';
}

bool frame_read(const char *kind, const char *program, struct frame *frame)
{
	*frame = (struct frame){.before = ""};
	return strcmp(kind, "go") == 0   ? frame_read_go(program, frame)
		: strcmp(kind, "cargo") == 0 ? frame_read_cargo(frame)
									 : strcmp(kind, "maven") == 0;
}
