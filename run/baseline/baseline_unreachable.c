/* Goal tests that are red because there is no network, nobody behind a port, or something is not
 * installed: nothing in the tree makes them pass. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/baseline/baseline.h"
#include "verify/suite/lines.h"
#include "verify/suite/listing.h"

/* A test that needs the network, a display, a terminal, a database or Docker is left out of the
 * goal. A service may be the tree's own, and a question may be one too many: they are only told. */
static const char *baseline_why_unreachable(const struct baseline_stage *baseline,
	const struct run_env *env, const char *id, bool *ret_is_apart)
{
	const struct test_report *report = &baseline->reports[0];
	const struct test_result *result = test_report_find(report, id);
	const char *why = result ? suite_network_problem(report, result, env->arena) : NULL;
	bool is_offline = strcmp(env->order->executor.settings->network, "none") == 0 &&
		executor_sight(&env->order->executor) != EXECUTOR_SEES_HOST;
	*ret_is_apart = why && !text_starts_with(why, "a service") &&
		!text_starts_with(why, "an answer") &&
		(is_offline || !text_starts_with(why, "the network"));
	return why;
}

/* The help for such a reason. */
static const char *baseline_reach(const char *why)
{
	if (text_starts_with(why, "the network"))
		return "the sandbox has no network: executor: {network: host} in a configuration, where "
			   "you want it";
	if (text_starts_with(why, "room on the disk"))
		return "rondo gc removes what earlier runs left; XDG_CACHE_HOME says where runs write";
	return "--executor local runs the tests as you do, without isolation; --test with those that "
		   "need none";
}

/* Whether package.json names the missing command as a package of its own. */
static bool baseline_is_node_command(const char *root, const char *what, struct arena *arena)
{
	const char *text = listing_read(root, "package.json", arena), *at = strchr(what, '\'');
	bool is_command = text_starts_with(what, "the command '");
	return text && is_command &&
		strstr(text, arena_printf(arena, "\"%.*s\"", (int)strcspn(at + 1, "'"), at + 1));
}

/* The command that gets it, or NULL. */
static const char *baseline_mend(
	const struct site *site, const struct lack *lack, struct arena *arena)
{
	if (lack->is_python)
		return python_mend(
			&site->python, site->facts.root, lack, site->paths.items, site->paths.n, arena);
	const char *root = site->facts.root;
	bool is_node = lack->mend ? strcmp(lack->mend, "npm install") == 0
							  : baseline_is_node_command(root, lack->what, arena);
	const char *own = is_node ? setup_propose_for(root, "Node", arena) : NULL;
	return own ? own : lack->mend;
}

/* The command, or where none gets it what else to do. */
static const char *baseline_in_words(const char *mend, const struct lack *lack)
{
	if (mend)
		return mend;
	return lack->advice ? lack->advice
						: "install what is missing where the checkout's .venv, node_modules or the "
						  "system has it; the report lists what the tests saw";
}

const char *baseline_help(
	const struct run_env *env, const struct site *site, const struct lack *lack)
{
	const struct scenario *scenario = env->order->scenario;
	const char *mend = baseline_mend(site, lack, env->arena);
	const char *what = baseline_in_words(mend, lack),
			   *command = env->order->proposal ? "verify" : "fix";
	AUTO_STRBUF word = STRBUF_INIT(STRBUF_LINE);
	if (scenario->proposed_setup.n)
		return arena_printf(env->arena, "%s, or rondo %s --allow-setup", what, command);
	if (!mend || !env->order->path || option_strings_have(&scenario->setup.commands, mend))
		return what;
	strbuf_add_word(&word, mend);
	return arena_printf(env->arena, "%s, or rondo %s --setup %s", mend, command, word.text);
}

/* A word of a line as a path in the tree: without the checkout's own, or "./". */
static const char *baseline_path_of(
	const char *word, size_t n, const char *root, struct arena *arena)
{
	const char *path = arena_strndup(arena, word, n);
	size_t length = strlen(root);
	if (text_starts_with(path, root) && path[length] == '/')
		path += length + 1;
	return path + (text_starts_with(path, "./") ? 2 : 0);
}

/* The first word of a line that names a file which the user's checkout has and the base has not. */
static const char *baseline_ignored_in(
	const char *line, size_t n, const struct site *site, struct arena *arena)
{
	static const char ends[] = " \t'\"`():;,";
	const char *end = line + n;
	for (const char *at = line; at < end;) {
		size_t word = strcspn(at, ends);
		word = at + word > end ? (size_t)(end - at) : word;
		const char *path = baseline_path_of(at, word, site->facts.root, arena);
		bool is_inside = strpbrk(path, "./") && *path != '/' && !strstr(path, "..");
		const char *file = arena_printf(arena, "%s/%s", site->facts.root, path);
		if (word && is_inside && file_exists(file) && !file_is_dir(file) &&
			!text_in_sorted(site->paths.items, site->paths.n, path))
			return path;
		at += word + 1;
	}
	return NULL;
}

const char *baseline_ignored_file(
	const struct site *site, const struct test_report *report, struct arena *arena)
{
	static const char *const signs[] = {"*does not exist*", "*No such file*", "*ENOENT*",
		"*annot find*", "*not found*", "*an't open*", "*annot open*", NULL};
	for (const char *at = report->output; at && *at;) {
		AUTO_ARENA scratch = ARENA_INIT;
		size_t n = strcspn(at, "\n");
		const char *line = arena_strndup(&scratch, at, n);
		const char *path =
			line_matches_any(line, signs) ? baseline_ignored_in(line, n, site, &scratch) : NULL;
		if (path)
			return arena_strdup(arena, path);
		at += n + (at[n] == '\n');
	}
	return NULL;
}

enum { MOST_LACKS = 5 }; /* that are told */

/* Leave out what lacks an installed module, plug-in or command, and tell each such thing once. */
static int baseline_set_lacking_apart(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, struct rondo_error *err)
{
	struct baseline *result = &baseline->result;
	const char *told[MOST_LACKS];
	struct lack first = {0}, lack;
	size_t n = 0, n_told = 0;
	for (size_t i = 0; i < result->n_goal; i++) {
		const struct test_result *test = test_report_find(&baseline->reports[0], result->goal[i]);
		if (!test ||
			!suite_result_lacks(
				&baseline->reports[0], test, site->paths.items, site->paths.n, env->arena, &lack)) {
			result->goal[n++] = result->goal[i];
			continue;
		}
		ARENA_PUSH(env->arena, result->red, result->n_red, test->id);
		const char *words = baseline_in_words(baseline_mend(site, &lack, env->arena), &lack);
		bool is_new = n_told < MOST_LACKS;
		for (size_t k = 0; k < n_told; k++)
			is_new = is_new && strcmp(told[k], words) != 0;
		if (!is_new)
			continue;
		first = n_told ? first : lack;
		told[n_told++] = words;
		if (env_notice(env, err, "%s: such tests are not among the goal's; %s", lack.what, words) <
			0)
			return -1;
	}
	result->n_goal = n;
	if (n_told && !n)
		baseline->ending = (struct ending){
			true, RUN_ENVIRONMENT_BROKEN, first.what, baseline_help(env, site, &first)};
	return 0;
}

int baseline_set_unreachable_apart(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, struct rondo_error *err)
{
	struct baseline *result = &baseline->result;
	const char *first = NULL, *first_why = NULL;
	size_t n = 0, n_apart = 0;
	if (baseline_set_lacking_apart(baseline, env, site, err) < 0)
		return -1;
	for (size_t i = 0; i < result->n_goal; i++) {
		const char *id = result->goal[i];
		bool is_apart;
		const char *why = baseline_why_unreachable(baseline, env, id, &is_apart);
		if (why && !first) {
			first = id;
			first_why = why;
		}
		if (!is_apart) {
			result->goal[n++] = id;
			continue;
		}
		n_apart++;
		ARENA_PUSH(env->arena, result->red, result->n_red, id);
	}
	result->n_goal = n;
	if (!first)
		return 0;
	if (n_apart && !n) {
		baseline->ending = (struct ending){true, RUN_ENVIRONMENT_BROKEN,
			arena_printf(env->arena, "the failing tests need %s (%s)", first_why, first),
			baseline_reach(first_why)};
		return 0;
	}
	return env_notice(env, err, "%s needs %s%s", first, first_why,
		n_apart ? ", so it is not among the goal's" : "");
}
