/* One component of AutoGen's: whether it is known, and what its keys say here. */
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "executors/executor.h"
#include "run/scenario/autogen.h"

/* --- Nodes --- */

struct yaml_node *autogen_node(
	struct autogen *autogen, enum yaml_kind kind, const struct yaml_node *at)
{
	struct yaml_node *node = arena_alloc(autogen->reader.arena, sizeof *node);
	*node = (struct yaml_node){
		.kind = kind,
		.text = "",
		.place = at->place,
		.key_line = at->place.line,
		.key_column = at->place.column,
	};
	return node;
}

void autogen_put(
	struct autogen *autogen, struct yaml_node *to, const char *key, const struct yaml_node *value)
{
	struct yaml_node *node = arena_memdup(autogen->reader.arena, value, sizeof *value);
	node->key = key;
	node->next = NULL;
	yaml_append(to, node);
}

void autogen_put_text(struct autogen *autogen, struct yaml_node *to, const char *key,
	const char *text, const struct yaml_node *at)
{
	struct yaml_node *node = autogen_node(autogen, YAML_SCALAR, at);
	node->text = text;
	autogen_put(autogen, to, key, node);
}

/* --- What is said of them --- */

void autogen_notice(struct autogen *autogen, const struct yaml_node *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	notices_addv(&autogen->notices, at->place, autogen->reader.arena, format, args);
	va_end(args);
}

/* A component has no counterpart. */
static void autogen_refuse(struct autogen *autogen, const struct yaml_node *node, const char *where)
{
	const struct yaml_node *provider = yaml_find(node, "provider");
	problems_add(autogen->reader.problems, provider->place,
		"component '%s' (%s) has no counterpart in rondo", provider->text, where);
}

/* --- Keys --- */

/* More than a default that says no. */
static bool is_given(const struct yaml_node *node)
{
	if (node->kind != YAML_SCALAR)
		return node->first;
	return !reader_is_nothing(node) && !(node->plain && strcmp(node->text, "false") == 0);
}

static const char *provider_of(const struct yaml_node *node)
{
	const struct yaml_node *provider = node->kind == YAML_MAP ? yaml_find(node, "provider") : NULL;
	return provider && provider->kind == YAML_SCALAR && !reader_is_nothing(provider)
		? provider->text
		: NULL;
}

/* The component that is held, or the first of them; else the key. */
static void refuse_key(struct autogen *autogen, const struct autogen_component *component,
	const struct yaml_node *node)
{
	const struct yaml_node *held = node->kind == YAML_LIST ? node->first : node;
	if (provider_of(held))
		autogen_refuse(autogen, held,
			arena_printf(autogen->reader.arena, "%s of %s", node->key, component->where));
	else
		problems_add(autogen->reader.problems, node->place,
			"'%s' of %s has no counterpart in rondo", node->key, component->where);
}

static void tell_unknown(struct autogen *autogen, const struct autogen_component *component,
	const struct yaml_node *node)
{
	const char **names = NULL;
	size_t n = 0;
	for (const struct autogen_key *key = component->part->keys; key->theirs; key++)
		ARENA_PUSH(autogen->reader.arena, names, n, key->theirs);
	const char *near = text_nearest(node->key, names, n);
	problems_add(autogen->reader.problems, yaml_key_place(node),
		"unknown key '%s' in the config of %s%s%s%s", node->key, component->where, TEXT_HINT(near));
}

static void take_key(struct autogen *autogen, const struct autogen_component *component,
	const struct yaml_node *node)
{
	const struct autogen_key *key = component->part->keys;
	while (key->theirs && strcmp(key->theirs, node->key) != 0)
		key++;
	if (!key->theirs)
		tell_unknown(autogen, component, node);
	else if (key->use == AUTOGEN_IS && node->kind == YAML_LIST &&
		!node->first) /* here that would mean: all */
		problems_add(autogen->reader.problems, node->place, "%s of %s is empty", node->key,
			component->where);
	else if (key->use == AUTOGEN_IS && !reader_is_nothing(node))
		autogen_put(autogen, component->made, key->ours, node);
	else if (key->use == AUTOGEN_UNUSED && is_given(node))
		autogen_notice(autogen, node, "%s of %s is not used%s%s", node->key, component->where,
			key->ours ? ": " : "", key->ours ? key->ours : "");
	else if (key->use == AUTOGEN_REFUSED && is_given(node))
		refuse_key(autogen, component, node);
}

static void take_keys(struct autogen *autogen, const struct autogen_component *component)
{
	for (const struct yaml_node *node = component->config->first; node; node = node->next)
		take_key(autogen, component, node);
	for (const struct autogen_key *key = component->part->keys; key->theirs; key++)
		if (key->use == AUTOGEN_NEEDED && !autogen_get(component, key->theirs))
			problems_add(autogen->reader.problems, component->config->place, "%s needs '%s'",
				component->where, key->theirs);
}

const struct yaml_node *autogen_get(const struct autogen_component *component, const char *key)
{
	const struct yaml_node *node = yaml_find(component->config, key);
	return node && !reader_is_nothing(node) ? node : NULL;
}

static const struct yaml_node *get_kind(struct autogen *autogen,
	const struct autogen_component *component, const char *key, enum yaml_kind kind,
	const char *meant)
{
	const struct yaml_node *node = autogen_get(component, key);
	if (!node || node->kind == kind)
		return node;
	reader_wrong_kind(&autogen->reader, node, key, meant);
	return NULL;
}

const struct yaml_node *autogen_text(
	struct autogen *autogen, const struct autogen_component *component, const char *key)
{
	return get_kind(autogen, component, key, YAML_SCALAR, "a single value");
}

const struct yaml_node *autogen_list(
	struct autogen *autogen, const struct autogen_component *component, const char *key)
{
	return get_kind(autogen, component, key, YAML_LIST, "a list");
}

/* --- The component itself --- */

static bool is_called(const struct autogen_part *part, const char *provider)
{
	for (const char *const *alias = part->aliases; alias && *alias; alias++)
		if (strcmp(*alias, provider) == 0)
			return true;
	return strcmp(part->provider, provider) == 0;
}

/* Whether its registry has the type; where the user names an executor, what the file says of it
 * only gives way. */
static bool has_type(const struct autogen *autogen, const struct autogen_part *part)
{
	struct rondo_error err;
	if (!part->family || (part->family == &executor_family && autogen->has_executor))
		return true;
	return option_type_find(part->family, part->type, &err).name;
}

/* What rondo has for it, or NULL, which is reported. */
static const struct autogen_part *find_part(struct autogen *autogen, const struct yaml_node *node,
	const char *where, const struct autogen_part *parts)
{
	const struct autogen_part *part = parts;
	while (part->provider && !is_called(part, provider_of(node)))
		part++;
	if (part->provider && has_type(autogen, part))
		return part;
	autogen_refuse(autogen, node, where);
	return NULL;
}

/* Configs of other versions may mean other things by the same keys. */
static bool check_version(
	struct autogen *autogen, const struct yaml_node *node, const struct autogen_part *part)
{
	const struct yaml_node *version = yaml_find(node, "component_version");
	const char *known = arena_printf(autogen->reader.arena, "%d", part->version);
	if (!version || reader_is_nothing(version))
		return true;
	if (version->kind != YAML_SCALAR)
		reader_wrong_kind(&autogen->reader, version, version->key, "a number");
	else if (strcmp(version->text, known) == 0)
		return true;
	else
		problems_add(autogen->reader.problems, version->place,
			"component '%s' is of version %s; rondo reads version %s, that of AutoGen 0.7.5",
			part->provider, version->text, known);
	return false;
}

static bool check_config(struct autogen *autogen, const struct yaml_node *node, const char *where)
{
	const struct yaml_node *config = yaml_find(node, "config");
	if (config && config->kind == YAML_MAP)
		return true;
	if (config)
		reader_wrong_kind(&autogen->reader, config,
			arena_printf(autogen->reader.arena, "the config of %s", where), "a section of keys");
	else
		problems_add(autogen->reader.problems, node->place, "%s needs 'config'", where);
	return false;
}

bool autogen_open(struct autogen *autogen, const struct yaml_node *node, const char *where,
	const struct autogen_part *parts, struct yaml_node *made,
	struct autogen_component *ret_component)
{
	if (!provider_of(node)) {
		reader_wrong_kind(
			&autogen->reader, node, where, "a component: {provider: ..., config: ...}");
		return false;
	}
	const struct autogen_part *part = find_part(autogen, node, where, parts);
	if (!part || !check_version(autogen, node, part) || !check_config(autogen, node, where))
		return false;
	struct autogen_component component = {part, yaml_find(node, "config"), where,
		made ? made : autogen_node(autogen, YAML_MAP, node)};
	if (part->family)
		autogen_put_text(autogen, component.made, part->family->type_key, part->type,
			yaml_find(node, "provider"));
	if (part->also)
		autogen_put_text(autogen, component.made, part->also, part->as, node);
	take_keys(autogen, &component);
	if (part->read)
		part->read(autogen, &component);
	*ret_component = component;
	return true;
}
