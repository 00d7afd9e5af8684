/* rondo verify: judge a change that somebody made. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/session.h"

enum { STOPPED_BY_SIGNAL = 128 }; /* an exit code from here on */

struct verify_command {
	struct verify_options verify;
	struct session_options session;
};

#define AT(member) offsetof(struct verify_command, member)

#define SETS(name, key, argument, help) FIX_SETS(AT(verify.fix), name, key, argument, help)
#define KEY(name, key, argument) FIX_KEY(AT(verify.fix), name, key, argument)

static const struct option options[] = {
	VERIFY_CHANGE_OPTIONS(AT(verify)),
	OPTION("repo", STRING, AT(verify.fix.path), "the repository; else the one around here",
		.argument = "DIR"),
	FIX_TEST_OPTIONS(AT(verify.fix)),
	KEY("junit", "output.junit", "DIR"),
	SETS("pull-request", "output.pull_request", "FILE",
		"write what came of it as Markdown, such as for a pull request"),
	FIX_SITE_OPTIONS(AT(verify.fix)),
	SETS("limit", "limits", "NAME=N", "suite=60s silence=20s time=30m"),
	SESSION_OPTIONS(AT(session)),
	OPTION("dry-run", BOOL, AT(verify.fix.dry_run), "say what would be judged, and run nothing",
		.letter = 'n'),
	OPTION_END,
};

static int verify_one(
	struct verify_command *command, const char *label, struct arena *arena, struct rondo_error *err)
{
	struct session session;
	if (session_begin(&session, &command->session, err) < 0)
		return -1;
	command->verify.fix.stop_requested = session.stop_requested;
	session.label = label;
	int status = run_verify(&command->verify, &session.ctx, arena, &session.report, err);
	if (status < 0 && label)
		error_prefix(err, "%s", label);
	return session_end(&session, status, err);
}

/* One after the other; the exit code is the worst. */
static int verify_all(struct verify_command *command, const struct option_strings *changes,
	struct arena *arena, struct rondo_error *err)
{
	const struct session_options *session = &command->session;
	int worst = 0;
	command->verify.cached_since_ms = clock_date_ms();
	for (size_t i = 0; i < changes->n; i++) {
		command->verify.change = changes->items[i];
		if (i && !session->json && !session->quiet)
			putchar('\n');
		int status = verify_one(command, session->quiet ? changes->items[i] : NULL, arena, err);
		if (status < 0 || status >= STOPPED_BY_SIGNAL)
			return status;
		worst = status > worst ? status : worst;
	}
	return worst;
}

/* Where an external coder works, and nothing says what else is meant: the socket. */
static const char *verify_socket(
	const struct verify_command *command, const struct option_strings *operands)
{
	const struct verify_options *verify = &command->verify;
	const struct fix_options *fix = &verify->fix;
	const char *socket = getenv(RUN_MCP_SOCKET);
	bool is_plain = !operands->n && !verify->base && !verify->fixed.n && !fix->path &&
		!fix->executor && !fix->settings.n && !fix->overrides.n && !fix->dry_run;
	return is_plain && socket && *socket ? socket : NULL;
}

static int verify_ask(struct verify_command *command, const char *socket, struct arena *arena,
	struct rondo_error *err)
{
	struct session session;
	if (session_begin(&session, &command->session, err) < 0)
		return -1;
	const char *told;
	int status = run_ask_verdict(socket, &session.ctx, arena, &told, &session.report, err);
	if (status < 0 || !session.json)
		return session_end(&session, status, err);
	puts(told);
	run_screen_release(&session.view);
	return run_outcome_exit_code(session.report.outcome);
}

CLI_RUN(verify)
{
	struct verify_command *command = state;
	const char *socket = verify_socket(command, operands);
	if (socket)
		return verify_ask(command, socket, arena, err);
	if (operands->n > 1)
		return verify_all(command, operands, arena, err);
	command->verify.change = operands->n ? operands->items[0] : NULL;
	return verify_one(command, NULL, arena, err);
}

const struct cli_command verify_command = {
	.name = "verify",
	.summary = "judge a change that somebody made, as rondo judges its own",
	.usage = "[REV|PATCH|-]... [options]",
	.details =
		"Run the tests without the change, twice, and with it in fresh checkouts, with the base's\n"
		"tests. Nothing that passed may fail, disappear or be skipped, and the change may do "
		"nothing\n"
		"that only looks right (rondo list rules). Tests that it brings are run with it and "
		"without.\n"
		"\n"
		"  rondo verify                 the uncommitted work, against HEAD\n"
		"  rondo verify feature         a branch or commit, against where it branched off\n"
		"  rondo verify fix.diff        a patch, against HEAD\n"
		"  git diff | rondo verify -    the same from standard input\n"
		"  rondo verify one two three   one after the other; of one base the tests run once\n"
		"  rondo verify --fixed TEST    and this test must be among those that it fixes\n"
		"\n"
		"An external coder of rondo's that runs `rondo verify` has its files judged by that run.\n"
		"\n"
		"Exit code 0: verified; 1: it is not; 3: the tests cannot judge.\n",
	.state_size = sizeof(struct verify_command),
	.options = options,
	.most_operands = 1000,
	.run = verify_run,
};
