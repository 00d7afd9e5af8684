/*
 * What a scenario says must hold when it has ended, which makes it a test of itself. Inside run/
 * only.
 */
#pragma once
#include "base/option.h"
#include "chat/message_thread.h"

/* What a run came to, as assertions see it; members that do not apply are NULL. */
struct assertion_facts {
	struct message_span messages;
	const char *stop_reason;
	int last_exit_code; /* of the last code that ran; -1: none did */
	bool tests_pass;    /* the gate's word, or where there is none the tester's */
	const char *files;  /* the directory of the files as they were left */
};

extern const struct option_family assertion_family;

/* Each that does not hold appends a line to `why`. Gives how many there are. */
size_t assertions_check(
	const struct option_specs *specs, const struct assertion_facts *facts, struct strbuf *why);

/* What is wrong with one as it stands in the file. */
int assertion_check(const struct option_spec *spec, struct rondo_error *err);
