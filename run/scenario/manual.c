/* rondo-scenario(5) as scdoc reads it, from the tables that read scenario files. */
#include <string.h>

#include "run/run.h"
#include "run/scenario/scenario.h"

static const char opening[] =
	"rondo-scenario(5)\n\n"
	"# NAME\n\n"
	"rondo-scenario - a team and a task in one file\n\n"
	"# DESCRIPTION\n\n"
	"A scenario says who is in a team, what they shall do and when they stop. It is YAML, or\n"
	"JSON: at most 1 MiB, nested at most 64 deep, without anchors, aliases, tags and merge\n"
	"keys. Each key stands once; only *true* and *false* are truth values. An unknown key\n"
	"is an error with line and column; *rondo check* prints all of them, *rondo run* runs the\n"
	"scenario, *rondo schema* prints its JSON Schema for editors.\n\n"
	"*{{name}}* in a text stands for a parameter that the file declares; a brace of any other\n"
	"kind is text, and so is *\\\\{{name}}*, without its backslash. Files that\n"
	"*{file: PATH}* names are taken as they are; relative names begin where the scenario\n"
	"lies.\n\n"
	"The file _rondo.yaml_ at the root of a repository, which *rondo fix* reads, may have some\n"
	"of these keys, as they say: \"A repository may set it\". What it adds comes after what\n"
	"the user has set; what it proposes counts once the user agrees.\n\n"
	"# EXAMPLE\n\n"
	"```\n"
	"name: postfix\n"
	"task: \"Correct this program: ... {{trace}}\"\n"
	"parameters:\n"
	"  trace: \"\"\n"
	"agents:\n"
	"  bug_fixer:\n"
	"    type: coder\n"
	"    model: openai/gpt-5-mini\n"
	"    instructions: Reply with the whole program in one fenced block; say TERMINATE when it "
	"runs.\n"
	"  code_executor: executor\n"
	"team:\n"
	"  type: round_robin\n"
	"  participants: [bug_fixer, code_executor]\n"
	"  termination: {text_mention: TERMINATE}\n"
	"  max_turns: 8\n"
	"```\n\n";

/* Before and after the languages. */
static const char blocks[] =
	"# CODE BLOCKS\n\n"
	"An executor carries out the fenced blocks of what others say, in order, up to the first\n"
	"that fails. A block goes to a file of the workspace (*work\\_dir*) and is run by its\n"
	"language's program, in a process of its own; what is printed comes back in the order of\n"
	"printing, with the exit code: 124 where its time was over, 125 where it was cancelled, 128\n"
	"and the signal's number where one ended it. A first comment *# filename: NAME*, in\n"
	"whatever style the language has comments, names the file, which is kept; blank lines and\n"
	"a #! line may stand before it. Any other file of a block is gone when it has run.\n\n";

static const char untold[] =
	". A block of diff is always passed over. *policies* says otherwise. Blocks in any other\n"
	"language, in one that may not run, or without their closing fence are answered with why\n"
	"they do not run.\n\n"
	"A block without a language is taken by its #! line; else by the suffix of the file that it\n"
	"names; else for sh where its first word is pip, python, npm, node, pytest, apt, sh, bash,\n"
	"cd, ls, cat, mkdir, echo, export, git, make, curl or wget; else for Python where a line\n"
	"imports something, calls print, or opens a block of Python's. What is left is something to\n"
	"read.\n\n"
	"What pip installs in one block is there for those after it.\n\n";

/* What scdoc would take for markup. */
static void add_text(struct strbuf *sb, const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\`[]#~", *text))
			strbuf_addc(sb, '\\');
		strbuf_addc(sb, *text);
	}
}

static void add_languages(struct strbuf *sb, bool run)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_TEXT);
	executor_list_languages(run, &list);
	add_text(sb, list.text);
}

static const char *article(const char *noun)
{
	return strchr("aeiou", *noun) ? "an" : "a";
}

static void add_kind(struct strbuf *sb, const struct option *option)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *noun = option->family ? option->family->noun : "";
	if (option->kind == OPTION_CHILD)
		strbuf_addf(sb, "%s %s, see below", article(noun), noun);
	else if (option->kind == OPTION_CHILDREN)
		strbuf_addf(sb, "%s %s or a list of them, see below", article(noun), noun);
	else if (option->kind == OPTION_MAP)
		strbuf_addf(sb, "each name with its %s, see below", noun);
	else
		add_text(sb, option->from_file ? "a text or {file: PATH}" : option_meaning(option, &arena));
}

/* What the rondo.yaml of a repository may do with the key. */
static const char *right_of(const struct option *option)
{
	switch (option->right) {
	case OPTION_REFUSED:
		return "";
	case OPTION_MAY_SET:
		return option->kind == OPTION_STRINGS ? ". A repository may add to it"
											  : ". A repository may set it";
	case OPTION_MAY_PROPOSE:
		return ". A repository may propose it";
	case OPTION_MAY_RAISE:
		return option->kind == OPTION_BOOL ? ". A repository may set it to true"
										   : ". A repository may raise it";
	case OPTION_MAY_NAME_PATHS:
		return option->kind == OPTION_STRINGS
			? ". A repository may add what lies inside of it"
			: ". A repository may set it to what lies inside of it";
	}
	return "";
}

static void add_option(struct strbuf *sb, const struct option *option, const char *prefix)
{
	strbuf_addf(sb, "*%s", prefix);
	add_text(sb, option->name);
	strbuf_addc(sb, '*');
	for (const char *const *alias = option->aliases; alias && *alias; alias++) {
		strbuf_adds(sb, *alias == option->aliases[0] ? " (also " : ", ");
		add_text(sb, *alias);
		if (!alias[1])
			strbuf_addc(sb, ')');
	}
	strbuf_adds(sb, "\n\t");
	add_text(sb, option->help);
	strbuf_adds(sb, "; ");
	add_kind(sb, option);
	if (option->fallback) {
		strbuf_adds(sb, " (default: ");
		add_text(sb, *option->fallback ? option->fallback : "\"\"");
		strbuf_addc(sb, ')');
	}
	if (option->required)
		strbuf_adds(sb, ". Must be given");
	strbuf_adds(sb, right_of(option));
	strbuf_adds(sb, ".\n\n");
}

static void add_table(struct strbuf *sb, const struct option *table, const char *prefix)
{
	for (const struct option *option = table; option && option->name; option++) {
		add_option(sb, option, prefix);
		if (option->kind != OPTION_SECTION)
			continue;
		AUTO_STRBUF inner = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&inner, "%s%s.", prefix, option->name);
		add_table(sb, option->table, inner.text);
	}
}

static void add_heading(struct strbuf *sb, const char *plural)
{
	strbuf_adds(sb, "# ");
	for (; *plural; plural++)
		strbuf_addc(sb, *plural >= 'a' && *plural <= 'z' ? (char)(*plural - 'a' + 'A') : *plural);
	strbuf_adds(sb, "\n\n");
}

/* How a thing may be written, by what its family allows. */
static void add_forms(struct strbuf *sb, const struct option_family *family)
{
	if (!family->type_key)
		return;
	strbuf_addf(sb,
		"%s %s is written with all its keys (*{%s: NAME, ...}*), with its type as the key (*{NAME: "
		"{...}}*, or "
		"*{NAME: VALUE}* for its first option), or as its bare name.\n\n",
		*article(family->noun) && article(family->noun)[1] ? "An" : "A", family->noun,
		family->type_key);
}

static void add_family(struct strbuf *sb, const struct run_family *row)
{
	struct option_type type;
	add_heading(sb, row->plural);
	add_text(sb, row->summary);
	strbuf_adds(sb, ".\n\n");
	add_forms(sb, row->family);
	if (row->family->common && row->family->type_key)
		strbuf_adds(sb, "Each may have:\n\n");
	add_table(sb, row->family->common, "");
	for (size_t i = 0; (type = row->family->type(i)).name; i++) {
		if (row->family->type_key) {
			strbuf_adds(sb, "## ");
			add_text(sb, type.name);
			strbuf_adds(sb, "\n\n");
			add_text(sb, type.summary);
			strbuf_adds(sb, ".\n\n");
		}
		add_table(sb, type.options, "");
	}
}

void run_manual(struct strbuf *sb)
{
	strbuf_adds(sb, opening);
	strbuf_adds(sb, "# KEYS\n\n");
	add_table(sb, scenario_keys, "");
	for (const struct run_family *row = run_families; row->plural; row++)
		if (!row->family->only_named)
			add_family(sb, row);
	strbuf_adds(sb, blocks);
	strbuf_adds(sb, "These languages run: ");
	add_languages(sb, true);
	strbuf_adds(sb, "; and what *languages* adds. Blocks of these are saved where they name a\n"
					"file, and else passed over: ");
	add_languages(sb, false);
	strbuf_adds(sb, untold);
	strbuf_adds(sb, "# SEE ALSO\n\n*rondo*(1)\n");
}
