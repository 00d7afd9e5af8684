#!/bin/sh
test_description='real bugs of 40 releases as a batch, also on three machines of which one dies'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/slurm.sh"

SLURM_CPUS=1 # so that the first three jobs are on three nodes
# BATCH_TASKS: a file that tests/repair/tasks made before, with its repositories. BATCH_ALONE: what
# came of each when the first check was made before.
N=${BATCH_N:-40}
if [ -z "${BATCH_TASKS:-}" ]; then
	BATCH_TASKS=$PWD/tasks.jsonl
	XDG_CACHE_HOME=$REAL_CACHE HOME=$REAL_HOME "$SOURCE/tests/repair/tasks" --n "$N" \
		--language python --language javascript "$BATCH_TASKS" >laid 2>&1 && test_set_prereq BUGS ||
		tail -n 5 laid
else
	test_set_prereq BUGS
fi
slurm_begin

awaited_in_vain() {
	squeue -r
	tail -n 20 out
}

# came DIR: what came of each, without what depends on the machine. How many tests a partial edit
# mends is a part of that where tests have threads.
came() {
	python3 - "$1" <<-\EOF
	import json, sys
	rows = [json.loads(line) for line in open(sys.argv[1] + "/results.jsonl")]
	for row in sorted(rows, key=lambda row: row["name"]):
	    print(*(row.get(key) for key in ("name", "outcome", "exit_code", "goal", "what")))
	EOF
}

# Exit code 1 says that some are not fixed.
[ -n "${BATCH_ALONE:-}" ] && cp "$BATCH_ALONE" alone || test_set_prereq FIRST
check BUGS,FIRST 'on one machine' '
	test_might_fail "$RONDO" batch "$BATCH_TASKS" -o one >out && cat out && came one >alone &&
	test "$(wc -l <alone)" = "$(wc -l <"$BATCH_TASKS")" && grep " verified 0 " alone
'

check BUGS,SLURM 'on three, of which one dies in the middle: the same came of each' '
	{ "$RONDO" batch "$BATCH_TASKS" -o many --slurm --per-job 4 >out 2>err & } &&
	pid=$! && await "runs_on n2 many" && node_die && { wait $pid || test $? = 1; } && cat out &&
	grep "was requeued and begins again" out && came many >cluster && test_cmp alone cluster
'

test_done
