/*
 * A new file by the name of what others import or call: the standard library's, the runner's, a
 * command's. It is found first, and runs in its place. So are installed packages, where they lie in
 * the tree.
 */
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/code.h"

/* Names of Python's modules that runners and tests import; "__init__" is a package's. */
static const char python_modules[] =
	" __future__ _pytest abc argparse array ast asyncio atexit base64 bdb binascii bisect "
	"builtins bz2 calendar cmath cmd code codecs codeop collections colorsys compileall "
	"concurrent configparser contextlib contextvars copy copyreg cProfile csv ctypes "
	"dataclasses datetime dbm decimal difflib dis doctest email encodings enum errno "
	"faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass "
	"gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib importlib inspect io "
	"ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math "
	"mimetypes mmap modulefinder multiprocessing netrc ntpath numbers opcode operator optparse "
	"os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix posixpath pprint "
	"profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib "
	"resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site "
	"smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat "
	"statistics string stringprep struct subprocess symtable sys sysconfig syslog tabnanny "
	"tarfile tempfile termios textwrap threading time timeit tkinter token tokenize tomllib "
	"trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uuid venv "
	"warnings wave weakref webbrowser winreg wsgiref xml xmlrpc zipapp zipfile zipimport zlib "
	"zoneinfo attr attrs coverage exceptiongroup hypothesis iniconfig mock nose nose2 numpy "
	"packaging pandas pluggy py pytest pytest_asyncio pytest_cov pytest_mock pytest_timeout "
	"sitecustomize tomli usercustomize xdist ";

static const char headers[] =
	" assert.h stdio.h stdlib.h string.h setjmp.h signal.h unistd.h errno.h math.h cmocka.h "
	"gtest.h gmock.h catch.hpp catch_all.hpp catch_test_macros.hpp doctest.h criterion.h "
	"cassert cstdlib cstring iostream ";

static const char commands[] =
	" python python3 python2 pypy pypy3 pytest py.test node nodejs npm npx yarn pnpm bun deno "
	"jest vitest mocha tsc ts-node tsx esbuild go gofmt cargo rustc gcc cc g++ c++ clang "
	"clang++ ld ar make gmake cmake ctest ninja meson mvn gradle java javac kotlinc ruby "
	"bundle rspec rake perl prove php phpunit sh bash dash zsh env diff cmp grep egrep fgrep "
	"sed awk gawk cat ls sort uniq head tail wc tr cut tee xargs find expect timeout git date "
	"sleep mktemp rm mv cp touch true false echo printf ";

static const char *const installed[] = {"node_modules/", "site-packages/", "dist-packages/",
	".venv/", "venv/", "__pypackages__/", ".tox/", ".nox/", ".pnp.cjs", ".pnp.js", ".yarn/"};

static bool shadowing_module_lies_in(
	const struct inspection *inspection, const char *dir, size_t n, const char *glob)
{
	for (size_t i = 0; i < inspection->n_base_paths; i++) {
		const char *path = inspection->base_paths[i];
		bool below = n == 0 || (strncmp(path, dir, n) == 0 && path[n] == '/');
		const char *rest = path + (n ? n + 1 : 0);
		if (below && !strchr(rest, '/') && glob_matches(glob, rest))
			return true;
	}
	return false;
}

/* Whether Python looks for top-level modules in a folder: the tree's root, the usual ones below it,
 * and where tests lie that belong to no package. */
static bool shadowing_module_is_import_root(
	const struct inspection *inspection, const char *dir, size_t n)
{
	static const char *const usual[] = {"src", "lib", "python"};
	if (shadowing_module_lies_in(inspection, dir, n, "__init__.py"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (n == strlen(usual[i]) && memcmp(dir, usual[i], n) == 0)
			return true;
	return n == 0 || shadowing_module_lies_in(inspection, dir, n, "test_*.py") ||
		shadowing_module_lies_in(inspection, dir, n, "*_test.py");
}

static const char *shadowing_module_shadowed_module(
	const struct inspection *inspection, const char *path, struct arena *arena)
{
	const char *name = file_name(path);
	size_t dir = name == path ? 0 : (size_t)(name - path) - 1, n = strcspn(name, ".");
	if (strcmp(file_suffix(path), "py") != 0)
		return NULL;
	if (strcmp(name, "__init__.py") == 0 && dir) {
		const char *end = path + dir;
		n = dir;
		for (name = end; name > path && name[-1] != '/';)
			name--;
		n = (size_t)(end - name);
		dir = name == path ? 0 : (size_t)(name - path) - 1;
	}
	if (!words_hold(python_modules, name, n) ||
		!shadowing_module_is_import_root(inspection, path, dir))
		return NULL;
	return arena_printf(
		arena, "a new module takes the place of Python's or the runner's '%.*s'", (int)n, name);
}

/* Only new files, and only where nothing of that name was. */
static const char *shadowing_module_shadow_of(
	const struct inspection *inspection, const struct changed_file *file)
{
	const char *name = file_name(file->path),
			   *module =
				   shadowing_module_shadowed_module(inspection, file->path, inspection->arena);
	bool runs = (file->mode & 0111) || (file->n_text > 2 && memcmp(file->text, "#!", 2) == 0);
	if (module)
		return module;
	if (words_hold(headers, name, strlen(name)))
		return arena_printf(inspection->arena,
			"a new header takes the place of the system's or a test framework's '%s'", name);
	if (runs && words_hold(commands, name, strlen(name)))
		return arena_printf(inspection->arena, "a new program is called as the command '%s'", name);
	return NULL;
}

static const char *shadowing_module_changed_package(
	const struct inspection *inspection, const struct changed_file *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(installed); i++)
		if (glob_matches(installed[i], file->path))
			return "changes an installed package";
	bool managed = guard_was_there(inspection, "vendor/modules.txt") ||
		guard_was_there(inspection, "vendor/autoload.php");
	return managed && text_starts_with(file->path, "vendor/") ? "changes an installed package"
															  : NULL;
}

static const char *shadowing_module_fault(
	const struct inspection *inspection, const struct changed_file *file)
{
	const char *fault = shadowing_module_changed_package(inspection, file);
	bool is_new = file->text && !file->old_mode;
	return !fault && is_new ? shadowing_module_shadow_of(inspection, file) : fault;
}

const struct guard_rule shadowing_module_rule = {
	.name = "shadowing-module",
	.summary = "a file by the name of a standard module, a runner, a header or a command runs in "
			   "its place",
	.fault = shadowing_module_fault,
};
