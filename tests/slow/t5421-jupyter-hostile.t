#!/bin/sh
test_description='the executor jupyter: kernels that lie, flood, break off and never answer'
. "$(dirname "$0")/../cli/lib.sh"

if ! /usr/bin/python3 -c 'import zmq' 2>/dev/null; then
	skip_all='python3-zmq is not installed'
	test_done
fi
if ! test_have_prereq SANDBOX; then
	skip_all='no sandbox: the kernels are as hostile as can be'
	test_done
fi

# hostile MODE [TIMEOUT]: two blocks in a kernel of that mode; what the executor answered is said.
# The timeout is given where it is to be reached.
hostile() {
	cat >hostile.yaml <<-EOF
	task: Go on.
	models:
	  said:
	    provider: replay
	    replies: ["\`\`\`python\n1\n\`\`\`", "\`\`\`python\n2\n\`\`\`", TERMINATE]
	workspace:
	  files:
	    kernel.py: {file: $SOURCE/tests/slow/t5421/kernel.py}
	    share/kernels/fake/kernel.json: '{"argv": ["/usr/bin/python3", "/workspace/kernel.py", "$1", "{connection_file}"]}'
	agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
	team: {participants: [coder, executor], termination: text_mention/TERMINATE}
	executor: {type: jupyter, kernel: fake, timeout: ${2:-60s}, env: {JUPYTER_PATH: /workspace/share}}
	EOF
	"$RONDO" run hostile.yaml >out 2>&1
	status=$?
	awk '/^---------- .* ----------$/ { on = $2 == "executor"; next } /^[✓✗]/ { exit } on' out >said
	test $status = 0 || { cat out; false; }
}

# count NUMBER TEXT: so many lines of what was said hold it.
count() {
	test "$(grep -c "$2" said)" = "$1" || { cat said; false; }
}

check 'what is signed with another key is dropped' '
	hostile forged 3s && count 0 forged && count 2 "^Timeout$" &&
	count 2 "; the kernel has kept its variables."
'

check 'frames that are missing, empty, too many or no JSON are dropped' '
	hostile broken && count 2 "^Code output: whole$" && count 0 broken
'

check 'a message of 100 MB ends the kernel, and the next block has another' '
	hostile huge && count 2 "messages broke off"
'

check 'deep JSON is dropped' '
	hostile deep && count 2 "^Code output: after the deep$"
'

check 'idle may come before the answer' '
	hostile early && count 2 "^Code output: early$"
'

check 'an answer without idle ends the kernel' '
	hostile never_idle && count 2 "^Code output: replied$" && count 2 "messages broke off"
'

check 'what belongs to another request ends nothing' '
	hostile foreign 3s && count 2 "^Timeout$"
'

check 'an end that is told twice is one' '
	hostile twice && count 2 "^Code output: once$" && count 0 Timeout
'

check 'bytes that are no text, and no text at all' '
	hostile text && count 2 "^exitcode: 0" && ! LC_ALL=C grep -q "$(printf "\377")" said
'

check 'row 81: what is shown goes under our names, and only where it is what it says' '
	hostile names && count 1 "HTML data saved to output-1.html" &&
	count 1 "HTML data saved to output-2.html" &&
	count 2 "Image data was not saved: it is no png" &&
	count 2 "PDF data was not saved: it is no base64" && ! find . -name "*evil*" | grep .
'

check 'one that never answers a block is ended' '
	hostile silent 3s && count 2 "^Timeout$" &&
	count 2 "the kernel was killed. The next block has a new one: variables are lost."
'

check 'one that ends by an interrupt was still too slow' '
	hostile weak 3s && count 2 "^Timeout$" && count 2 "the kernel was killed"
'

check 'a flood without end is cut and ended' '
	hostile flood && count 2 "bytes cut" && count 2 "printed more than is allowed" &&
	test $(wc -c <said) -lt 300000
'

check 'sockets that close are a timeout' '
	hostile end_of_wire 3s && count 2 "^Timeout$"
'

check 'one that does not start is told with its words' '
	hostile dies && count 2 "The kernel fake did not start.$" && count 2 "^no kernel today$"
'

check 'links where sockets should be are not followed, and it did not start' '
	hostile links && count 2 "The kernel fake did not start.$"
'

check 'nothing of them is left' '
	! pgrep -f "kernel.py [a-z_]* .*$XDG_CACHE_HOME" &&
	! find "$XDG_CACHE_HOME" -name "jupyter-*" | grep .
'

test_done
