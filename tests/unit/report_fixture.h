/* The report of a verified fix, put together stage by stage. */
#pragma once
#include "run/run.h"

struct stages {
	struct site_facts site;
	struct baseline_facts baseline;
	struct talk_facts talk;
	struct verdict_facts verdict;
	struct run_change change;
	struct publication publication;
	struct run_report report;
};

/* Their report, which lives as long as they do. */
static const struct run_report *report_of(struct stages *stages)
{
	struct run_report *report = &stages->report;
	report->site = &stages->site;
	report->baseline = &stages->baseline;
	report->talk = &stages->talk;
	report->verdict = &stages->verdict;
	report->change = &stages->change;
	report->publication = &stages->publication;
	return report;
}
