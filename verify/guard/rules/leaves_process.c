/* A process that outlives its parent can still change what a later run sees. A fix that can
 * also end such a group of processes is about just that. */
#include "verify/guard/code.h"

static const struct reach reaches[] = {
	REACH(PYTHON, "os . fork ("),
	REACH(PYTHON, "os . forkpty"),
	REACH(PYTHON, "daemon . DaemonContext"),
	REACH(SCRIPT, ". unref ( ) ; process . @"),
	REACH(NATIVE, "<. <-> daemon ("),
	{SHELL, "^ $", 0, " nohup setsid disown daemonize "},
	{PYTHON SCRIPT NATIVE GO RUST JAVA LUA PHP PERL, "$", 0, " nohup disown daemonize "},
	REACH(PYTHON SCRIPT NATIVE GO RUST JAVA LUA PHP PERL, "\"nohup *\"|\"setsid *\""),
	REACH_END,
};

static bool leaves_process_occurs(const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	if (token->kind != TOKEN_NAME)
		return false;
	bool is_set = !code_is(code, i, "detached") || code_is(code, i + 2, "true");
	return is_set && !code->says_kill;
}

const struct guard_rule leaves_process_rule = {
	.name = "leaves-process",
	.summary = "a process that outlives its parent can change what later runs see",
	.reaches = reaches,
	.occurs = leaves_process_occurs,
	.occurs_at = " start_new_session setsid setpgrp detached Setsid DETACHED_PROCESS ",
};
