/*
 * Prices in USD for a million tokens: input, input from a cache, output; and how many tokens fit
 * into a model's context, 0 where that is not said. Figures of the package litellm 1.110.2 from
 * PyPI, on 2026-11-27: models that were sold by then and have no end in sight. A model's keys
 * `price` and `context` take their place.
 */
#include "models/prices.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

struct price_row {
	const char *model; /* NULL: the last */
	double input, cached, output;
	int64_t context;
};

/* clang-format off */
static const struct price_row openai[] = {
	{"daybreak-blue", 4, 0.4, 20, 922000},
	{"daybreak-red", 12.5, 1.25, 75, 272000},
	{"gpt-4.1", 2, 0.5, 8, 1047576},
	{"gpt-4.1-mini", 0.4, 0.1, 1.6, 1047576},
	{"gpt-4o", 2.5, 1.25, 10, 128000},
	{"gpt-4o-mini", 0.15, 0.075, 0.6, 128000},
	{"gpt-5", 1.25, 0.125, 10, 272000},
	{"gpt-5-mini", 0.25, 0.025, 2, 272000},
	{"gpt-5-nano", 0.05, 0.005, 0.4, 272000},
	{"gpt-5-pro", 15, 15, 120, 400000},
	{"gpt-5.1", 1.25, 0.125, 10, 272000},
	{"gpt-5.2", 1.75, 0.175, 14, 272000},
	{"gpt-5.2-pro", 21, 21, 168, 272000},
	{"gpt-5.3-codex", 1.75, 0.175, 14, 272000},
	{"gpt-5.4", 2.5, 0.25, 15, 1050000},
	{"gpt-5.4-mini", 0.75, 0.075, 4.5, 272000},
	{"gpt-5.4-nano", 0.2, 0.02, 1.25, 272000},
	{"gpt-5.4-pro", 30, 30, 180, 1050000},
	{"gpt-5.5", 5, 0.5, 30, 1050000},
	{"gpt-5.5-cyber", 12.5, 1.25, 75, 0},
	{"gpt-5.5-cyber-preview", 12.5, 1.25, 75, 0},
	{"gpt-5.5-pro", 30, 30, 180, 1050000},
	{"gpt-5.6", 4, 0.4, 20, 922000},
	{"gpt-5.6-cyber", 12.5, 1.25, 75, 272000},
	{"gpt-5.6-luna", 0.2, 0.02, 1.2, 922000},
	{"gpt-5.6-sol", 4, 0.4, 20, 922000},
	{"gpt-5.6-terra", 2, 0.2, 12, 922000},
	{"gpt-6-astra", 10, 1, 50, 922000},
	{"gpt-6-astra-law", 10, 1, 50, 922000},
	{"gpt-6-cyber", 20, 2, 100, 922000},
	{"gpt-6-luna", 0.1, 0.01, 0.5, 922000},
	{"gpt-6-rosalind", 15, 1.5, 75, 922000},
	{"gpt-6-sol", 2, 0.2, 10, 922000},
	{"gpt-6.1-sol", 2, 0.1, 10, 922000},
	{"gpt-6.1-terra", 1, 0.05, 5, 922000},
	{"gpt-daybreak-blue", 4, 0.4, 20, 922000},
	{"gpt-daybreak-red", 12.5, 1.25, 75, 272000},
	{"gpt-rosalind-discovery", 5, 0.5, 25, 0},
	{"o3", 2, 0.5, 8, 200000},
	{"o3-pro", 20, 20, 80, 200000},
	{NULL, 0, 0, 0, 0},
};

static const struct price_row anthropic[] = {
	{"claude-fable-5", 10, 1, 50, 1000000},
	{"claude-fable-5-1", 10, 0.25, 50, 1000000},
	{"claude-haiku-4-5", 1, 0.1, 5, 200000},
	{"claude-haiku-5-5", 0.1, 0.01, 0.5, 1000000},
	{"claude-mythos-5", 10, 1, 50, 1000000},
	{"claude-mythos-5-1", 10, 0.25, 50, 1000000},
	{"claude-opus-4-5", 5, 0.5, 25, 200000},
	{"claude-opus-4-6", 5, 0.5, 25, 1000000},
	{"claude-opus-4-7", 5, 0.5, 25, 1000000},
	{"claude-opus-4-8", 5, 0.5, 25, 1000000},
	{"claude-opus-5", 5, 0.5, 25, 1000000},
	{"claude-opus-5-5", 4, 0.2, 20, 1000000},
	{"claude-sonnet-4-5", 3, 0.3, 15, 200000},
	{"claude-sonnet-4-6", 3, 0.3, 15, 1000000},
	{"claude-sonnet-5", 2, 0.2, 10, 1000000},
	{"claude-sonnet-5-5", 2, 0.1, 10, 1000000},
	{NULL, 0, 0, 0, 0},
};

static const struct price_row gemini[] = {
	{"gemini-2.5-flash", 0.3, 0.03, 2.5, 1048576},
	{"gemini-2.5-flash-lite", 0.1, 0.01, 0.4, 1048576},
	{"gemini-2.5-pro", 1.25, 0.125, 10, 1048576},
	{"gemini-3-flash-preview", 0.5, 0.05, 3, 1048576},
	{"gemini-3.1-flash-lite", 0.25, 0.025, 1.5, 1048576},
	{"gemini-3.1-pro-preview", 2, 0.2, 12, 1048576},
	{"gemini-3.1-pro-preview-customtools", 2, 0.2, 12, 1048576},
	{"gemini-3.5-flash", 1.5, 0.15, 9, 1048576},
	{"gemini-3.5-flash-lite", 0.3, 0.03, 2.5, 1048576},
	{"gemini-3.6-flash", 0.75, 0.075, 3.75, 1048576},
	{"gemini-3.7-flash", 0.75, 0.075, 3.75, 1048576},
	{"gemini-3.8-flash", 0.75, 0.075, 3.75, 1048576},
	{"gemini-4-argon", 2, 0.1, 10, 1048576},
	{"gemini-4-hydrogen", 1.5, 0.075, 7.5, 1048576},
	{"gemini-flash", 0.75, 0.075, 3.75, 1048576},
	{"gemini-flash-lite", 0.3, 0.03, 2.5, 1048576},
	{"gemini-omni-1.1-flash", 1.5, 1.5, 9, 131072},
	{"gemini-omni-1.2-flash", 1.5, 1.5, 9, 131072},
	{"gemini-pro", 2, 0.2, 12, 1048576},
	{NULL, 0, 0, 0, 0},
};

static const struct price_row deepseek[] = {
	{"deepseek-coder", 0.14, 0.014, 0.28, 128000},
	{"deepseek-flash", 0.3, 0.006, 1.2, 1000000},
	{"deepseek-r1", 0.55, 0.14, 2.19, 65536},
	{"deepseek-v3", 0.27, 0.07, 1.1, 65536},
	{"deepseek-v3.2", 0.28, 0.028, 0.4, 163840},
	{"deepseek-v4-flash", 0.3, 0.006, 1.2, 1000000},
	{"deepseek-v4-pro", 1.32, 0.044, 3.96, 1000000},
	{NULL, 0, 0, 0, 0},
};

static const struct price_row mistral[] = {
	{"codestral", 0.3, 0.03, 0.9, 128000},
	{"codestral-mamba", 0.25, 0.025, 0.25, 256000},
	{"deepseek-v4-1-flash", 0.3, 0.007, 1.2, 1048576},
	{"devstral", 0.4, 0.04, 2, 256000},
	{"devstral-medium", 0.4, 0.04, 2, 256000},
	{"devstral-small", 0.1, 0.01, 0.3, 256000},
	{"glm-5-2", 1.4, 0.14, 4.4, 1048576},
	{"magistral-medium", 1.5, 0.15, 7.5, 262144},
	{"magistral-small", 0.15, 0.015, 0.6, 262144},
	{"ministral-14b", 0.2, 0.02, 0.2, 262144},
	{"ministral-3-14b", 0.2, 0.02, 0.2, 262144},
	{"ministral-3-3b", 0.1, 0.01, 0.1, 131072},
	{"ministral-3-8b", 0.15, 0.015, 0.15, 262144},
	{"ministral-3b", 0.1, 0.01, 0.1, 131072},
	{"ministral-8b", 0.15, 0.015, 0.15, 262144},
	{"mistral-code", 0.3, 0.03, 0.9, 128000},
	{"mistral-code-agent", 0.4, 0.04, 2, 256000},
	{"mistral-code-fim", 0.3, 0.03, 0.9, 128000},
	{"mistral-large", 0.5, 0.05, 1.5, 262144},
	{"mistral-large-3", 0.5, 0.05, 1.5, 262144},
	{"mistral-large-4", 0.7, 0.07, 2.1, 1048576},
	{"mistral-large-4-0", 0.7, 0.07, 2.1, 1048576},
	{"mistral-medium", 1.5, 0.15, 7.5, 262144},
	{"mistral-medium-3", 1.5, 0.15, 7.5, 262144},
	{"mistral-medium-3-5", 1.5, 0.15, 7.5, 262144},
	{"mistral-medium-3.5", 1.5, 0.15, 7.5, 262144},
	{"mistral-small", 0.1, 0.01, 0.3, 32000},
	{"mistral-small-2603", 0.15, 0.015, 0.6, 262144},
	{"mistral-small-latest", 0.15, 0.015, 0.6, 262144},
	{"mistral-tiny", 0.25, 0.025, 0.25, 32000},
	{"mistral-vibe-cli", 1.5, 0.15, 7.5, 262144},
	{"mistral-vibe-cli-fast", 0.15, 0.015, 0.6, 262144},
	{"mistral-vibe-cli-with-tools", 1.5, 0.15, 7.5, 262144},
	{"voxtral-small", 0.1, 0.01, 0.4, 32768},
	{"zai-glm", 1.4, 0.14, 4.4, 1048576},
	{"zai-glm-5", 1.4, 0.14, 4.4, 1048576},
	{"zai-glm-5-3", 1.4, 0.14, 4.4, 1048576},
	{"zai-glm-5-3-flash", 0.15, 0.03, 0.5, 1048576},
	{NULL, 0, 0, 0, 0},
};

static const struct price_row xai[] = {
	{"grok-4.20", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-0309-non-reasoning", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-0309-reasoning", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-multi-agent", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-non-reasoning", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-non-reasoning-gv2", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-reasoning", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.20-reasoning-gv2", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.3", 1.25, 0.2, 2.5, 1000000},
	{"grok-4.5", 2, 0.3, 6, 500000},
	{"grok-4.6", 2, 0.5, 6, 500000},
	{"grok-4.7", 2, 0.5, 6, 500000},
	{"grok-build", 2, 0.3, 6, 500000},
	{"grok-build-0.1", 1, 0.2, 2, 256000},
	{"grok-code-fast", 1, 0.2, 2, 256000},
	{"grok-code-fast-1", 1, 0.2, 2, 256000},
	{NULL, 0, 0, 0, 0},
};

static const struct price_row moonshot[] = {
	{"kimi-k2.6", 0.95, 0.16, 4, 262144},
	{"kimi-k2.7-code", 0.95, 0.19, 4, 262144},
	{"kimi-k3", 3, 0.3, 15, 1048576},
	{"kimi-k3.1-pro", 2, 0.2, 10, 1048576},
	{"kimi-k3.1-pro-highspeed", 4, 0.2, 20, 1048576},
	{NULL, 0, 0, 0, 0},
};

/* clang-format on */

static const struct {
	const char *host;
	const struct price_row *rows;
} providers[] = {
	{"api.openai.com", openai},
	{"api.anthropic.com", anthropic},
	{"generativelanguage.googleapis.com", gemini},
	{"api.deepseek.com", deepseek},
	{"api.mistral.ai", mistral},
	{"api.x.ai", xai},
	{"api.moonshot.ai", moonshot},
};

/* Whether a name ends like a pattern in which '#' is a digit. */
static bool price_ends_like(const char *name, const char *pattern)
{
	size_t n = strlen(name), size = strlen(pattern);
	for (size_t i = 0; n > size && i < size; i++) {
		char c = name[n - size + i];
		if (pattern[i] == '#' ? !isdigit((unsigned char)c) : c != pattern[i])
			return false;
	}
	return n > size;
}

/* How long a name is without its date. */
static size_t price_name_length(const char *name)
{
	static const char *const dates[] = {"-####-##-##", "-########", "-latest"};
	size_t n = strlen(name);
	for (size_t i = 0; i < ARRAY_SIZE(dates); i++)
		if (price_ends_like(name, dates[i]))
			return n - strlen(dates[i]);
	return n;
}

static const struct price_row *price_rows(const char *host)
{
	for (size_t i = 0; i < ARRAY_SIZE(providers); i++)
		if (strcmp(providers[i].host, host) == 0)
			return providers[i].rows;
	return NULL;
}

/* NULL: the model is not in the table. */
static const struct price_row *price_find_row(const char *host, const char *model)
{
	size_t undated = price_name_length(model);
	for (const struct price_row *row = price_rows(host); row && row->model; row++) {
		bool is_dated = strlen(row->model) == undated && strncmp(row->model, model, undated) == 0;
		if (is_dated || strcmp(row->model, model) == 0)
			return row;
	}
	return NULL;
}

bool price_find(const char *host, const char *model, struct price *ret_price)
{
	const struct price_row *row = price_find_row(host, model);
	if (row)
		*ret_price = (struct price){
			.input = row->input, .output = row->output, .cached = row->cached, .known = true};
	return row;
}

int64_t price_context(const char *host, const char *model)
{
	const struct price_row *row = price_find_row(host, model);
	return row ? row->context : 0;
}
