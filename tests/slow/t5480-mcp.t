#!/bin/sh
test_description='rondo mcp, to clients that others wrote: the inspector, and the Python package mcp'
. "$(dirname "$0")/../cli/lib.sh"
export EXECUTOR

here=$SOURCE/tests/slow/t5480
inspector=$RONDO_BUILD/mcp-inspector-2.12.0
venv=$RONDO_BUILD/mcp-2.3.0

# Each lies below the build directory and is fetched once.
if [ ! -e "$inspector/complete" ]; then
	mkdir -p "$inspector" && if (cd "$inspector" && echo '{"name": "x"}' >package.json &&
		npm install -s --no-audit --no-fund @modelcontextprotocol/inspector@2.12.0); then
		: >"$inspector/complete"
	fi >npm.log 2>&1
fi
if [ ! -e "$venv/complete" ]; then
	if python3 -m venv "$venv" && "$venv/bin/pip" install -q mcp==2.3.0; then
		: >"$venv/complete"
	fi >pip.log 2>&1
fi
if [ -e "$inspector/complete" ]; then
	test_set_prereq INSPECTOR
else
	say "the inspector cannot be installed here: $(tail -1 npm.log)"
fi
if [ -e "$venv/complete" ]; then
	test_set_prereq PYTHON_MCP
else
	say "the package mcp cannot be installed here: $(tail -1 pip.log)"
fi

# inspect ERA OPTION...: what the inspector says, in said; its exit code is that of this.
inspect() {
	era=$1
	shift
	timeout 300 "$inspector/node_modules/.bin/mcp-inspector" --cli "$RONDO" mcp \
		--protocol-era "$era" "$@" >../said 2>../inspector.log || {
		code=$?
		cat ../said ../inspector.log
		return $code
	}
}

# say_of JSON_PATH: a member of the structured content that the inspector printed.
say_of() {
	/usr/bin/python3 -c "import json; print(json.load(open('../said'))['structuredContent']$1)"
}

for era in legacy modern auto; do
	check INSPECTOR "the inspector, $era: tools, and what they find" '
		rm -rf '$era' && tiny '$era' && cd '$era' && inspect '$era' --method tools/list &&
		for tool in verify fix baseline status show; do
			grep "\"name\": \"$tool\"" ../said || exit 1
		done &&
		inspect '$era' --method tools/call --tool-name baseline --tool-args-json "{}" &&
		say_of "[\"suite\"][\"goal\"][0][\"id\"]" | grep -x area &&
		inspect '$era' --method tools/call --tool-name fix --tool-args-json "{}" &&
		say_of "[\"outcome\"]" | grep -x verified && git checkout -q "$(the_branch)" &&
		inspect '$era' --method tools/call --tool-name verify \
			--tool-args-json "{\"rev\": \"HEAD\"}" &&
		say_of "[\"reason\"]" | grep "1 test fixed, nothing lost" &&
		inspect '$era' --method tools/call --tool-name show --tool-args-json "{\"diff\": true}" &&
		say_of "[\"diff\"]" | grep "+    return width \* height" &&
		inspect '$era' --method resources/list &&
		uri=$(grep -o "rondo://runs/[^\"]*/report.md" ../said | head -1) &&
		inspect '$era' --method resources/read --uri "$uri" && grep "# '$era': verified" ../said
	'

	check INSPECTOR "the inspector, $era: what is wrong" '
		cd '$era' && test_expect_code 5 inspect '$era' --method tools/call --tool-name no \
			--tool-args-json "{}" &&
		test_expect_code 5 inspect '$era' --method tools/call --tool-name verify \
			--tool-args-json "{\"rev\": \"nowhere\"}" && grep nowhere ../said
	'
done

for era in legacy modern; do
	check PYTHON_MCP "the Python package, $era: progress, parallel calls, cancelling" '
		rm -rf py-'$era' && tiny py-'$era' && cd py-'$era' &&
		timeout 300 "$venv/bin/python" "$here/client.py" '$era' 2>../log || { cat ../log; exit 1; }
	'
done

test_done
