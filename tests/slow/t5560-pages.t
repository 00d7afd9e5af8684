#!/bin/sh
test_description='pages of runs in a browser: they ask for nothing, fit, fold, sort and can be read'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/node_modules.sh"

command -v chromium >/dev/null && test_set_prereq CHROMIUM
HOME=$REAL_HOME install axe axe-core || :
axe=$PWD/axe/node_modules/axe-core/axe.min.js
[ -e "$axe" ] || axe=

# look PAGE...: as slow/t5560/look has it. Screenshots stay in SHOTS, if that is set.
look() {
	shots=${SHOTS:-$PWD/shots}
	mkdir -p "$shots" && timeout 600 python3 "$SOURCE/tests/slow/t5560/look" "$shots" "$axe" "$@"
}

check CHROMIUM 'the page of the demo' '
	cp -R "$SOURCE/scenarios/demo/shop" shop && cd shop && git init -q && commit_all &&
	fix >../out && cd .. && mkdir demo && "$RONDO" show --html demo/page.html && look demo/page.html
'

cat >talk.py <<\EOF
import json, sys
evil = open(sys.argv[1]).read()
words = "A long explanation. " * 40 + "`" + "x" * 300 + "`\n\n" + "w" * 400
print(json.dumps({"name": "talk", "task": "Say <b>what</b> changes.",
    "models": {"m": {"provider": "replay",
        "replies": [evil, words + "\n\n- one\n- two TERMINATE"]}},
    "agents": {"writer": {"type": "coder", "model": "m"},
        "critic": {"type": "coder", "model": "m"}},
    "team": {"participants": ["writer", "critic"],
        "termination": {"text_mention": "TERMINATE"}}}))
EOF
cat >evil.md <<\EOF
<script>alert(1)</script><img src=x onerror=alert(2)> ![picture](http://127.0.0.1:9/x.png)
[link](javascript:alert(3)) <svg onload=alert(4)> &#x202e; </main></body>

```html
</code></pre></details><script>alert(5)</script><link rel=stylesheet href=http://127.0.0.1:9/>
```

| a | b |
|---|---|
| 1 | <iframe src="http://127.0.0.1:9/"></iframe> |
EOF

check CHROMIUM 'the page of a talk in which a model tries to run and to load' '
	python3 talk.py evil.md >talk.yaml && "$RONDO" run talk.yaml >out && mkdir talk &&
	"$RONDO" show --html talk/page.html && look talk/page.html
'

for name in one two three; do tiny $name; done
(cd three && sed -i 's/area(3, 5), 15/area(3, 5), 1500/' tests/run.py && commit_all wrong)

check CHROMIUM 'the index of a batch, and each page that it leads to' '
	for name in one two three; do
		echo "{\"repository\": \"$name\", \"test\": \"make check\"}"
	done >tasks.jsonl && echo "{\"name\": \"gone\", \"repository\": \"nowhere\"}" >>tasks.jsonl &&
	test_expect_code 1 "$RONDO" batch --executor "$EXECUTOR" tasks.jsonl >out &&
	"$RONDO" show --html tasks.batch &&
	look tasks.batch/index.html tasks.batch/tasks/*/runs/*/report.html
'

check CHROMIUM 'what is wrong with a page is found' '
	mkdir bad && sed "s/<main/<img src=\"http:\/\/127.0.0.1:9\/x\"\/><main/" demo/page.html \
		>bad/loads.html && ! look bad/loads.html 2>err &&
	grep "AssertionError: .*127.0.0.1:9" err &&
	sed "s/max-width: 1480px/min-width: 2000px/" demo/page.html >bad/wide.html &&
	! look bad/wide.html 2>err && grep AssertionError err &&
	sed "s/<footer>/<footer><script>alert(1)<\/script>/" demo/page.html >bad/script.html &&
	! look bad/script.html 2>err && grep AssertionError err
'

test_done
