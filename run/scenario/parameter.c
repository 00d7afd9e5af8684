#include "run/scenario/parameter.h"

#include <ctype.h>
#include <string.h>

#include "run/scenario/scenario.h"

#define AT(member) offsetof(struct parameter, member)

static const char *const types[] = {"string", "int", "number", "bool", "duration", NULL};
static const enum option_kind kinds[] = {
	OPTION_STRING, OPTION_INT, OPTION_NUMBER, OPTION_BOOL, OPTION_DURATION};
static const char *const type_aliases[] = {"input_type", NULL};

static const struct option options[] = {
	OPTION("default", STRING, AT(fallback), "its value where none is given", .main = true),
	OPTION("type", ENUM, AT(type), "what its value must be", .values = types,
		.aliases = type_aliases, .fallback = "string"),
	OPTION("required", BOOL, AT(required), "whether -p must give it where there is no default",
		.fallback = "true"),
	OPTION("description", STRING, AT(description), "for people"),
	OPTION("options", STRINGS, AT(choices), "the only values that it may have"),
	OPTION_END,
};

static struct option_type type_at(size_t i)
{
	if (i)
		return (struct option_type){0};
	return (struct option_type){.name = "parameter",
		.summary = "a value that -p NAME=VALUE gives",
		.options = options,
		.state_size = sizeof(struct parameter)};
}

const struct option_family parameter_family = {.noun = "parameter", .type = type_at};

static size_t name_length(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '-')
		n++;
	return n;
}

static const char *hint(
	const struct option_specs *parameters, const char *name, struct arena *arena)
{
	const char **names = NULL;
	size_t n = 0;
	for (size_t i = 0; i < parameters->n; i++)
		ARENA_PUSH(arena, names, n, parameters->items[i].name);
	const char *near = text_nearest(name, names, n);
	return near ? arena_printf(arena, ", did you mean '%s'?", near) : "";
}

/* What is wrong with a value; NULL: nothing. */
static const char *fault(
	const struct parameter *declared, const char *name, const char *value, struct arena *arena)
{
	union {
		bool yes;
		int64_t whole;
		double number;
		const char *text;
	} ignored;
	struct rondo_error err;
	struct option option = {.name = name};
	for (size_t i = 0; types[i]; i++)
		if (strcmp(types[i], declared->type) == 0)
			option.kind = kinds[i];
	if (option.kind != OPTION_STRING)
		option.least = -1e15, option.most = 1e15;
	if (option_set(&option, &ignored, arena, value, &err) < 0)
		return arena_strdup(arena, err.message);
	if (!declared->choices.n || option_strings_have(&declared->choices, value))
		return NULL;
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_list(&list, declared->choices.items, declared->choices.n);
	return arena_printf(arena, "%s must be one of %s, found '%s'", name, list.text, value);
}

static const char *given_value(const struct option_strings *given, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = given->n; i-- > 0;) /* the last one counts */
		if (strncmp(given->items[i], name, n) == 0 && given->items[i][n] == '=')
			return given->items[i] + n + 1;
	return NULL;
}

static void set(const struct option_spec *spec, const struct option_strings *given, bool may_lack,
	struct arena *arena, struct problems *problems)
{
	struct parameter *parameter = spec->state;
	const char *value = given_value(given, spec->name), *why;
	struct option_place place =
		value ? place_whole(arena_printf(arena, "-p %s=%s", spec->name, value)) : spec->place;
	size_t n = name_length(spec->name);
	if (!n || spec->name[n])
		problems_add(problems, spec->place,
			"'%s' cannot name a parameter: letters, digits, _ and -", spec->name);
	if (!parameter) /* it is no declaration: that is a problem already */
		return;
	if (!value)
		value = parameter->fallback;
	if (!value && !parameter->required)
		value = "";
	else if (!value && !may_lack)
		problems_add(
			problems, place, "parameter '%s' needs a value: -p %s=VALUE", spec->name, spec->name);
	else if (value && (why = fault(parameter, spec->name, value, arena)))
		problems_add(problems, place, "%s", why);
	parameter->value = value;
}

/* -p must name what is declared. */
static void check_given(const struct option_specs *parameters, const struct option_strings *given,
	struct arena *arena, struct problems *problems)
{
	for (size_t i = 0; i < given->n; i++) {
		const char *text = given->items[i], *equals = strchr(text, '=');
		struct option_place place = place_whole(arena_printf(arena, "-p %s", text));
		const char *name = equals ? arena_strndup(arena, text, (size_t)(equals - text)) : NULL;
		if (!name)
			problems_add(problems, place, "a parameter is given as NAME=VALUE");
		else if (!scenario_find(parameters, name))
			problems_add(problems, place, "parameter '%s' is not declared%s", name,
				hint(parameters, name, arena));
	}
}

void parameters_set(const struct option_specs *parameters, const struct option_strings *given,
	bool may_lack, struct arena *arena, struct problems *problems)
{
	for (size_t i = 0; i < parameters->n; i++)
		set(&parameters->items[i], given, may_lack, arena, problems);
	check_given(parameters, given, arena, problems);
}

/* The length of a {{name}} at `at`, and its name; 0: there is none. */
static size_t read_braces(const char *at, const char **ret_name, size_t *ret_n)
{
	if (at[0] != '{' || at[1] != '{')
		return 0;
	const char *name = at + 2 + strspn(at + 2, " ");
	size_t n = name_length(name);
	const char *end = name + n + strspn(name + n, " ");
	if (!n || end[0] != '}' || end[1] != '}')
		return 0;
	*ret_name = name;
	*ret_n = n;
	return (size_t)(end + 2 - at);
}

/* What stands for one {{name}}, or NULL. Where nobody declares {{tests}} it stays: test.targeted
 * has it filled in later. */
static const char *value_of(const struct option_specs *parameters, const char *name,
	const struct option_place *place, struct arena *arena, struct problems *problems)
{
	const struct option_spec *spec = scenario_find(parameters, name);
	const struct parameter *parameter = spec ? spec->state : NULL;
	if (!spec && strcmp(name, "tests") == 0)
		return "{{tests}}";
	if (!spec)
		problems_add(problems, *place,
			"parameter '%s' is not declared%s; with a backslash before it {{%s}} is text", name,
			hint(parameters, name, arena), name);
	return parameter ? parameter->value : NULL;
}

/* Copy up to the next {{name}} that is no text, and give its length; 0: the end of the text.
 * `n_seen`: how many "{{" were passed. */
static size_t copy_text(
	const char **at, struct strbuf *text, const char **ret_name, size_t *ret_n, size_t *n_seen)
{
	for (size_t length; **at;) {
		bool is_text = **at == '\\' && (length = read_braces(*at + 1, ret_name, ret_n));
		if (is_text) {
			strbuf_add(text, *at + 1, length);
			*at += 1 + length;
			*n_seen += 1;
			continue;
		}
		*n_seen += text_starts_with(*at, "{{");
		if ((length = read_braces(*at, ret_name, ret_n)))
			return length;
		strbuf_addc(text, *(*at)++);
	}
	return 0;
}

const char *parameters_fill(const struct option_specs *parameters, const struct yaml_node *node,
	struct arena *arena, struct problems *problems)
{
	if (!strstr(node->text, "{{"))
		return node->text;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	bool known = true;
	const char *at = node->text, *name;
	for (size_t n, n_seen = 0, length; (length = copy_text(&at, &text, &name, &n, &n_seen));) {
		const struct option_place *place =
			n_seen <= node->n_braces ? &node->braces[n_seen - 1] : &node->place;
		const char *value =
			value_of(parameters, arena_strndup(arena, name, n), place, arena, problems);
		known = known && value;
		strbuf_adds(&text, value ? value : "");
		at += length;
	}
	return known ? arena_strdup(arena, text.text) : NULL;
}
