#include "executors/sandbox/box.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#define SECURITY "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"
#define OR_LOCAL "; or --executor local, which isolates nothing"

static int64_t refusal_read_number(const char *path, const char *label)
{
	AUTO_STRBUF text = STRBUF_INIT(8192);
	struct rondo_error err;
	const char *at = file_read(path, 8192, &text, &err) < 0 ? NULL : strstr(text.text, label);
	return at ? strtoll(at + strlen(label), NULL, 10) : -1;
}

/* What refuses namespaces, by settings of the kernel: the first whose number matches. */
static const struct refusal {
	const char *path, *label;
	int64_t number;
	const char *why, *help;
} refusals[] = {
	{"/proc/sys/kernel/unprivileged_userns_clone", "", 0,
		"only root may make a user namespace: kernel.unprivileged_userns_clone is 0",
		"sudo sysctl -w kernel.unprivileged_userns_clone=1"},
	{"/proc/sys/user/max_user_namespaces", "", 0,
		"nobody may make a user namespace: user.max_user_namespaces is 0",
		"sudo sysctl -w user.max_user_namespaces=15000"},
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "", 1,
		"AppArmor refuses a user namespace: kernel.apparmor_restrict_unprivileged_userns is 1",
		"sudo apt-get install apparmor-profiles, or "
		"sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
	{"/proc/self/status", "\nSeccomp:", 2,
		"a seccomp filter around rondo refuses a user namespace, as containers have one",
		"start the container with " SECURITY},
};

/* What refused, if the message of bwrap or of the stage says that the kernel did. */
static const struct refusal *refusal_who_refused(const char *said)
{
	static const char *const words[] = {"amespace", "ermission denied", "not permitted",
		"No space left"};
	bool is_refused = false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		is_refused |= strstr(said, words[i]) != NULL;
	for (size_t i = 0; is_refused && i < ARRAY_SIZE(refusals); i++)
		if (refusal_read_number(refusals[i].path, refusals[i].label) == refusals[i].number)
			return &refusals[i];
	return NULL;
}

int refusal_explain(const char *said, struct rondo_error *err)
{
	const struct refusal *refusal = refusal_who_refused(said);
	if (strstr(said, "mount proc")) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"a box may have no /proc of its own, as in containers: %s", said);
		return error_help(
			err, "start the container with --security-opt systempaths=unconfined" OR_LOCAL);
	}
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s", refusal ? refusal->why : said);
	if (refusal)
		return error_help(err, "%s" OR_LOCAL, refusal->help);
	return error_help(err, "in a container: start it with " SECURITY OR_LOCAL);
}
