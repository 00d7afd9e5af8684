#include "base/secrets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

#define SUFFIX "_API_KEY"
#define LARGEST_FILE ((size_t)1 << 20)
#define SHORTEST_KEY 8 /* what is shorter stands in ordinary text, too */

extern char **environ;

/* What may stand beside the keys in a file. */
static const char *const settings[] = {"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL",
	"AZURE_OPENAI_ENDPOINT", "DAYTONA_API_URL", "DAYTONA_TARGET"};

const char *secrets_get(const struct secrets *secrets, const char *name)
{
	for (size_t i = 0; secrets && i < secrets->n; i++)
		if (strcmp(secrets->names[i], name) == 0)
			return secrets->values[i];
	return NULL;
}

static const char *setting_of_file(const struct secrets *secrets, const char *name)
{
	for (size_t i = 0; secrets && i < secrets->n_settings; i++)
		if (strcmp(secrets->settings[i], name) == 0)
			return secrets->set[i];
	return NULL;
}

const char *secrets_setting(const struct secrets *secrets, const char *name, const char *key)
{
	const char *own = getenv(name), *said = setting_of_file(secrets, name);
	size_t i = 0, n = secrets ? secrets->n : 0;
	while (i < n && strcmp(secrets->names[i], key) != 0)
		i++;
	own = own && *own ? own : NULL;
	if (i < n && i < secrets->n_environment)
		return own;
	return i < n && said ? said : own ? own : said;
}

static void add_setting(
	struct secrets *secrets, const char *name, const char *value, struct arena *arena)
{
	size_t n = secrets->n_settings;
	for (size_t i = 0; *value && i < ARRAY_SIZE(settings); i++)
		if (strcmp(name, settings[i]) == 0) {
			ARENA_PUSH(arena, secrets->settings, n, settings[i]);
			ARENA_PUSH(arena, secrets->set, secrets->n_settings, arena_strdup(arena, value));
		}
}

static void add(struct secrets *secrets, const char *name, const char *value, struct arena *arena)
{
	size_t n = secrets->n;
	if (!*value || !text_ends_with(name, SUFFIX) || secrets_get(secrets, name))
		return;
	ARENA_PUSH(arena, secrets->names, n, arena_strdup(arena, name));
	ARENA_PUSH(arena, secrets->values, secrets->n, arena_strdup(arena, value));
}

void secrets_from_environment(struct secrets *secrets, struct arena *arena)
{
	for (char **entry = environ; entry && *entry; entry++) {
		const char *equals = strchr(*entry, '=');
		if (equals)
			add(secrets, arena_strndup(arena, *entry, (size_t)(equals - *entry)), equals + 1,
				arena);
	}
	secrets->n_environment = secrets->n;
}

const char *const *secrets_free_environment(struct arena *arena)
{
	const char **rest = NULL;
	size_t n = 0;
	for (char **entry = environ; entry && *entry; entry++)
		if (!text_ends_with(arena_strndup(arena, *entry, strcspn(*entry, "=")), SUFFIX))
			ARENA_PUSH(arena, rest, n, *entry);
	ARENA_PUSH(arena, rest, n, NULL);
	return rest;
}

static char *trim(char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* What stands in quotes is taken as it is; else a comment ends it. */
static const char *unquote(char *value)
{
	size_t n = strlen(value);
	char *end = n > 1 && (*value == '"' || *value == '\'') ? strchr(value + 1, *value) : NULL;
	if (end) {
		*end = '\0';
		return value + 1;
	}
	char *comment = strstr(value, " #");
	if (comment)
		*comment = '\0';
	return trim(value);
}

static int read_line(
	struct secrets *secrets, char *line, struct arena *arena, struct rondo_error *err)
{
	char *name = trim(line);
	if (!*name || *name == '#')
		return 0;
	if (text_starts_with(name, "export "))
		name = trim(name + strlen("export "));
	char *equals = strchr(name, '=');
	if (!equals)
		return error_set(err, RONDO_ERROR_USAGE, "a line must be NAME=VALUE");
	*equals = '\0';
	const char *value = unquote(trim(equals + 1));
	add(secrets, trim(name), value, arena);
	add_setting(secrets, trim(name), value, arena);
	return 0;
}

/* Whoever can read it can spend what the key pays for; whoever owns it has chosen the keys. */
static int check_mode(
	struct secrets *secrets, const char *path, struct arena *arena, struct rondo_error *err)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot open '%s'", path);
	unsigned mode = (unsigned)st.st_mode & 0777U;
	if (!(mode & (S_IRWXG | S_IRWXO)))
		return 0;
	if (st.st_uid == geteuid()) {
		secrets->warning = arena_printf(arena,
			"'%s' holds keys, and others may read it (mode %03o): chmod 600 %s", path, mode, path);
		return 0;
	}
	error_set(
		err, RONDO_ERROR_USAGE, "'%s' holds keys, and others may read it (mode %03o)", path, mode);
	return error_help(err, "chmod 600 %s", path);
}

int secrets_from_file(
	struct secrets *secrets, const char *path, struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_FILE);
	if (check_mode(secrets, path, arena, err) < 0 || file_read(path, LARGEST_FILE, &text, err) < 0)
		return -1;
	char *at = text.text;
	for (int number = 1; *at; number++) {
		size_t n = strcspn(at, "\n");
		char *next = at + n + (at[n] == '\n');
		at[n] = '\0';
		/* The line itself is not shown: it may be a key. */
		if (read_line(secrets, at, arena, err) < 0)
			return error_prefix(err, "%s:%d", path, number);
		at = next;
	}
	return 0;
}

/* The longest key that begins at `text`, or secrets->n. */
static size_t key_at(const struct secrets *secrets, const char *text, size_t n)
{
	size_t best = secrets->n, longest = SHORTEST_KEY - 1;
	for (size_t i = 0; i < secrets->n; i++) {
		size_t size = strlen(secrets->values[i]);
		if (size > longest && size <= n && memcmp(secrets->values[i], text, size) == 0) {
			best = i;
			longest = size;
		}
	}
	return best;
}

/* Whether the text is the beginning of a key, and not all of it. */
static bool begins_key(const struct secrets *secrets, const char *text, size_t n)
{
	for (size_t i = 0; i < secrets->n; i++) {
		size_t size = strlen(secrets->values[i]);
		if (size >= SHORTEST_KEY && size > n && memcmp(secrets->values[i], text, n) == 0)
			return true;
	}
	return false;
}

/* The bytes that keys begin with: most of a text is none of them. */
struct beginnings {
	bool have[256];
};

static struct beginnings beginnings_of(const struct secrets *secrets)
{
	struct beginnings beginnings = {{false}};
	for (size_t i = 0; i < secrets->n; i++)
		beginnings.have[(unsigned char)secrets->values[i][0]] = true;
	return beginnings;
}

static size_t next_beginning(
	const struct beginnings *beginnings, const char *text, size_t at, size_t n)
{
	while (at < n && !beginnings->have[(unsigned char)text[at]])
		at++;
	return at;
}

size_t secrets_whole(const struct secrets *secrets, const char *text, size_t n)
{
	if (!secrets || !secrets->n)
		return n;
	const struct beginnings beginnings = beginnings_of(secrets);
	for (size_t at = 0; (at = next_beginning(&beginnings, text, at, n)) < n;) {
		if (begins_key(secrets, text + at, n - at))
			return at;
		size_t found = key_at(secrets, text + at, n - at);
		at += found == secrets->n ? 1 : strlen(secrets->values[found]);
	}
	return n;
}

void secrets_redact(const struct secrets *secrets, struct strbuf *sb, const char *text, size_t n)
{
	size_t plain = 0;
	if (!secrets || !secrets->n) {
		strbuf_add(sb, text, n);
		return;
	}
	const struct beginnings beginnings = beginnings_of(secrets);
	for (size_t at = 0; (at = next_beginning(&beginnings, text, at, n)) < n;) {
		size_t found = key_at(secrets, text + at, n - at);
		if (found == secrets->n) {
			at++;
			continue;
		}
		strbuf_add(sb, text + plain, at - plain);
		strbuf_addf(sb, "[%s]", secrets->names[found]);
		at += strlen(secrets->values[found]);
		plain = at;
	}
	strbuf_add(sb, text + plain, n - plain);
}

const char *secrets_redacted(const struct secrets *secrets, const char *text, struct arena *arena)
{
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_RECORD);
	if (!text || !secrets || !secrets->n)
		return text;
	secrets_redact(secrets, &clean, text, strlen(text));
	return strcmp(clean.text, text) == 0 ? text : arena_strndup(arena, clean.text, clean.length);
}
