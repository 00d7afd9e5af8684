#!/bin/sh
test_description='rondo show: a pager, and colours when they are wished (24, 3)'
. "$(dirname "$0")/lib.sh"

terminal="$SOURCE/tests/lib/terminal"
escape=$(printf '\033')
export TERM=xterm
unset RONDO_PAGER PAGER LESS LV NO_COLOR

# shown COMMAND...: what a terminal shows of it, in seen.
shown() {
	"$SOURCE/tests/cli/on-a-terminal" "$@" >seen
}

check 'a run to show' '
	tiny repo && cd repo && fix >../out && cd .. && "$RONDO" show >piped && grep "^TESTS PASS" piped
'

check 'on a terminal RONDO_PAGER comes before PAGER; it is told what less is to do' '
	PAGER="sed s/^/other:/" RONDO_PAGER="echo \$LESS:\$LV; sed s/^/paged:/" shown "$RONDO" show &&
	grep "^FRX:-c" seen && grep "^paged:TESTS PASS" seen && ! grep "^other:" seen &&
	PAGER="sed s/^/other:/" LESS=R shown "$RONDO" show && grep "^other:TESTS PASS" seen &&
	LESS=R PAGER="echo \"(\$LESS)\"; cat >rest" shown "$RONDO" show && grep "^(R)" seen &&
	grep "^TESTS PASS" rest
'

check 'what a pager gets has the colours and the columns of the terminal' '
	PAGER="cat >paged" shown "$RONDO" show && ! test -s seen &&
	grep "$escape\[1;3.mtester$escape\[0m" paged &&
	PAGER="cat >paged" shown "$RONDO" show --diff && grep "^$escape\[32m+.*$escape\[0m$" paged &&
	PAGER="cat >paged" NO_COLOR=1 shown "$RONDO" show && ! grep "$escape" paged &&
	PAGER="cat >paged" shown "$RONDO" show --color never && ! grep "$escape" paged &&
	PAGER="cat >paged" shown "$RONDO" show --json && tail -1 paged | python3 -m json.tool
'

check 'no pager: into a pipe, by --no-pager, and where it is cat or nothing' '
	PAGER="cat >paged" && export PAGER && rm -f paged &&
	"$RONDO" show | cmp - piped && shown "$RONDO" show --no-pager && grep "^TESTS PASS" seen &&
	RONDO_PAGER= shown "$RONDO" show && grep "^TESTS PASS" seen &&
	RONDO_PAGER=cat shown "$RONDO" show && grep "^TESTS PASS" seen && ! test -e paged
'

check 'a pager that is missing is no failure' '
	RONDO_PAGER=no-such-pager shown "$RONDO" show && grep "no-such-pager" seen &&
	grep "^TESTS PASS" seen &&
	mkdir bin && ln -s "$(command -v cat)" "$(command -v sh)" bin &&
	shown env PATH="$PWD/bin" "$RONDO" show && ! grep "not found" seen && grep "^TESTS PASS" seen
'

check 'a pager that ends early leaves no trace; the exit code is that of rondo' '
	RONDO_PAGER="head -1" shown "$RONDO" show >out 2>err && test "$(grep -c "" seen)" = 1 &&
	RONDO_PAGER=false shown "$RONDO" show && ! test -s seen &&
	RONDO_PAGER="cat >rest; exit 5" shown "$RONDO" show &&
	cp -r state/rondo/runs kept && rm state/rondo/runs/*/patch.diff &&
	! RONDO_PAGER="cat >rest" shown "$RONDO" show --diff 2>err && grep "^on-a-terminal: 2 at" err &&
	grep "^rondo: run .* changed nothing" seen &&
	rm -r state/rondo/runs && mv kept state/rondo/runs
'

check 'Ctrl-C is for the pager: rondo waits for it' '
	RONDO_PAGER="python3 -c \"
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
print(chr(114) + chr(100) + chr(121), flush=True)
signal.sigwait([signal.SIGINT])
print(chr(105) + chr(110) + chr(116), flush=True)
sys.stdin.read()
print(chr(111) + chr(118) + chr(101) + chr(114))
\"" && export RONDO_PAGER &&
	python3 "$terminal" rdy "\\x03" int "" over "" -- "$RONDO" show >seen
'

check 'rondo --color: as one likes, also against NO_COLOR and into a pipe' '
	"$RONDO" show --color always >coloured && grep "$escape\[1;3.mtester$escape\[0m" coloured &&
	sed "s/$escape\[[0-9;]*m//g" coloured | cmp - piped &&
	NO_COLOR=1 "$RONDO" show --color=always | cmp - coloured &&
	NO_COLOR=1 "$RONDO" show --color auto | cmp - piped &&
	cd repo && git reset -q --hard && fix --color always >../out &&
	grep "$escape\[32m✓" ../out && ! grep "$(printf "\r")" ../out &&
	shown "$RONDO" fix --executor $EXECUTOR --color never && ! grep "$escape\[[0-9;]*m" seen &&
	grep "$(printf "\r")" seen &&
	test_expect_code 2 "$RONDO" show --color blue 2>err &&
	grep "option .--color.: color must be one of auto, always, never, found .blue." err
'

check 'more than a pipe holds, and nobody reads it: rondo ends without a word' '
	run=$("$RONDO" list | sed -n "1s/ .*//p") && python3 -c "
import json
path = \"state/rondo/runs/$run/attempts/1/journal.jsonl\"
lines = open(path).read().splitlines()
for line in lines[:]:
    record = json.loads(line)
    if record[\"type\"] == \"message\":
        record[\"message\"][\"content\"] = \"word \" * 100000
        lines.insert(-1, json.dumps(record, separators=(\",\", \":\")))
open(path, \"w\").write(\"\\n\".join(lines) + \"\\n\")
" && RONDO_PAGER="head -1" shown "$RONDO" show && test "$(grep -c "" seen)" = 1
'

test_done
