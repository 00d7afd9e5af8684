#!/bin/sh
test_description='the results of a run: commit, JUnit files, pull request, reports, dates'
. "$(dirname "$0")/lib.sh"

# trailers REF: as git reads them.
trailers() {
	git log -1 --format=%B "$1" | git interpret-trailers --parse
}

check 'the commit says what was wrong and where, and has trailers that git reads' '
	tiny one && cd one &&
	fix --co-author "Ann Other <ann@example.org>" --co-author "Bo <bo@example.org>" >../out &&
	git log -1 --format=%s "$(the_branch)" >../subject &&
	grep "^shapes: change .+. to .\*. in area$" ../subject &&
	trailers "$(the_branch)" >../trailers &&
	grep "^Rondo-Tests: 2 passed, 0 failed (was 1, 1)$" ../trailers &&
	grep "^Rondo-Fixed: " ../trailers && grep "^Rondo-Cost: 0$" ../trailers &&
	grep -c "^Co-authored-by: " ../trailers | grep 2 &&
	git log -1 --format=%b "$(the_branch)" >../body && ! grep "^.\{73,\}" ../body &&
	grep "found 8, expected 15" ../body
'

check '--subject, --junit, --pull-request' '
	tiny two && cd two &&
	fix --subject "shapes: multiply" --junit ../results/here --pull-request ../request.md >../out &&
	test "$(git log -1 --format=%s "$(the_branch)")" = "shapes: multiply" &&
	test "$(head -1 ../request.md)" = "shapes: multiply" &&
	test -z "$(sed -n 2p ../request.md)" && grep "^| passed | 1 | 2 |$" ../request.md &&
	grep "^   junit    .*results/here$" ../out &&
	grep "^   request  .*request.md$" ../out && "$RONDO" show >../shown &&
	grep "^junit: .*results/here$" ../shown &&
	grep "^pull request: .*request.md$" ../shown && grep "^gate: " ../shown && /usr/bin/python3 -c "
import sys, xml.etree.ElementTree as tree
for stage, failures in ((\"before\", \"1\"), (\"after\", \"0\")):
    root = tree.parse(f\"../results/here/junit-{stage}.xml\").getroot()
    assert root.get(\"tests\") == \"2\" and root.get(\"failures\") == failures, root.attrib
    assert root[0].get(\"name\") == stage and len(root[0]) == 2
" && run=$(the_branch) &&
cmp ../results/here/junit-after.xml ../state/rondo/runs/"${run#rondo/}"/junit-after.xml
'

check 'impossible outputs are refused before anything runs' '
	rm -rf state && tiny wrong && cd wrong &&
	for option in "--co-author Bob" "--co-author <b@example.org>" "--patch nowhere/x" \
		"--pull-request nowhere/x" "--patch ."; do
		test_expect_code 2 fix $option >../out 2>../err && ! test -s ../out &&
		grep "  help  \|is a directory" ../err || exit 1
	done &&
	test_expect_code 2 fix --subject "#1" 2>../err &&
	grep "subject of a commit is one line" ../err &&
	SOURCE_DATE_EPOCH=yesterday test_expect_code 2 fix 2>../err &&
	grep "SOURCE_DATE_EPOCH is no date, but .yesterday." ../err &&
	test -z "$(ls ../state/rondo/runs)"
'

check 'wrong outputs of a scenario are reported with their place' '
	cat >outputs.yaml <<-EOF &&
	task: x
	agents: {tester: tester}
	team: {participants: [tester], termination: tests_pass}
	output:
	  subject: "# no"
	  co_authors: [Bob]
	EOF
	test_expect_code 2 "$RONDO" check outputs.yaml >out &&
	grep "^outputs.yaml:5:[0-9]*: the subject of a commit" out &&
	grep "^outputs.yaml:6:[0-9]*: a co-author is a name and a mail address, found .Bob." out
'

check 'SOURCE_DATE_EPOCH is the date of commit, report and JUnit files' '
	tiny dated && cd dated && SOURCE_DATE_EPOCH=1700000000 fix >../out &&
	test "$(git log -1 --format="%at %ct %ai" "$(the_branch)")" = \
		"1700000000 1700000000 2023-11-14 22:13:20 +0000" &&
	grep "\"ended\":	\"2023-11-14T22:13:20.000Z\"" ../state/rondo/runs/*/report.json &&
	grep "timestamp=\"2023-11-14T22:13:20\"" ../state/rondo/runs/*/junit-before.xml
'

check 'without a fix there is no figure for afterwards' '
	tiny before && cd before &&
	test_expect_code 1 fix --state-dir ../red --protect shapes.py >../out &&
	grep "^- 1 of 2 passed before$" ../red/runs/*/report.md &&
	! grep "passed_after\|total_after" ../red/runs/*/report.json &&
	"$RONDO" list --state-dir ../red >../out && grep "  1 of 2  " ../out &&
	fix --state-dir ../green --test true >../out &&
	grep "^- 1 of 1 passed before$" ../green/runs/*/report.md && fix --state-dir ../fixed >../out &&
	grep "^- 1 of 2 passed before, 2 of 2 after$" ../fixed/runs/*/report.md &&
	"$RONDO" list --state-dir ../fixed >../out && grep "  2 of 2 (was 1)  " ../out
'

# One run of each outcome: its report is in state, its output of --json in lines/.
check 'runs of rondo fix: a report each' '
	mkdir -p lines && tiny many && cd many && fix --json >../lines/verified &&
	fix --json --goal nothing >../lines/nothing_fails &&
	fix --json --dry-run >../lines/dry_run &&
	test_expect_code 1 fix --json --protect shapes.py >../lines/not_fixed &&
	test_expect_code 3 fix --json --test "echo 1..1; echo ok 1 - fine; exit 3" >../lines/broken &&
	grep "\"help\":\"the output is kept in " ../lines/broken
'

check 'with runs of chats: each report follows the schema' '
	cat >talk.yaml <<-EOF &&
	task: Speak.
	models: {recorded: {provider: replay, replies: [One., Two.]}}
	agents: {writer: {type: coder, model: recorded}}
	team: {participants: [writer], termination: {text_mention: Two}}
	EOF
	"$RONDO" run --json talk.yaml >lines/done &&
	test_expect_code 1 "$RONDO" run --json talk.yaml -s team.max_turns=1 >lines/stopped &&
	sed "\$a assert: {exit_code: 0}" talk.yaml >wrong.yaml &&
	test_expect_code 1 "$RONDO" run --json wrong.yaml >lines/assert_failed &&
	n=0 && for words in "run talk.yaml -s team.termination.text_mention=Three" "run nowhere" \
		"resume nowhere" "fix many --branch .."; do
		n=$((n + 1)) && test_expect_code 2 "$RONDO" $words --json >lines/error-$n 2>err &&
		tail -1 lines/error-$n |
			grep "^{\"type\":\"result\".*\"outcome\":\"error\",\"exit_code\":2,\"reason\":\"." ||
			exit 1
	done &&
	/usr/bin/python3 "$SOURCE/tests/lib/report-schema" "$RONDO" \
		verified,nothing_fails,dry_run,not_fixed,suite_broken,done,stopped,assert_failed,error \
		state/rondo/runs/*/report.json $(grep -l "\"type\":\"result\"" lines/*)
'

check 'the schema refuses wrong reports' '
	"$RONDO" schema report >schema && /usr/bin/python3 -c "
import json, jsonschema, glob
valid = jsonschema.Draft202012Validator(json.load(open(\"schema\"))).is_valid
report = json.load(open(sorted(glob.glob(\"state/rondo/runs/*/report.json\"))[0]))
assert valid(report)
for key, value in ((\"outcome\", \"fine\"), (\"exit_code\", \"0\"), (\"more\", 1), (\"tests\", {}),
        (\"cost_usd\", \"much\")):
    assert not valid({**report, key: value}), key
assert not valid({key: value for key, value in report.items() if key != \"outcome\"})
" && test_expect_code 2 "$RONDO" schema reports 2>err &&
grep "there is no schema .reports.: scenario or report is meant" err
'

# what_was_made DIR: names, kinds, modes and targets of its files.
what_was_made() {
	(cd "$1" && find . ! -type d -printf "%p %y %m %l\n" | LC_ALL=C sort)
}

check 'files are kept as they were made, in --out and in the directory of the run' '
	cat >files.yaml <<-EOF &&
	task: Make files.
	models:
	  m:
	    provider: replay
	    replies:
	      - "$(fences sh ./make)"
	      - TERMINATE
	agents: {writer: {type: coder, model: m}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: $EXECUTOR}
	workspace: {copy: start}
	EOF
	mkdir start && cat >start/make <<-\EOF && chmod +x start/make && : >start/old && umask 022 &&
	#!/bin/sh
	printf "#!/bin/sh\n" >program
	chmod +x program old
	mkdir -p deep/er
	: >deep/er/empty
	ln -s ../../program deep/er/up
	ln -s nowhere dangling
	EOF
	cat >expected <<-EOF &&
	./dangling l 777 nowhere
	./deep/er/empty f 644 
	./deep/er/up l 777 ../../program
	./old f 755 
	./program f 755 
	EOF
	for again in no yes; do
		"$RONDO" run files.yaml --out made >out && what_was_made made >actual &&
			test_cmp expected actual || exit 1
	done &&
	rm -rf state && "$RONDO" run files.yaml >out &&
	what_was_made state/rondo/runs/*/files >actual && test_cmp expected actual
'

# A chat whose blocks name files of data, and hide what they write from git.
kept() {
	cat <<-EOF
	task: Make files.
	models:
	  m:
	    provider: replay
	    replies:
	      - |
	        \`\`\`sh
	        echo hello >note; chmod 600 note; echo "*" >.gitignore; cat old 2>&1 || :
	        \`\`\`
	        \`\`\`json
	        // filename: data.json
	        {"a": 1}
	        \`\`\`
	        \`\`\`toml
	        # filename: data.toml
	        a = 1
	        \`\`\`
	      - TERMINATE
	agents: {writer: {type: coder, model: m}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: $EXECUTOR$1}
	output: {patch: change.patch}
	EOF
}

check 'a work_dir that begins with ./ is that directory, made where missing (20, wrong 3)' '
	mkdir beside && kept ", work_dir: ./results" >beside/chat.yaml && umask 022 &&
	"$RONDO" run beside/chat.yaml >out && what_was_made beside/results >actual &&
	cat >expected <<-\EOF && test_cmp expected actual &&
	./.gitignore f 644 
	./data.json f 644 
	./data.toml f 644 
	./note f 600 
	EOF
	echo "{\"a\": 1}" >json && test_cmp json beside/results/data.json &&
	echo "# filename: data.toml" >first && head -1 beside/results/data.toml | test_cmp first - &&
	grep "^+hello" beside/change.patch &&
	echo there >beside/results/old && echo mine >beside/results/note &&
	"$RONDO" run beside/chat.yaml >out && grep "^Code output: there$" out &&
	grep hello beside/results/note && grep there beside/results/old
'

check 'a code file that no block names is kept on request (20, wrong 3)' '
	"$RONDO" run beside/chat.yaml -s executor.keep_code=true >out &&
	ls beside/results/tmp_code_*.sh
'

check 'another file is not overwritten without --force; what was written is kept (20, wrong 3)' '
	kept >other.yaml && mkdir taken && echo mine >taken/note && rm -rf state &&
	test_expect_code 2 "$RONDO" run other.yaml --out taken >out 2>err &&
	grep "^rondo: .*/taken/note. is another file, and is not overwritten$" err &&
	grep -e "--force overwrites" err && echo mine | test_cmp - taken/note &&
	test ! -e taken/data.json &&
	grep hello state/rondo/runs/*/files/note &&
	"$RONDO" run other.yaml --out taken --force >out && grep hello taken/note &&
	"$RONDO" run other.yaml --out taken >out
'

check 'a run with --force that broke off has it still when it goes on' '
	kept | sed "s/type: $EXECUTOR/type: local/
		s:echo hello:touch \"$PWD/here\"; until [ -e \"$PWD/go\" ]; do sleep 0.1; done; &:" \
		>waits.yaml && echo mine >taken/note && rm -rf state &&
	{ "$RONDO" run waits.yaml --out taken --force >out & } && await "test -e here" &&
	kill -KILL $! && { wait $! || :; } && touch go && "$RONDO" resume >out && grep hello taken/note
'

check 'nothing is written through a link in --out' '
	mkdir elsewhere linked && ln -s ../elsewhere linked/deep &&
	test_expect_code 2 "$RONDO" run files.yaml --out linked 2>err &&
	grep "linked.: cannot change .deep/er/empty.: Not a directory" err && test -z "$(ls elsewhere)"
'

test_done
