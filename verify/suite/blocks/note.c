/*
 * A compiler lets every block of a program call this at its beginning. It notes which blocks run,
 * and for which test: a program of tests prints a line at the end of each. Written to a file in
 * $RONDO_COVER: "goal" or "other", and below it "MODULE ADDRESS" of each block that ran. What only
 * its exit status tells is in a file "run-PID"; collect.c may know better. Linked with the programs
 * of the tests, and not with rondo.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify/suite/blocks/verdict.h"

enum {
	BLOCKS = 1 << 16,  /* a power of two */
	LAST = 32,         /* that are kept in their order; a power of two */
	TESTS_MOST = 100,  /* of each kind */
	WAITS_MOST = 1000, /* each a millisecond */
};

struct block {
	uintptr_t address; /* to which its call returns; 0: the place is free */
	unsigned test;     /* the last that ran it */
};

static struct block blocks[BLOCKS];
static uintptr_t last[LAST];
static unsigned n_blocks, n_ran, n_told[FAILED + 1], test = 1;
static char program[PATH_MAX];

void __sanitizer_cov_trace_pc(void);

/* Without locks between threads: what is noted only orders a search. */
void __sanitizer_cov_trace_pc(void)
{
	uintptr_t address = (uintptr_t)__builtin_return_address(0);
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15) >> 40;
	while (blocks[i % BLOCKS].address && blocks[i % BLOCKS].address != address)
		i++;
	struct block *block = &blocks[i % BLOCKS];
	if (!block->address && n_blocks == BLOCKS / 2)
		return;
	n_blocks += !block->address;
	*block = (struct block){address, test};
	last[n_ran++ % LAST] = address;
}

/* --- Notes --- */

/* The heap may be damaged by now: nothing here asks for memory. */
struct notes {
	int fd;
	char text[1 << 16];
	size_t n;
};
static struct notes notes;

static void flush_notes(void)
{
	if (write(notes.fd, notes.text, notes.n) < 0)
		notes.fd = -1;
	notes.n = 0;
}

static int begin_notes(const char *prefix, enum verdict verdict)
{
	char path[PATH_MAX];
	const char *dir = getenv("RONDO_COVER");
	if (!dir || !*dir)
		return 0;
	snprintf(path, sizeof path, "%s/%s%d", dir, prefix, (int)getpid());
	notes.fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	notes.n = (size_t)snprintf(notes.text, sizeof notes.text, "%s", verdict_words[verdict]);
	return notes.fd >= 0;
}

static void end_notes(void)
{
	flush_notes();
	close(notes.fd);
}

/* The address as the module's file has it. */
static void note_block(uintptr_t address)
{
	Dl_info module, own;
	if (!dladdr((void *)address, &module) || !dladdr((void *)blocks, &own))
		return;
	const ElfW(Ehdr) *header = module.dli_fbase;
	uintptr_t base = header->e_type == ET_EXEC ? 0 : (uintptr_t)module.dli_fbase;
	const char *path = module.dli_fbase == own.dli_fbase ? program : module.dli_fname;
	if (notes.n + PATH_MAX + 32 > sizeof notes.text)
		flush_notes();
	int n = snprintf(
		notes.text + notes.n, PATH_MAX + 32, "%s %jx\n", path, (uintmax_t)(address - base));
	notes.n += n > 0 && n < PATH_MAX + 32 ? (size_t)n : 0;
}

static void note_test(const char *prefix, enum verdict verdict, unsigned first_test)
{
	if (!begin_notes(prefix, verdict))
		return;
	for (size_t i = 0; i < BLOCKS; i++)
		if (blocks[i].address && blocks[i].test >= first_test)
			note_block(blocks[i].address);
	end_notes();
}

static void note_last(unsigned n)
{
	if (!begin_notes("", FAILED))
		return;
	for (unsigned i = n_ran < n ? 0 : n_ran - n; i < n_ran; i++)
		note_block(last[i % LAST]);
	end_notes();
}

/* --- Tests --- */

struct printed {
	int fd;
	int is_report; /* it goes to the suite's output, and nobody reads it before */
	struct line line;
};

static void end_test(enum verdict verdict)
{
	if (n_told[verdict]++ < TESTS_MOST)
		note_test("", verdict, test);
	test++;
}

static ssize_t write_lines(void *cookie, const char *text, size_t n)
{
	struct printed *printed = cookie;
	for (size_t i = 0; i < n; i++) {
		enum verdict verdict = line_take(&printed->line, text[i], printed->is_report);
		if (verdict != NOT_TOLD)
			end_test(verdict);
	}
	return write(printed->fd, text, n);
}

static int is_suites_output(int fd)
{
	struct stat both[2];
	const char *output = getenv("RONDO_COVER_OUTPUT");
	return output && fstat(fd, &both[0]) == 0 && stat(output, &both[1]) == 0 &&
		both[0].st_dev == both[1].st_dev && both[0].st_ino == both[1].st_ino;
}

/* A stream whose lines are looked at when they are printed. */
static FILE *watch(int fd, FILE *stream)
{
	static struct printed both[2];
	struct printed *printed = &both[fd - 1];
	FILE *watched = fopencookie(printed, "w", (cookie_io_functions_t){.write = write_lines});
	if (!watched)
		return stream;
	*printed = (struct printed){.fd = fd, .is_report = is_suites_output(fd)};
	setvbuf(watched, NULL, _IOLBF, BUFSIZ);
	watched->_fileno = fd; /* for those who ask */
	return watched;
}

/* --- The beginning and the end --- */

/* What a harness runs and reads: it tells how this run came out. How the run before did, it told
 * before it began this one: collect.c must have taken that before it sees these notes. It holds the
 * lock from before it reads to after it wrote. */
static void note_run(enum verdict verdict, unsigned first_test)
{
	int n_unread;
	const char *output = getenv("RONDO_COVER_OUTPUT");
	int fd = output ? open(output, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	for (int i = 0; i < WAITS_MOST && ioctl(fd, FIONREAD, &n_unread) == 0 && n_unread > 0; i++)
		usleep(1000);
	flock(fd, LOCK_SH);
	note_test("run-", verdict, first_test);
	close(fd);
}

static void note_program(enum verdict verdict, unsigned first_test)
{
	if (is_suites_output(1))
		note_test("", verdict, first_test);
	else
		note_run(verdict, first_test);
}

/* What ran last is the likelier cause: it is run by more of the tests that are noted. Who is ended
 * hung, if its harness does not say otherwise. */
static void end_by_signal(int number)
{
	if (number == SIGTERM) {
		note_program(FAILED, test);
	} else {
		note_test("", FAILED, test);
		for (unsigned n = LAST; n > 1; n /= 4)
			note_last(n);
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* Where no line said how a test came out, the program is one. Who prints to the suite's output may
 * have told it unseen, and before. */
static void end_with_status(int status, void *unused)
{
	(void)unused;
	fflush(NULL); /* the program may have closed its own */
	if (!n_told[FAILED] && (status || !n_told[PASSED]))
		note_program(status ? FAILED : PASSED, 0);
}

__attribute__((constructor(101))) static void begin(void)
{
	static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
	static char stack[1 << 16];
	/* timeout(1) sends its signal twice: the second waits for the handler, which SA_RESETHAND would
	 * not let it do. */
	const struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = SA_ONSTACK};
	if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
		return;
	stdout = watch(1, stdout);
	stderr = watch(2, stderr);
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
	on_exit(end_with_status, NULL);
}
