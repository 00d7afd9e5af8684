/* What a coder is told before it begins: which tests fail and how, and what runs the code that it
 * writes. */
#include "agents/briefing.h"

#include "base/clock.h"
#include "executors/functions.h"

enum { FAILURES_MOST = 20 };

void brief_failures(struct strbuf *sb, const struct test_report *report)
{
	size_t shown = 0, red = test_report_red(report);
	for (size_t i = 0; i < report->n && shown < FAILURES_MOST; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		strbuf_addf(sb, "- %s", result->id);
		if (result->message)
			strbuf_addf(sb, ": %s", result->message);
		if (result->file)
			strbuf_addf(sb, " (%s:%d)", result->file, result->line);
		strbuf_addc(sb, '\n');
		shown++;
	}
	if (red > shown)
		strbuf_addf(sb, "- and %zu more\n", red - shown);
}

/* --- What there is to run code with --- */

void brief_blocks(
	struct strbuf *sb, const struct agent_services *services, const struct option_texts *overrides)
{
	if (!services || !services->runs_code)
		return;
	bool lasts = services->main_checkout && services->main_checkout->executor &&
		executor_keeps_variables(services->main_checkout->executor);
	strbuf_addf(sb, "\n%s\n%s", prompt_text("blocks", overrides),
		prompt_text(lasts ? "blocks_kernel" : "blocks_alone", overrides));
}

static void brief_packages(
	struct strbuf *sb, const char *manager, const struct option_strings *packages)
{
	if (!packages->n)
		return;
	strbuf_addf(sb, " %s has installed ", manager);
	strbuf_add_list(sb, packages->items, packages->n);
	strbuf_addc(sb, '.');
}

/* What both the executor and the agent who runs the blocks allow. */
static void brief_languages(
	struct strbuf *sb, const struct option_strings *executor, const struct option_strings *agent)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct option_strings both = agent->n ? (struct option_strings){.n = 0} : *executor;
	for (size_t i = 0; i < agent->n; i++)
		if (!executor->n || text_in(executor->items, executor->n, agent->items[i]))
			ARENA_PUSH(&arena, both.items, both.n, agent->items[i]);
	if (!both.n)
		return;
	strbuf_adds(sb, " Only these languages run: ");
	strbuf_add_list(sb, both.items, both.n);
	strbuf_addc(sb, '.');
}

void brief_world(struct strbuf *sb, const struct agent_services *services)
{
	const struct executor *executor =
		services && services->main_checkout ? services->main_checkout->executor : NULL;
	char time[CLOCK_DATE_SIZE];
	if (!executor)
		return;
	const struct executor_settings *settings = executor->settings;
	strbuf_adds(sb,
		executor_has_network(executor)
			? "\nPrograms have the network of this machine."
			: "\nPrograms have no network: nothing can be fetched or installed.");
	brief_packages(sb, "pip", &settings->pip);
	brief_packages(sb, "npm", &settings->npm);
	brief_languages(sb, &settings->rules.allow, &services->allow);
	if (services->block_timeout_ms) {
		clock_format_duration(services->block_timeout_ms, time);
		strbuf_addf(sb, " Each may take %s.", time);
	}
	strbuf_addc(sb, '\n');
}

int brief_functions(struct strbuf *sb, const struct agent_services *services,
	const struct option_strings *files, const struct option_texts *overrides,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *text;
	struct functions functions = {
		.files = files->items, .n = files->n, .dir = services ? services->dir : NULL};
	if (!files->n)
		return 0;
	if (functions_describe(&functions, &arena, &text, err) < 0)
		return -1;
	strbuf_addf(sb, "\n%s\n```python\n%s\n```\n", prompt_text("functions", overrides), text);
	return 0;
}
