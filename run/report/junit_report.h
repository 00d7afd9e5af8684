/* What one run of a suite said, as JUnit XML: what Jenkins, GitLab and GitHub's actions read. */
#pragma once
#include "chat/test_report.h"

struct junit_facts {
	const char *name;  /* of the repository or program */
	const char *stage; /* "before", "after" */
	int64_t date_ms;
};

/* One testsuites element with one testsuite; appended. Output of tests is left out: the logs have
 * it. */
void junit_write(
	const struct test_report *report, const struct junit_facts *facts, struct strbuf *sb);
