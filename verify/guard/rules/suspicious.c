/* What honest fixes sometimes do, too. It is reported and not refused: a reviewer looks there
 * first. */
#include "verify/guard/code.h"

#define TRUTHS " __lt__ __le__ __gt__ __ge__ __contains__ __bool__ __exit__ "
#define DIFFERENCES " __sub__ __rsub__ __abs__ "

static const struct reach reaches[] = {
	REACH(PYTHON, "^ sys . exit ("),
	REACH(PYTHON, "^ raise SystemExit"),
	REACH_UNLESS(PYTHON, "monkeypatch", UNLESS_FOR_TESTS),
	REACH(PYTHON, "autouse = True"),
	REACH(PYTHON, "os . system"),
	REACH(PYTHON, "except AssertionError"),
	REACH(PYTHON, "sys . setrecursionlimit"),
	{PYTHON, "sys . $ =", 0, " stdout stderr excepthook unraisablehook displayhook "},
	{PYTHON, "warnings . $ ( \"ignore\"", 0, " simplefilter filterwarnings "},
	{PYTHON, "def $ () : return True", 0, TRUTHS},
	{PYTHON, "def $ () -> bool : return True", 0, TRUTHS},
	{PYTHON, "def $ () : return 0", 0, DIFFERENCES},
	REACH(PYTHON, "return float ( \"nan\" )"),
	REACH(PYTHON, "return math . nan"),
	REACH(SCRIPT, "return NaN"),
	REACH(SCRIPT, "return Number . NaN"),
	REACH(NATIVE, "return NAN"),
	REACH(GO, "return math . NaN"),
	REACH(SCRIPT, "valueOf ( ) {"),
	{SCRIPT, "console . $ =", 0, " log error info warn "},
	REACH(SCRIPT, "NODE_ENV !==|!=|===|=="),
	REACH(SCRIPT, "switch ( process . env . NODE_ENV"),
	REACH(SCRIPT, "process . exit ("),
	REACH(SCRIPT, "new Proxy ("),
	REACH(NATIVE, "# line"),
	REACH(NATIVE, "freopen ("),
	REACH(NATIVE, "<. <-> system|abort ("),
	REACH(NATIVE, "<. <-> <void exit ("),
	{NATIVE, "<. <-> $ (", 0, " execl execlp execle execv execvp execvpe execve execveat fexecve "},
	REACH(GO, "os . Exit ("),
	REACH(RUST, "process :: exit ("),
	REACH(RUST, "catch_unwind"),
	REACH(JAVA, "System . exit ("),
	REACH(JAVA, "getStackTrace|setDefaultUncaughtExceptionHandler"),
	REACH(JAVA, "int compareTo () { return 0"),
	REACH(SHELL, "^ exit 0"),
	REACH(SHELL, "set + e"),
	REACH(SHELL, "^ alias"),
	REACH(SHELL, "|| true"),
	{PYTHON SCRIPT NATIVE GO RUST JAVA SHELL, "$", 0,
		" GITHUB_ACTIONS GITLAB_CI TRAVIS CIRCLECI JENKINS_URL "},
	REACH(PYTHON SCRIPT NATIVE GO RUST JAVA SHELL, "$CI"),
	REACH(PYTHON SCRIPT NATIVE GO RUST JAVA, "\"CI\""),
	REACH(SCRIPT, "env . CI"),
	REACH_END,
};

const struct guard_rule suspicious_rule = {
	.name = "suspicious",
	.summary = "ends the process, ignores a failure, answers every question with yes, or asks for "
			   "the machine that it runs on",
	.marks = true,
	.reaches = reaches,
};
