/* reads: git's files as hostile repositories have them */
/* One file or object of a repository is the input: the first byte says which. It is opened and
 * checked out, or refused with words. Meanwhile no program starts, nobody is connected to, and
 * nothing is written beside rondo's own directories. */
#include <errno.h>
#include <ftw.h>
#include <git2.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/stat.h>
#include <ucontext.h>

#include "tests/fuzz/fuzz.h"
#include "worktree/worktree.h"

#define GIT "repo/.git/"

/* The last two are objects; HEAD's commit and its tree. */
static const char *const places[] = {GIT "config", GIT "index", GIT "HEAD", GIT "refs/heads/main",
	GIT "packed-refs", GIT "info/attributes", GIT "info/exclude", GIT "objects/info/alternates",
	GIT "pack.idx", GIT "pack.pack", GIT "config.worktree", GIT "shallow", GIT "commondir",
	"repo/.gitattributes", "repo/.gitignore", "repo/.gitmodules", "linked/.git", "home/.gitconfig"};
enum { FILES = ARRAY_SIZE(places), OBJECT_COMMIT = FILES, OBJECT_TREE, KINDS };

static struct strbuf olds[FILES];
static bool is_ready;
static struct strbuf seen;

/* --- What must not happen --- */

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "symbolize=0"; /* by a program, which does not start */
}

/* What libgit2 leaves behind of what it refuses is not rondo's to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libgit2.so\n";
}

static void forbidden(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	fprintf(stderr, "call %d of the system is forbidden\n", info->si_syscall);
	abort();
}

/* Threads may start; what looks for leaks is untraced. */
static void forbid(void)
{
	static const int calls[] = {
		SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(socket)};
	struct sigaction action = {.sa_sigaction = forbidden, .sa_flags = SA_SIGINFO};
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	assert(filter && sigaction(SIGSYS, &action, NULL) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		assert(seccomp_rule_add(filter, SCMP_ACT_TRAP, calls[i], 0) == 0);
	assert(seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(clone), 1,
			   SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_UNTRACED, 0)) == 0);
	assert(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0);
	assert(seccomp_load(filter) == 0);
	seccomp_release(filter);
}

static int look(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)type;
	if (ftw->level == 1 &&
		(strcmp(path + ftw->base, "private") == 0 || strcmp(path + ftw->base, "checkout") == 0))
		return FTW_SKIP_SUBTREE;
	if (ftw->level)
		strbuf_addf(&seen, "%s %o %lld %lld.%ld %lld\n", path, st->st_mode, (long long)st->st_size,
			(long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec, (long long)st->st_ino);
	return FTW_CONTINUE;
}

/* All that lies in the directory but for what is rondo's; the caller's to free. */
static char *state(void)
{
	seen = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
	assert(nftw(fuzz_dir(), look, 16, FTW_PHYS | FTW_ACTIONRETVAL) == 0);
	char *text = memory_strdup(seen.text);
	strbuf_release(&seen);
	return text;
}

/* --- The repository --- */

static void begin(void)
{
	static const char command[] =
		"cd '%s' && mkdir -p home outside repo/src && printf 'a\\n' >repo/a.txt && "
		"printf 'b\\r\\n' >repo/src/b.txt && printf '*.txt text\\n' >repo/.gitattributes && "
		"printf '*.o\\n' >repo/.gitignore && cd repo && export HOME=\"$PWD/../home\" && "
		"git init -q -b main && git config user.name A && git config user.email a@b && "
		"git add . && git commit -qm one && git gc -q && echo two >>a.txt && git commit -qam two &&"
		"git worktree add -q ../linked && rm -rf .git/hooks && cd .git/objects/pack && "
		"for kind in idx pack; do ln -f pack-*.$kind \"../../pack.$kind\"; done && "
		"chmod 600 pack-*";
	char line[sizeof command + sizeof fuzz_place];
	snprintf(line, sizeof line, command, fuzz_dir());
	assert(system(line) == 0);
	setenv("HOME", fuzz_path("home"), 1);
	unsetenv("XDG_CONFIG_HOME");
	for (size_t i = 0; i < FILES; i++) {
		struct rondo_error ignored;
		olds[i] = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
		if (file_exists(fuzz_path(places[i])))
			assert(file_read(fuzz_path(places[i]), STRBUF_RECORD, &olds[i], &ignored) == 0);
	}
	git_libgit2_init();
	forbid();
	is_ready = true;
}

static void put_back(size_t i)
{
	if (olds[i].length)
		fuzz_write(places[i], olds[i].text, olds[i].length);
	else
		unlink(fuzz_path(places[i]));
}

/* HEAD becomes a commit of these bytes, or one of a tree of these. */
static void put_object(size_t kind, const uint8_t *data, size_t size, git_oid ids[2])
{
	char commit[256], hex[GIT_OID_HEXSZ + 1];
	git_odb *odb;
	assert(git_odb_open(&odb, fuzz_path(GIT "objects")) == 0);
	assert(git_odb_write(&ids[0], odb, data, size,
			   kind == OBJECT_TREE ? GIT_OBJECT_TREE : GIT_OBJECT_COMMIT) == 0);
	ids[1] = ids[0];
	if (kind == OBJECT_TREE) {
		int n = snprintf(commit, sizeof commit,
			"tree %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n",
			git_oid_tostr(hex, sizeof hex, &ids[0]));
		assert(git_odb_write(&ids[1], odb, commit, (size_t)n, GIT_OBJECT_COMMIT) == 0);
	}
	git_odb_free(odb);
	git_oid_tostr(hex, sizeof hex, &ids[1]);
	fuzz_write(GIT "refs/heads/main", hex, strlen(hex));
}

static void remove_object(const git_oid *id)
{
	char name[128], hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, id);
	snprintf(name, sizeof name, GIT "objects/%.2s/%s", hex, hex + 2);
	unlink(fuzz_path(name));
	snprintf(name, sizeof name, GIT "objects/%.2s", hex);
	rmdir(fuzz_path(name));
}

/* --- What rondo does with it --- */

static void read_files(struct repository *repository, const struct base *base, struct arena *arena)
{
	struct rondo_error err;
	const char **paths;
	size_t n;
	if (repository_list(repository, &base->tree, arena, &paths, &n, &err) < 0) {
		assert_error(&err);
		return;
	}
	for (size_t i = 0; i < n && i < 8; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		if (repository_file(repository, &base->tree, paths[i], &text, &err) < 0)
			assert_error(&err);
	}
}

static void check_out(struct repository *repository, const struct base *base, struct arena *arena)
{
	struct rondo_error err;
	AUTO_WORKTREE *worktree = NULL;
	struct diff diff;
	if (worktree_new(repository, &base->tree, fuzz_path("checkout"), &worktree, &err) < 0)
		assert_error(&err);
	if (repository_diff(repository, &base->head, &base->tree, arena, &diff, &err) < 0)
		assert_error(&err);
}

static void use(struct repository *repository)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct base base;
	if (!text_starts_with(repository_root(repository), fuzz_dir()))
		return; /* core.worktree names any directory, as in git */
	if (repository_base(repository, BASE_SNAPSHOT, &arena, &base, &err) < 0) {
		assert_error(&err);
		return;
	}
	for (size_t i = 0; i < base.n_notes; i++)
		assert_text(base.notes[i]);
	read_files(repository, &base, &arena);
	check_out(repository, &base, &arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rondo_error err;
	git_oid ids[2] = {0};
	if (!is_ready)
		begin();
	if (!size)
		return 0;
	size_t kind = data[0] % KINDS;
	if (kind < FILES)
		fuzz_write(places[kind], data + 1, size - 1);
	else
		put_object(kind, data + 1, size - 1, ids);
	AUTO_FREE char *before = state();
	{
		AUTO_REPOSITORY *repository = NULL;
		const char *dir =
			fuzz_path(text_starts_with(places[kind % FILES], "linked") ? "linked" : "repo");
		if (repository_open(dir, fuzz_path("private"), &repository, &err) < 0)
			assert_error(&err);
		else
			use(repository);
	}
	file_remove_tree(fuzz_path("private"), &err);
	file_remove_tree(fuzz_path("checkout"), &err);
	AUTO_FREE char *after = state();
	assert(strcmp(before, after) == 0);
	if (kind < FILES) {
		put_back(kind);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		remove_object(&ids[i]);
	put_back(3);
	return 0;
}
