#include "base/option.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LARGEST 1e15 /* from here on, %.15g prints what parse_quantity does not read */

struct unit {
	const char *name;
	double factor;
};

static const struct unit duration_units[] = {
	{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000}, {NULL, 0}};
static const struct unit byte_units[] = {
	{"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {NULL, 0}};
static const struct unit money_units[] = {{"", 1}, {"USD", 1}, {NULL, 0}};
static const struct unit plain_units[] = {{"", 1}, {NULL, 0}};

static const struct {
	const char *meant;
	const struct unit *units; /* NULL: not a quantity */
} kinds[OPTION_KINDS] = {
	[OPTION_BOOL] = {"true or false", NULL},
	[OPTION_INT] = {"a whole number", plain_units},
	[OPTION_NUMBER] = {"a number", plain_units},
	[OPTION_DURATION] = {"a duration such as 90s or 5m", duration_units},
	[OPTION_BYTES] = {"a size such as 512K or 64M", byte_units},
	[OPTION_MONEY] = {"an amount in USD such as 0.50", money_units},
	[OPTION_ENUM] = {NULL, NULL},
	[OPTION_STRING] = {"a text", NULL},
	[OPTION_STRINGS] = {"a list of texts", NULL},
	[OPTION_SETTING] = {"true or false", NULL}, /* only a flag can be wrong */
	[OPTION_TEXTS] = {"texts by name", NULL},
	[OPTION_SECTION] = {"a section of keys", NULL},
	[OPTION_REF] = {"a name", NULL},
	[OPTION_REFS] = {"a list of names", NULL},
	[OPTION_CHILD] = {"a section of keys", NULL},
	[OPTION_CHILDREN] = {"a list", NULL},
	[OPTION_MAP] = {"sections by name", NULL},
};

/* Digits, perhaps a fraction, perhaps a unit right after. Nothing else that strtod takes. */
static bool parse_quantity(const char *text, const struct unit *units, double *value)
{
	const char *at = text + (*text == '-');
	size_t digits = strspn(at, "0123456789");
	size_t fraction = at[digits] == '.' ? 1 + strspn(at + digits + 1, "0123456789") : 0;
	if (!digits || fraction == 1 || digits + fraction > 18)
		return false;
	for (const struct unit *unit = units; unit->name; unit++) {
		if (strcmp(at + digits + fraction, unit->name) != 0)
			continue;
		*value = strtod(text, NULL) * unit->factor;
		return true;
	}
	return false;
}

bool option_is_named(const struct option *option, const char *name)
{
	bool same = strcmp(option->name, name) == 0;
	for (const char *const *alias = option->aliases; !same && alias && *alias; alias++)
		same = strcmp(*alias, name) == 0;
	return same;
}

const struct option *option_named(const struct option *table, const char *name)
{
	while (table && table->name && !option_is_named(table, name))
		table++;
	return table && table->name ? table : NULL;
}

const char *option_meaning(const struct option *option, struct arena *arena)
{
	if (option->kind != OPTION_ENUM)
		return kinds[option->kind].meant;
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	for (const char *const *value = option->values; *value; value++)
		strbuf_addf(&list, "%s%s", value == option->values ? "one of " : ", ", *value);
	return arena_strdup(arena, list.text);
}

bool option_strings_have(const struct option_strings *strings, const char *text)
{
	for (size_t i = 0; i < strings->n; i++)
		if (strcmp(strings->items[i], text) == 0)
			return true;
	return false;
}

const struct option *option_main(const struct option *table)
{
	while (table->name && !table->main)
		table++;
	return table->name ? table : NULL;
}

static int wrong(const struct option *option, const char *text, struct rondo_error *err)
{
	return error_set(err, RONDO_ERROR_USAGE, "%s must be %s, found '%s'", option->name,
		kinds[option->kind].meant, text);
}

static void print_quantity(const struct unit *units, double value, struct strbuf *sb)
{
	const struct unit *best = units;
	for (const struct unit *unit = units; unit->name; unit++)
		if (unit->factor >= best->factor && fmod(value, unit->factor) == 0 && value != 0)
			best = unit;
	strbuf_addf(sb, "%.15g%s", value / best->factor, best->factor == 1000 ? "s" : best->name);
}

/* A bound as its option is written: 1ms, 64K. */
static void print_bound(const struct option *option, double value, struct strbuf *sb)
{
	bool in_units = option->kind == OPTION_DURATION || option->kind == OPTION_BYTES;
	if (in_units && value != 0)
		print_quantity(kinds[option->kind].units + (option->kind == OPTION_DURATION), value, sb);
	else
		strbuf_addf(sb, "%.15g", value);
}

static int out_of_range(const struct option *option, const char *text, struct rondo_error *err)
{
	AUTO_STRBUF least = STRBUF_INIT(STRBUF_LINE), most = STRBUF_INIT(STRBUF_LINE);
	print_bound(option, option->least, &least);
	print_bound(option, option->most, &most);
	if (option->most > 0 && option->least == option->most)
		return error_set(
			err, RONDO_ERROR_USAGE, "%s must be %s, found '%s'", option->name, least.text, text);
	if (option->most > 0)
		return error_set(err, RONDO_ERROR_USAGE, "%s must be between %s and %s, found '%s'",
			option->name, least.text, most.text, text);
	return error_set(err, RONDO_ERROR_USAGE, "%s must be at least %s, found '%s'", option->name,
		least.text, text);
}

static int set_quantity(
	const struct option *option, void *member, const char *text, struct rondo_error *err)
{
	double value = 0;
	bool whole = option->kind != OPTION_NUMBER && option->kind != OPTION_MONEY;
	if (!parse_quantity(text, kinds[option->kind].units, &value) || fabs(value) >= LARGEST)
		return wrong(option, text, err);
	if (whole && option->kind != OPTION_DURATION && value != floor(value))
		return wrong(option, text, err);
	if (value < option->least || (option->most > 0 && value > option->most))
		return out_of_range(option, text, err);
	if (whole)
		*(int64_t *)member = (int64_t)llround(value);
	else
		*(double *)member = value;
	return 0;
}

static int set_enum(
	const struct option *option, const char **member, const char *text, struct rondo_error *err)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	size_t n = 0;
	for (const char *const *value = option->values; *value; value++, n++) {
		strbuf_addf(&list, "%s%s", n ? ", " : "", *value);
		if ((option->any_case ? strcasecmp : strcmp)(*value, text) == 0) {
			*member = *value;
			return 0;
		}
	}
	const char *near = text_nearest(text, option->values, n);
	return error_set(err, RONDO_ERROR_USAGE, "%s must be one of %s, found '%s'%s%s%s", option->name,
		list.text, text, TEXT_HINT(near));
}

static int set_bool(
	const struct option *option, bool *member, const char *text, struct rondo_error *err)
{
	bool yes = strcmp(text, "true") == 0;
	if (!yes && strcmp(text, "false") != 0)
		return wrong(option, text, err);
	*member = yes;
	return 0;
}

/* A flag that sets another value than true: none where it is false. */
static int add_setting(const struct option *option, struct option_settings *settings,
	struct arena *arena, const char *text, struct rondo_error *err)
{
	const char *equals = strchr(option->key, '=');
	bool is_set = true;
	if (equals && set_bool(option, &is_set, text, err) < 0)
		return -1;
	struct option_setting setting = {.option = option->name,
		.key = arena_strndup(arena, option->key, strcspn(option->key, "=")),
		.value = arena_strdup(arena, equals ? equals + 1 : text)};
	if (is_set)
		ARENA_PUSH(arena, settings->items, settings->n, setting);
	return 0;
}

int option_set(const struct option *option, void *state, struct arena *arena, const char *text,
	struct rondo_error *err)
{
	void *member = (char *)state + option->offset;
	if (option->check && option->check(text, err) < 0)
		return -1;
	switch (option->kind) {
	case OPTION_BOOL:
		return set_bool(option, member, text, err);
	case OPTION_INT:
	case OPTION_NUMBER:
	case OPTION_DURATION:
	case OPTION_BYTES:
	case OPTION_MONEY:
		return set_quantity(option, member, text, err);
	case OPTION_ENUM:
		return set_enum(option, member, text, err);
	case OPTION_STRING:
		*(const char **)member = arena_strdup(arena, text);
		return 0;
	case OPTION_STRINGS: {
		struct option_strings *strings = member;
		ARENA_PUSH(arena, strings->items, strings->n, arena_strdup(arena, text));
		return 0;
	}
	case OPTION_SETTING:
		return add_setting(option, member, arena, text, err);
	case OPTION_REF:
		((struct option_ref *)member)->name = arena_strdup(arena, text);
		return 0;
	case OPTION_REFS: {
		struct option_refs *refs = member;
		ARENA_PUSH(
			arena, refs->items, refs->n, (struct option_ref){.name = arena_strdup(arena, text)});
		return 0;
	}
	case OPTION_TEXTS:
	case OPTION_SECTION:
	case OPTION_CHILD:
	case OPTION_CHILDREN:
	case OPTION_MAP:
	case OPTION_KINDS:
		break;
	}
	return wrong(option, text, err);
}

void option_defaults(const struct option *table, void *state, struct arena *arena)
{
	for (const struct option *option = table; option && option->name; option++) {
		struct rondo_error err;
		if (option->kind == OPTION_SECTION)
			option_defaults(option->table, (char *)state + option->offset, arena);
		if (option->fallback && option_set(option, state, arena, option->fallback, &err) < 0)
			abort(); /* a default that its own table refuses is a bug, met by every test */
	}
}

const struct option *option_find(
	const struct option *table, const char *name, const char *what, struct rondo_error *err)
{
	const char *names[64];
	size_t n = 0;
	for (const struct option *option = table; option->name; option++) {
		if (strcmp(option->name, name) == 0)
			return option;
		if (n < ARRAY_SIZE(names))
			names[n++] = option->name;
	}
	const char *near = text_nearest(name, names, n);
	error_set(err, RONDO_ERROR_USAGE, "unknown %s '%s'%s%s%s", what, name, TEXT_HINT(near));
	return NULL;
}

/* Without an exponent, which no option takes. */
static void print_number(double value, struct strbuf *sb)
{
	char text[32];
	if (value == 0 || fabs(value) >= 1e-4) {
		strbuf_addf(sb, "%.15g", value);
		return;
	}
	size_t n = (size_t)snprintf(text, sizeof text, "%.15f", value);
	while (text[n - 1] == '0')
		n--;
	strbuf_add(sb, text, n - (text[n - 1] == '.'));
}

void option_print(const struct option *option, const void *state, struct strbuf *sb)
{
	const void *member = (const char *)state + option->offset;
	switch (option->kind) {
	case OPTION_BOOL:
		strbuf_adds(sb, *(const bool *)member ? "true" : "false");
		break;
	case OPTION_INT:
		strbuf_addf(sb, "%" PRId64, *(const int64_t *)member);
		break;
	case OPTION_NUMBER:
	case OPTION_MONEY:
		print_number(*(const double *)member, sb);
		break;
	case OPTION_DURATION:
	case OPTION_BYTES:
		print_quantity(kinds[option->kind].units + (option->kind == OPTION_DURATION),
			(double)*(const int64_t *)member, sb);
		break;
	case OPTION_ENUM:
	case OPTION_STRING: {
		const char *text = *(const char *const *)member;
		strbuf_adds(sb, text ? text : "");
		break;
	}
	case OPTION_STRINGS: {
		const struct option_strings *strings = member;
		strbuf_add_list(sb, strings->items, strings->n);
		break;
	}
	case OPTION_REF: {
		const struct option_ref *ref = member;
		strbuf_adds(sb, ref->name ? ref->name : "");
		break;
	}
	case OPTION_REFS: {
		const struct option_refs *refs = member;
		for (size_t i = 0; i < refs->n; i++)
			strbuf_addf(sb, "%s%s", i ? ", " : "", refs->items[i].name);
		break;
	}
	case OPTION_SETTING:
	case OPTION_TEXTS:
	case OPTION_SECTION:
	case OPTION_CHILD:
	case OPTION_CHILDREN:
	case OPTION_MAP:
	case OPTION_KINDS:
		break;
	}
}

/* What may be meant by a name that no type has: what it is called here, the likeliest, or all. */
static void option_type_add_hint(const struct option_family *family, const char *name,
	const char *const *names, size_t n, struct strbuf *sb)
{
	const char *near = text_nearest(name, names, n);
	for (const struct option_peer *peer = family->peers; peer && peer->theirs; peer++)
		if (strcasecmp(peer->theirs, name) == 0) {
			strbuf_addf(sb, ", which is '%s' here", peer->ours);
			return;
		}
	if (near)
		strbuf_addf(sb, "%s%s%s", TEXT_HINT(near));
	for (size_t i = 0; !near && i < n; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "; it must be one of ", names[i]);
}

struct option_type option_type_find(
	const struct option_family *family, const char *name, struct rondo_error *err)
{
	const char *names[64];
	size_t n = 0;
	struct option_type type;
	for (size_t i = 0; (type = family->type(i)).name; i++) {
		if (strcmp(type.name, name) == 0)
			return type;
		if (n < ARRAY_SIZE(names))
			names[n++] = type.name;
	}
	AUTO_STRBUF meant = STRBUF_INIT(STRBUF_LINE);
	option_type_add_hint(family, name, names, n, &meant);
	const char *key = family->type_key;
	error_set(err, RONDO_ERROR_USAGE, "unknown %s%s%s '%s'%s", family->noun, key ? " " : "",
		key ? key : "", name, meant.text);
	return (struct option_type){0};
}
