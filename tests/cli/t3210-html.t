#!/bin/sh
test_description='rondo show --html: a run as one page, a batch as pages, whatever programs and
models print'
. "$(dirname "$0")/lib.sh"

# page FILE [--text]: checks it.
page() {
	python3 "$SOURCE/tests/cli/t3210/page" $2 "$1"
}

tiny red

check 'the page of a fix says what was wrong, what changed, why it is believed, what it cost' '
	cd red && fix >out && cd .. && "$RONDO" show --html fix.html >out &&
	test "$(cat out)" = "$PWD/fix.html" && page fix.html --text >text &&
	grep "^red Verified$" text && grep "1 of 2 tests passed before → 2 of 2 pass after" text &&
	for title in "What was wrong" "What changed" "Why it may be believed" "What it cost" \
		"The change" "Tests before and after" "The conversation" "Time line" \
		"Tokens and money" "Where repair looked" "About this run"; do
		grep -x "$title" text || { echo "no $title"; exit 1; }
	done && grep "run 1, in a fresh checkout: 2 of 2 passed" text &&
	grep "1 test: failed before, pass now" text && grep "1 test: pass, as before" text &&
	grep "No model was asked: 0 tokens, 0 USD" text && grep "shapes.py, [0-9]* lines" text
'

check 'the diff stands side by side, with the changed words marked and the program coloured' '
	grep -c "<td class=\"no del\">2 −</td><td class=\"code del\">" fix.html &&
	grep -o "<td class=\"code del\">.*</tr>" fix.html | head -1 |
		sed "s/<td[^>]*>/|/g; s/<[/]td>//g" >row && test -s row &&
	grep "<span class=\"k\">return</span> width <mark>+</mark> height" row &&
	grep "<span class=\"k\">return</span> width <mark>\*</mark> height" row
'

check 'the page of the demo is small' '
	cp -R "$SOURCE/scenarios/demo/shop" shop && cd shop && git init -q && commit_all &&
	PATH=/usr/bin:$PATH fix >../out && cd .. &&
	"$RONDO" show --html demo.html >out && page demo.html &&
	test "$(wc -c <demo.html)" -lt 300000
'

# normal: the last run's page without times and ids.
normal() {
	"$RONDO" show --html - | sed -E "s/[0-9]{8}-[0-9]{6}-[0-9a-f]{4}/RUN/g
		s/[0-9.]+ (s|ms)\b/TIME/g; s/(x|width)=\"[0-9.]+\"/\1/g; s/data-n=\"[0-9]+\"/data-n/g
		s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[^<]*Z/DATE/; s/\b[0-9a-f]{40}\b/HASH/g"
}

check 'two pages of equal runs differ in times and ids alone' '
	cd red && git checkout -q . && fix >out && normal >../one && fix >out && normal >../two &&
	test_cmp ../one ../two
'

# What a model writes, and what a program prints: each line tries something.
cat >evil.md <<\EOF
<script>alert(1)</script> <img src=x onerror=alert(2)> <b onclick="alert(3)">b</b>

[a link](javascript:alert(4)) ![a picture](http://example.org/x.png "title") <http://example.org/>
[another](data:text/html,<script>alert(5)</script> "a\"onmouseover=alert(6)")
[ref]: http://example.org/ref
[ref] &lt;script&gt; &#60;script&#62; &#x202e; &#27;[31m &#0; &#xFFFE; &quot;>

# </style></main>a heading
| a | <b> |
|---|:---:|
| `</td></table>` | ~~c~~ |

- [x] done
- a < b > c & d

```"><script>alert(7)</script>
</code></pre></details><script>alert(8)</script>
```
EOF
python3 - <<\EOF
import json
text = open("evil.md").read() + "\u202egnp.exe \u2066x\u2069 \x1b[31m red \x07 \x9b \u0085"
text += " TERMINATE"
open("evil.yaml", "w").write(json.dumps({"name": "</title><script>alert(9)</script>",
    "task": text, "models": {"m": {"provider": "replay", "replies": [text]}},
    "agents": {"a": {"type": "coder", "model": "m"}},
    "team": {"participants": ["a"], "termination": {"text_mention": "TERMINATE"}}}))
EOF

check 'nothing that a model wrote runs, loads, leads away or turns the text around' '
	"$RONDO" run evil.yaml >out && "$RONDO" show --html evil.html &&
	page evil.html --text >text && grep -F "<script>alert(1)</script>" text &&
	grep -F "javascript:alert(4)" text && grep -F "picture: a picture" text &&
	grep -F "<U+202E>" text && grep -F "\\e[31m red" text && grep -F "alert(8)" text &&
	grep -F "</td></table>" text
'

tiny hostile
(
	cd hostile && sed -i 's/"area"/"area <img src=x onerror=alert(1)> \&amp; \\u202e"/
		s/# found/# <\/pre><script>alert(2)<\/script> \\x1b[31m found/' tests/run.py &&
		printf '# </td><script>alert(3)</script> &copy; \033[1m\n' >>shapes.py &&
		sed -i 's/^def double.*/&  # <b>\xe2\x80\xae/' shapes.py && commit_all hostile
)

check 'nor what tests print and a diff holds' '
	cd hostile && sed -i "s/width + height/width * height/" shapes.py &&
	"$RONDO" verify --executor "$EXECUTOR" >../out &&
	"$RONDO" show --html ../h.html >../out && cd .. && page h.html --text >text &&
	grep -F "area <img src=x onerror=alert(1)>" text && grep -F "# <b><U+202E>" text
'

check 'a page of a verification has no chat; one of a dead run says so' '
	cd red && sed -i "s/width + height/width * height/" shapes.py &&
	"$RONDO" verify --executor "$EXECUTOR" >out && "$RONDO" show --html v.html >out &&
	page v.html --text >text && grep "tried in fresh checkouts: it fixes tests" text &&
	! grep -x "The conversation" text && git checkout -q . &&
	dir=$("$RONDO" list | sed -n "1s/ .*//p") && rm "$HOME/state/rondo/runs/$dir/report.json" &&
	"$RONDO" show --html v.html >out && page v.html --text >text &&
	grep "ended without a report" text
'

tiny first && tiny second
check 'a batch has a table, plots and a page a run' '
	printf "%s\n" "{\"repository\": \"first\", \"test\": \"make check\"}" \
		"{\"repository\": \"second\", \"test\": \"make check\"}" \
		"{\"name\": \"gone\", \"repository\": \"nowhere\"}" >tasks.jsonl &&
	test_expect_code 1 "$RONDO" batch --executor "$EXECUTOR" tasks.jsonl >out &&
	"$RONDO" show --html tasks.batch >out && test "$(cat out)" = "$PWD/tasks.batch/index.html" &&
	page tasks.batch/index.html --text >text &&
	grep "2 of 3 came to what was wanted" text && grep "An error.*nowhere" text &&
	grep "verified, of those that ended" text &&
	grep -o "href=\"tasks/[^\"]*" tasks.batch/index.html | cut -d\" -f2 >links &&
	test "$(wc -l <links)" = 2 && while read -r link; do
		page "tasks.batch/$link" || exit 1
	done <links
'

check 'rondo list --html has all runs' '
	"$RONDO" list --html >out && file=$(cat out) && page "$file" --text >text &&
	test "$(grep -c "class=\"status" "$file")" = "$("$RONDO" list --all | wc -l)" &&
	grep -o "href=\"runs/[^\"]*" "$file" | cut -d\" -f2 >links && test -s links &&
	while read -r link; do test -s "$(dirname "$file")/$link" || exit 1; done <links
'

check '--open starts $BROWSER with the page, which lives on' '
	mkfifo opened && printf "#!/bin/sh\necho \"\$@\" >\"%s/opened\"\n" "$PWD" >browser &&
	chmod +x browser && PATH="$PWD:$PATH" BROWSER="browser -new" "$RONDO" show --open >out &&
	test "$(cat opened)" = "-new $(cat out)" && test -s "$(cat out)" &&
	PATH="$PWD:$PATH" BROWSER=browser "$RONDO" list --open >out &&
	test "$(cat opened)" = "$(cat out)" &&
	BROWSER=no-such-browser test_expect_code 2 "$RONDO" show --open >out 2>err &&
	grep "cannot open a browser: there is no .no-such-browser." err && grep "set BROWSER" err
'

check 'what cannot be written is an error' '
	test_expect_code 2 "$RONDO" show last second 2>err && grep "a file for --html" err &&
	test_expect_code 2 "$RONDO" show --html tasks.batch out.html 2>err &&
	grep "the pages of a batch lie in its directory" err &&
	! "$RONDO" show --html "$PWD/none/page.html" 2>err && grep "none/page.html" err
'

test_done
