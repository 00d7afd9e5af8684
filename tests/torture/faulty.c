/*
 * A library for LD_PRELOAD, which lets one call of a program fail: tests/torture/run says which.
 * Each wrapped function is a few instructions that keep the arguments, ask faulty_decide, and go
 * on to the real function or return with errno. So functions of libgit2 need no declaration here.
 *
 * A call is known by its stack: a hash of the offsets of its return addresses, each within its
 * library. It is the same in each run, whatever threads and time do.
 *
 * FAULTY_LOG=FILE        each new stack is a line there: hash, function, return addresses
 * FAULTY_AT=HASH         the first call with this stack fails
 * FAULTY_ERRNO=NUMBER    so; SHORT: a write that writes half, and tells
 *
 * Programs that this one executes run without it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "functions.h" /* FAULTY_FUNCTIONS(X): X(name, what it returns when it fails) */

enum { FRAMES = 12, OWN = 4, SEEN = 1 << 17, SHORT = -1 };

enum function {
#define ENTRY(name, failed) FUNCTION_##name,
	FAULTY_FUNCTIONS(ENTRY)
#undef ENTRY
		N_FUNCTIONS
};

static const struct {
	const char *name;
	long failed;
} functions[] = {
#define ENTRY(name, failed) {#name, failed},
	FAULTY_FUNCTIONS(ENTRY)
#undef ENTRY
};

/* Shared with forks: a call fails once in all processes. */
static struct shared {
	_Atomic uint64_t seen[SEEN];
	atomic_bool fired;
} * shared;

static void *real[N_FUNCTIONS];
static const char *log_path;
static uint64_t target;
static int target_errno;
static __thread bool busy __attribute__((tls_model("initial-exec")));

/* What the wrappers keep: rdi, rsi, rdx, rcx, r8, r9. */
struct arguments {
	long value[6];
};

struct frame {
	struct link_map *module;
	uintptr_t offset;
};

static struct frame frame_of(void *address)
{
	struct dl_find_object found;
	if (_dl_find_object(address, &found) < 0)
		return (struct frame){.offset = 0};
	return (struct frame){found.dlfo_link_map, (uintptr_t)address - found.dlfo_link_map->l_addr};
}

static bool is_of_program(const struct frame *frame)
{
	return frame->module && !*frame->module->l_name;
}

static const char *module_name(const struct frame *frame)
{
	const char *slash = frame->module ? strrchr(frame->module->l_name, '/') : NULL;
	return slash ? slash + 1 : "";
}

static bool is_allocation(enum function function)
{
	return function == FUNCTION_malloc || function == FUNCTION_calloc ||
		function == FUNCTION_realloc;
}

/* rondo's own allocations end the program on purpose (base/memory.h); the loader's, too. */
static bool is_documented_end(enum function function, const struct frame *frames, int n)
{
	if (!is_allocation(function))
		return false;
	for (int i = 0; i < n; i++) {
		if (strncmp(module_name(&frames[i]), "libc.so", 7) == 0)
			continue;
		return !frames[i].module || is_of_program(&frames[i]) ||
			strncmp(module_name(&frames[i]), "ld-", 3) == 0;
	}
	return true;
}

static uint64_t hash_of(enum function function, const struct frame *frames, int n)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (const char *at = functions[function].name; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
	for (int i = 0; i < n; i++)
		hash = (hash ^ frames[i].offset) * 0x100000001b3u;
	return hash ? hash : 1;
}

/* Whether this stack is new. */
static bool see(uint64_t hash)
{
	for (size_t i = hash % SEEN, n = 0; n < SEEN; i = (i + 1) % SEEN, n++) {
		uint64_t old = 0;
		if (atomic_compare_exchange_strong(&shared->seen[i], &old, hash))
			return true;
		if (old == hash)
			return false;
	}
	return false;
}

/* By system calls: the wrapped functions may be within stdio, and descriptors are rondo's own. */
static void tell(
	const char *word, uint64_t hash, enum function function, const struct frame *frames, int n)
{
	char line[1024];
	int length = snprintf(
		line, sizeof line, "%s %016lx %s", word, (unsigned long)hash, functions[function].name);
	for (int i = 0; i < n && length < (int)sizeof line - 100; i++)
		length += snprintf(line + length, sizeof line - (size_t)length, " %s+%lx",
			is_of_program(&frames[i]) ? "" : module_name(&frames[i]),
			(unsigned long)frames[i].offset);
	line[length++] = '\n';
	long fd =
		syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	syscall(SYS_write, fd, line, length);
	syscall(SYS_close, fd);
}

/* Where a program crashes after its fault. */
static void crashed(int number)
{
	void *addresses[FRAMES];
	struct frame frames[FRAMES], own = frame_of((void *)(uintptr_t)&crashed);
	int found = backtrace(addresses, FRAMES), n = 0;
	for (int i = 0; i < found; i++) {
		struct frame frame = frame_of(addresses[i]);
		if (frame.module != own.module && strncmp(module_name(&frame), "libc.so", 7) != 0)
			frames[n++] = frame;
	}
	tell("crashed", 0, FUNCTION_malloc, frames, n);
	signal(number, SIG_DFL);
	raise(number);
}

static bool has_to_fail(enum function function)
{
	void *addresses[FRAMES + OWN];
	struct frame frames[FRAMES], own = frame_of((void *)(uintptr_t)&has_to_fail);
	int found = backtrace(addresses, FRAMES + OWN), n = 0;
	for (int i = 0; i < found && n < FRAMES; i++) {
		struct frame frame = frame_of(addresses[i]);
		if (frame.module != own.module)
			frames[n++] = frame;
	}
	if (n == 0 || is_documented_end(function, frames, n))
		return false;
	uint64_t hash = hash_of(function, frames, n);
	if (!target && see(hash))
		tell("stack", hash, function, frames, n);
	if (!target || hash != target || atomic_exchange(&shared->fired, true))
		return false;
	tell("failed", hash, function, frames, n);
	signal(SIGSEGV, crashed);
	return true;
}

/* The real function, or NULL: return `failed`. */
void *faulty_decide(long number, struct arguments *arguments, long *failed);
void *faulty_decide(long number, struct arguments *arguments, long *failed)
{
	enum function function = (enum function)number;
	if (!real[function])
		real[function] = dlsym(RTLD_NEXT, functions[function].name);
	if (busy || !shared || atomic_load_explicit(&shared->fired, memory_order_relaxed))
		return real[function];
	int saved = errno;
	busy = true;
	bool fails = has_to_fail(function);
	busy = false;
	errno = saved;
	if (!fails)
		return real[function];
	if (target_errno == SHORT) {
		arguments->value[2] = (arguments->value[2] + 1) / 2;
		return real[function];
	}
	errno = target_errno;
	*failed = functions[function].failed;
	if (strncmp(functions[function].name, "git_", 4) == 0) {
		void (*set)(int, const char *);
		*(void **)&set = dlsym(RTLD_DEFAULT, "git_error_set_str");
		if (set)
			set(2 /* GIT_ERROR_OS */, strerror(target_errno));
	}
	return NULL;
}

#define STRING(text) #text
#define WRAPPER(name, failed) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n" \
			"push $" #name "_number\n.cfi_adjust_cfa_offset 8\n" \
			"jmp faulty_enter\n.cfi_endproc\n.size " #name ", .-" #name "\n");

/* What all wrappers have in common: the number of the function is on the stack. */
__asm__(".type faulty_enter, @function\nfaulty_enter:\n.cfi_startproc\n.cfi_adjust_cfa_offset 8\n"
		"push %rax\n.cfi_adjust_cfa_offset 8\n"
		"push %r9\n.cfi_adjust_cfa_offset 8\npush %r8\n.cfi_adjust_cfa_offset 8\n"
		"push %rcx\n.cfi_adjust_cfa_offset 8\npush %rdx\n.cfi_adjust_cfa_offset 8\n"
		"push %rsi\n.cfi_adjust_cfa_offset 8\npush %rdi\n.cfi_adjust_cfa_offset 8\n"
		"sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
		"mov 64(%rsp), %rdi\nlea 8(%rsp), %rsi\nmov %rsp, %rdx\n"
		"call faulty_decide\n"
		"mov %rax, %r11\nmov (%rsp), %r10\nadd $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
		"pop %rdi\n.cfi_adjust_cfa_offset -8\npop %rsi\n.cfi_adjust_cfa_offset -8\n"
		"pop %rdx\n.cfi_adjust_cfa_offset -8\npop %rcx\n.cfi_adjust_cfa_offset -8\n"
		"pop %r8\n.cfi_adjust_cfa_offset -8\npop %r9\n.cfi_adjust_cfa_offset -8\n"
		"pop %rax\n.cfi_adjust_cfa_offset -8\nadd $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
		"test %r11, %r11\nje 1f\njmp *%r11\n"
		"1: mov %r10, %rax\nret\n.cfi_endproc\n.size faulty_enter, .-faulty_enter\n");
FAULTY_WRAPPERS(WRAPPER)

__attribute__((constructor)) static void begin(void)
{
	void *addresses[4];
	const char *at = getenv("FAULTY_AT"), *number = getenv("FAULTY_ERRNO");
	log_path = getenv("FAULTY_LOG");
	if (!log_path)
		return;
	busy = true;
	backtrace(addresses, 4); /* loads the unwinder now */
	log_path = strdup(log_path);
	target = at ? strtoull(at, NULL, 16) : 0;
	target_errno = number ? atoi(number) : EIO;
	for (int i = 0; i < N_FUNCTIONS; i++)
		real[i] = dlsym(RTLD_NEXT, functions[i].name);
	static const char *const own[] = {"LD_PRELOAD", "FAULTY_LOG", "FAULTY_AT", "FAULTY_ERRNO"};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		unsetenv(own[i]);
	void *memory =
		mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	busy = false;
	if (memory != MAP_FAILED)
		shared = memory;
}
