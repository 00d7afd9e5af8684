/* Outcomes for people. */
#include "run/report/html/html.h"

static const struct {
	const char *word, *text, *class;
} outcomes[] = {
	{"verified", "Verified", "good"},
	{"verified_in_part", "Verified in part", "part"},
	{"nothing_fails", "Nothing fails", "good"},
	{"tests_fail", "Tests fail", "bad"},
	{"dry_run", "Dry run", "idle"},
	{"not_fixed", "Not fixed", "bad"},
	{"not_verified", "Not verified", "bad"},
	{"refused", "Refused", "bad"},
	{"environment_broken", "The environment is broken", "bad"},
	{"suite_broken", "The test suite is broken", "bad"},
	{"only_flaky", "Only flaky tests fail", "idle"},
	{"done", "Done", "good"},
	{"stopped", "Stopped", "idle"},
	{"assert_failed", "An assertion failed", "bad"},
	{"error", "An error ended the run", "bad"},
	{"running", "Still running", "idle"},
	{"broke off", "Broke off", "bad"},
};

const char *html_outcome(const char *word, const char **ret_class)
{
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
		if (strcmp(outcomes[i].word, word) != 0)
			continue;
		*ret_class = outcomes[i].class;
		return outcomes[i].text;
	}
	*ret_class = "idle";
	return word;
}
