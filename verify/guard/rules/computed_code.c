/* Code that is made when it runs cannot be read before; with it, anything can be reached by any
 * name. */
#include "verify/guard/code.h"

#define MODULES " os sys builtins __builtins__ pytest _pytest unittest importlib ctypes inspect "

static const struct reach reaches[] = {
	REACH(PYTHON, "<. <def exec|eval ("),
	REACH(PYTHON, "builtins . exec|eval"),
	{PYTHON, "= $", 0, " exec eval "},
	REACH(PYTHON, "<def __import__"),
	REACH(PYTHON, "globals ( ) ["),
	{PYTHON, "globals ( ) . $", 0, " update get setdefault pop "},
	{PYTHON, "getattr ( $ , ...", 0, MODULES},
	{PYTHON, "getattr ( $ , $", 0,
		MODULES " _exit modules settrace setprofile _getframe meta_path environ "},
	REACH(PYTHON, "getattr ( import_module"),
	{PYTHON, "import_module ( $ )", 0,
		" os sys builtins atexit pytest _pytest unittest ctypes gc inspect "},
	REACH(PYTHON, "operator . attrgetter ( \"_*\""),
	{PYTHON, "__getattribute__ ( $ ,", 0, MODULES},
	{PYTHON, "$ . __getattribute__", 0, MODULES},
	REACH(PYTHON,
		"__subclasses__|__globals__|__code__|InteractiveInterpreter|InteractiveConsole|"
		"SourceFileLoader"),
	{PYTHON, "types . $", 0, " FunctionType CodeType LambdaType "},
	REACH(PYTHON, "marshal . loads"),
	{PYTHON, "code . $", 0, " interact runsource "},
	REACH(PYTHON, "runpy . @"),
	REACH(SCRIPT, "<. <function eval ("),
	REACH(SCRIPT, "( ? , eval ) ("),
	REACH(SCRIPT, "globalThis . eval"),
	REACH(SCRIPT, "new Function ("),
	REACH(SCRIPT, "<. <new <function Function ("),
	REACH(SCRIPT, "constructor . constructor"),
	REACH(SCRIPT, "[ \"constructor\" ] ["),
	REACH(SCRIPT, "[ \"constructor\" ] ("),
	{SCRIPT, "require ( \"$\" )", 0, " vm node:vm repl node:repl "},
	{SCRIPT, "from \"$\"", 0, " vm node:vm repl node:repl "},
	REACH(SCRIPT, "import ( \"data:*\""),
	REACH(SCRIPT, "from \"data:*\""),
	REACH(SCRIPT, "eval : true"),
	REACH(SCRIPT, "vm . @ ("),
	REACH(SCRIPT, "process [ ..."),
	{SCRIPT, "process [ $ ]", 0, " exit reallyExit abort kill binding exitCode on once "},
	{SCRIPT, "$ [ ...", UNLESS_FOR_TESTS, " globalThis "},
	REACH(SCRIPT, "Reflect . get|apply ( process"),
	REACH(SHELL, "^ eval"),
	{LUA, "<. <: <function $ (", 0, " load loadstring loadfile dofile "},
	{LUA, "= $", 0, " load loadstring "},
	REACH(LUA, "_G|_ENV [ ..."),
	{PHP, "<-> <:: <function $ (", 0, " eval create_function "},
	{PHP, "\"$\"", 0, " eval exit die register_shutdown_function posix_kill "},
	REACH(PHP, "\"data:*\"|\"php://filter*\""),
	REACH(PERL, "<-> <sub eval !{"),
	REACH(PERL, "<-> <sub evalbytes"),
	REACH(PERL, "<-> <sub do @"),
	REACH(PERL, "$main :: {"),
	REACH(" ruby ", "<. <def eval"),
	{" ruby ", "$", 0, " instance_eval class_eval module_eval "},
	REACH_END,
};

const struct guard_rule computed_code_rule = {
	.name = "computed-code",
	.summary = "code that is computed when it runs (exec, eval, names put together) can hide what "
			   "it reaches",
	.reaches = reaches,
};
