/* What a machine keeps of earlier builds and downloads may be cut short or overwritten. Then tests
 * are red without any mistake in the tree. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/baseline/baseline.h"
#include "verify/suite/lines.h"
#include "verify/suite/location.h"

/* --- Caches of builds --- */

/* What interpreters, compilers and linkers say of such a file: Python's bytecode, Rust's crates,
 * Go's archives, Java's classes, CMake's cache. */
static const char *const damage_signs[] = {"*marshal data*", "*EOF read where object expected*",
	"*bad magic number in '*", "*found invalid metadata files for crate*",
	"*not the start of an archive file*", "*-importcfg*", "*could not import *",
	"*bad class file: *", "*ClassFormatError: *", "*file not recognized: file *",
	"*file truncated*", "*malformed archive*", "*CMakeCache.txt directory * is different than *",
	"*Parse error in cache file*", NULL};

/* "a.go:3:8: package strings is not in std (/usr/local/go/src/strings)", though it is there. */
static bool damage_hides_standard(const char *line, struct arena *arena)
{
	const char *at = strstr(line, " is not in std (");
	const char *dir = at ? strchr(at, '(') + 1 : "";
	return *dir == '/' && file_is_dir(arena_strndup(arena, dir, strcspn(dir, ")")));
}

/* Such a line in a few words; go test writes it as JSON. */
static const char *damage_tell(const char *line, struct arena *arena)
{
	static const char start[] = "\"Output\":\"";
	char told[160];
	const char *output = strstr(line, start);
	line = output ? output + strlen(start) : line;
	text_copy(told, sizeof told, line + strspn(line, " \t"));
	return arena_strdup(arena, told);
}

static const char *damage_in(const char *text, struct arena *arena)
{
	for (const char *at = text; at && *at;) {
		AUTO_ARENA scratch = ARENA_INIT;
		size_t n = strcspn(at, "\n");
		const char *line = arena_strndup(&scratch, at, n);
		if (line_matches_any(line, damage_signs) || damage_hides_standard(line, &scratch))
			return damage_tell(line, arena);
		at += n + (at[n] == '\n');
	}
	return NULL;
}

const char *baseline_damage(const struct test_report *report, struct arena *arena)
{
	const char *found = NULL;
	for (size_t i = 0; i < report->n && !found; i++)
		if (report->results[i]->status == TEST_ERROR)
			found = damage_in(report->results[i]->message, arena);
	return found || !report->exit_code ? found : damage_in(report->output, arena);
}

/* --- Archives --- */

enum { ARCHIVE_END = 65557 }; /* bytes that the record at the end may take, with its comment */

/* Whether a zip ends as one does. */
static bool archive_is_whole(const char *path)
{
	char end[ARCHIVE_END];
	struct stat st;
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return true; /* nobody knows */
	off_t from = st.st_size > ARCHIVE_END ? st.st_size - ARCHIVE_END : 0;
	ssize_t n = pread(fd, end, sizeof end, from);
	return n < 0 || memmem(end, (size_t)n, "PK\5\6", 4);
}

static const char *archive_find_damaged(const char *dir, struct arena *arena)
{
	const char *found = NULL;
	AUTO_DIR *open = opendir(dir);
	for (const char *name; !found && open && (name = file_next_name(open));) {
		const char *path = arena_printf(arena, "%s/%s", dir, name);
		if (text_ends_with(name, ".jar"))
			found = archive_is_whole(path) ? NULL : path;
		else if (file_is_dir(path))
			found = archive_find_damaged(path, arena);
	}
	return found;
}

/* An error in a file of the tree has another cause, unless the output names the archive. */
static bool archive_explains(const char *path, const struct test_report *report)
{
	if (report->output && strstr(report->output, file_name(path)))
		return true;
	for (size_t i = 0; i < report->n; i++)
		if (report->results[i]->file)
			return false;
	return true;
}

const char *baseline_damaged_archive(
	const struct site *site, const struct test_report *report, struct arena *arena)
{
	const char *found = NULL;
	for (size_t i = 0; i < site->world.n && !found; i++)
		if (strcmp(site->world.mounts[i].why, WORLD_MAVEN) == 0)
			found = archive_find_damaged(site->world.mounts[i].source, arena);
	return found && archive_explains(found, report) ? found : NULL;
}
