#!/bin/sh
test_description='a new type is one file and one word in a list; all lists of types have it'
. "$(dirname "$0")/lib.sh"

if [ ! "$TEST_LONG" ]; then
	skip_all='it builds the tree'
	test_done
fi

mode=$(basename "$RONDO_BUILD") rondo=$PWD/tree/build/$(basename "$RONDO_BUILD")/rondo

# add LIST HEADER TABLE...: puts the word "dummy" first in the list. The header keeps its date: only
# the files that have a table are compiled again, not half of the tree.
add() {
	list=$1 header=$2
	shift 2
	touch -r "$header" date && sed -i "s/^#define $list(_)/& _(dummy),/" "$header" &&
		grep -q "^#define $list(_) _(dummy)," "$header" && touch -r date "$header" && touch "$@"
}

check 'a copy of the tree, with what was built' '
	mkdir -p "tree/build/$mode" &&
	tar -C "$SOURCE" --exclude=./.git --exclude=./build --exclude=./tests -cf - . |
		tar -C tree -xf - &&
	tar -C "$RONDO_BUILD" --exclude=./tests --exclude=./installed --exclude="./librondo.*" -cf - . |
		tar -C "tree/build/$mode" -xf -
'

check 'an executor, a copy of local' '
	cd tree && sed "s/local/dummy/g" executors/local.c >executors/dummy.c &&
	add EXECUTOR_TYPES executors/executor.h executors/executor.c run/scenario/families.c
'

check 'an agent' '
	cd tree && cat >agents/dummy.c <<-\END &&
	#include "agents/agent.h"

	struct dummy {
		const char *text;
	};

	static const struct option options[] = {
		OPTION("text", STRING, offsetof(struct dummy, text), "what it says", .main = true,
			.fallback = "nothing"),
		OPTION_END,
	};

	static int dummy_on_messages(struct agent *agent, struct message_span unseen,
		struct arena *arena, struct response *response, const struct context *ctx,
		struct rondo_error *err)
	{
		(void)unseen, (void)arena, (void)ctx, (void)err;
		response->message.type = RONDO_MESSAGE_TEXT;
		response->message.content = ((const struct dummy *)agent->state)->text;
		return 0;
	}

	const struct agent_type dummy_agent = {
		.name = "dummy",
		.summary = "says one thing",
		.state_size = sizeof(struct dummy),
		.options = options,
		.on_messages = dummy_on_messages,
	};
	END
	add AGENT_TYPES agents/agent.h agents/agent.c
'

check 'a model' '
	cd tree && cat >models/dummy.c <<-\END &&
	#include "models/model.h"

	struct dummy {
		const char *name;
	};

	static const struct option options[] = {
		OPTION("model", STRING, offsetof(struct dummy, name), "its name", .main = true),
		OPTION_END,
	};

	static int dummy_complete(struct model *model, const struct model_request *request,
		struct arena *arena, struct model_reply *reply, const struct context *ctx,
		struct rondo_error *err)
	{
		(void)request, (void)ctx, (void)err;
		const struct dummy *dummy = model->state;
		*reply = (struct model_reply){.text = arena_printf(arena, "I am %s", dummy->name)};
		return 0;
	}

	const struct model_type dummy_model = {
		.name = "dummy",
		.summary = "says its name",
		.state_size = sizeof(struct dummy),
		.options = options,
		.is_free = true,
		.complete = dummy_complete,
	};
	END
	add MODEL_TYPES models/model.h models/model.c
'

# The guide has its own file and command.
check 'a termination: that of doc/extend.md' '
	cd tree && blocks extend.md c >termination/question.c &&
	touch -r termination/termination.h date &&
	blocks extend.md sh | grep "^sed" | sh && touch -r date termination/termination.h &&
	touch termination/termination.c
'

check 'a format, and a runner that prints it' '
	cd tree && cat >verify/suite/formats/dummy.c <<-\END &&
	#include <string.h>

	#include "verify/suite/format.h"

	static bool dummy_shows(const char *line)
	{
		return strncmp(line, "dummy ", strlen("dummy ")) == 0;
	}

	static void dummy_read_line(struct suite_reading *reading, const char *line)
	{
		bool passed = strcmp(line, "dummy light passed") == 0;
		if (dummy_shows(line))
			reading_add(reading, "light", passed ? TEST_PASSED : TEST_FAILED,
				passed ? NULL : "it is dark", NULL, 0);
	}

	static const char *dummy_finish(struct suite_reading *reading,
		const struct process_result *result)
	{
		(void)result;
		return reading->report->n ? NULL : "no test was run";
	}

	const struct format dummy_format = {
		.name = "dummy",
		.summary = "lines that begin with dummy",
		.shows = dummy_shows,
		.read_line = dummy_read_line,
		.finish = dummy_finish,
	};
	END
	cat >verify/suite/runners/dummy.c <<-\END &&
	#include "verify/suite/format.h"

	const struct suite_type dummy_suite = {
		.name = "dummy",
		.summary = "the script dummy.tests",
		.formats = (const struct format *const[]){&dummy_format, NULL},
		.command = "sh ./dummy.tests",
		.markers = (const char *const[]){"dummy.tests", NULL},
		.tests = (const char *const[]){"dummy.tests", NULL},
	};
	END
	add FORMATS verify/suite/format.h verify/suite/reading.c &&
	add SUITE_TYPES verify/suite/suite.h verify/suite/suite.c
'

check 'a rule and a mutation' '
	cd tree && cat >verify/guard/rules/dummy.c <<-\END &&
	#include "verify/guard/code.h"

	static bool dummy_occurs(const struct code *code, uint32_t i)
	{
		return code_is(code, i, "sun");
	}

	const struct guard_rule dummy_rule = {
		.name = "dummy",
		.summary = "the sun is too bright",
		.marks = true,
		.occurs = dummy_occurs,
		.occurs_at = " sun ",
	};
	END
	cat >repair/mutations/dummy.c <<-\END &&
	#include "repair/search.h"

	static void dummy_propose(struct site *site)
	{
		if (token_is(site->source, site->at, "moon"))
			propose_token(site, 1, "sun + 40");
	}

	MUTATION(dummy, .least = 1, .rank = CANDIDATE_OPERATOR);
	END
	add RULES verify/guard/guard.h verify/guard/guard.c &&
	add MUTATIONS repair/mutation.h repair/mutation.c
'

check 'a tool of rondo mcp, a copy of status' '
	cd tree && sed "s/status/dummy/g" run/mcp/tool_status.c >run/mcp/tool_dummy.c &&
	add MCP_TOOLS run/mcp/mcp.h run/mcp/tools.c
'

check 'all of them in one build' '
	cd tree && unset MAKEFLAGS MFLAGS MAKELEVEL && make MODE="$mode" BUILD="build/$mode"
'

check 'list and help have each type' '
	for kind in executor agent model runner format; do
		"$rondo" list ${kind}s | grep "^dummy  " &&
		"$rondo" help dummy | grep "^dummy, an* $kind: " || exit 1
	done &&
	"$rondo" list rules | grep "^dummy  *marks:  *the sun" &&
	"$rondo" list terminations | grep "^question  *an agent asks something$" &&
	"$rondo" help question | grep "^question, a termination: an agent asks something$" &&
	"$rondo" help dummy | grep "^  text  *what it says: "
'

check 'the schema, the man page and the completions have them' '
	"$rondo" schema >schema && python3 - <<-\END &&
	import json
	schema = json.load(open("schema"))
	def words(of):
	    if isinstance(of, dict):
	        return {of.get("const"), *of.get("enum", []), *words(list(of.values()))}
	    return {w for one in of for w in words(one)} if isinstance(of, list) else set()
	for noun in "executor", "agent", "model":
	    assert "dummy" in words(schema["$defs"][noun]), noun
	assert "question" in words(schema["$defs"]["termination"])
	assert "dummy" in words(schema["properties"]["test"]), "format"
	END
	"$rondo" schema --format man >man && test "$(grep -c "^## dummy$" man)" = 3 &&
	grep "^## question$" man &&
	bash -c "rondo=tree/build/$mode/rondo; eval \"\$(\$rondo completion bash)\"
		COMP_WORDS=(\$rondo help que); COMP_CWORD=2; _rondo_words; echo \$COMPREPLY" >word &&
	echo question >expected && test_cmp expected word &&
	"$rondo" completion words -- help dum | grep "^dummy"
'

check 'clients of rondo mcp are told of the tool' '
	printf "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n" \
		1 initialize "{\"protocolVersion\":\"2025-11-25\"}" 2 tools/list "{}" |
		"$rondo" mcp >said && grep "\"tools\":\[{\"name\":\"dummy\"" said
'

check 'the executor is a value of --executor, and in doctor' '
	{ "$rondo" doctor || test $? = 3; } >out && grep " dummy  *always there" out &&
	for command in fix run; do
		"$rondo" $command --help | grep -e "--executor TYPE .*(one of dummy, " &&
		test_expect_code 2 "$rondo" $command --executor moon x 2>err &&
		grep "must be one of dummy, " err &&
		"$rondo" completion words -- $command --executor dum | grep "^dummy" || exit 1
	done
'

check 'a scenario uses the agent, the model, the termination and the executor' '
	cat >dummy.yaml <<-\END &&
	task: Do it.
	models: {other: dummy/M}
	agents: {one: {coder: other}, two: {dummy: "Which file?"}, code_executor: executor}
	team:
	  participants: [one, two, code_executor]
	  termination: {question: two}
	executor: dummy
	END
	"$rondo" check dummy.yaml && test_expect_code 1 "$rondo" run dummy.yaml >out &&
	grep "I am M" out && grep "Which file?" out && grep "stopped: .two. asks" out
'

check 'a fix uses the runner, the format, the rule, the mutation and the executor' '
	mkdir sky && cd sky && git init -q &&
	printf "%s\n" "moon, sun = 1, 2" "" "" "def light():" "    return moon" >sky.py &&
	cat >dummy.tests <<-\END &&
	python3 -B -c "import sky; exit(sky.light() != 42)" && echo dummy light passed && exit
	echo dummy light failed
	exit 1
	END
	commit_all && "$rondo" fix --executor dummy --json >../out && python3 - <<-\END
	import json
	report = json.loads(open("../out").readlines()[-1])
	words = [report["outcome"], report["executor"], report["tests"]["format"],
	    *report["gate"]["findings"]]
	expected = ["verified", "dummy", "dummy", "sky.py:5: return sun + 40 (rule dummy)"]
	assert words == expected, words
	events = [json.loads(line) for line in open("../out")]
	assert [e["data"]["runner"] for e in events if e["type"] == "base"] == ["dummy"]
	END
'

check 'an error names the runner and the format, too' '
	mkdir none && cd none && git init -q && echo x >x && commit_all &&
	test_expect_code 3 "$rondo" fix 2>err && grep "looked for dummy, pytest, .*, prove, " err &&
	test_expect_code 2 "$rondo" fix -s test.format=moon 2>err &&
	grep "format must be one of auto, dummy, pytest, " err
'

test_done
