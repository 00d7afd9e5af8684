#!/bin/sh
test_description='rondo batch --slurm on a Slurm of three nodes, of which some die'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/slurm.sh"

KEY=sk-planted-0123456789abcdef
here=$PWD
slurm_begin

awaited_in_vain() {
	sinfo -N
	squeue -r
	tail -n 20 "$SLURM/slurmctld.log" "$here/out"
}

# red N SECONDS: repositories in repos/, each with one red test that takes so long, and a word to
# mend. A copy of them is in kept/.
red() {
	rm -rf repos repos.batch kept && mkdir -p repos/r00 && (
		cd repos/r00 && git init -q && echo no >f.txt && printf "%s\n" "echo 1..1; sleep $2" \
			"grep -q yes f.txt && echo ok 1 - word || echo not ok 1 - word" >t.sh && commit_all
	) && for i in $(seq -w 1 $(($1 - 1))); do
		cp -r repos/r00 "repos/r$(printf %02d "${i#0}")" || return
	done && cp -r repos kept
}

batch() {
	env --default-signal=INT "$RONDO" batch "$@" --executor local --test "sh t.sh" \
		--coder "sed -i s/no/yes/ f.txt"
}

# shown FILE: the lines of a file of results without what differs from run to run.
shown() {
	sed "s/\"\(run\|branch\|commit\|duration_ms\|cost_usd\)\":[^,}]*//g" "$1" | sort
}

check SLURM '30 tasks on three nodes, of which one dies: the results are those of one machine' '
	red 30 1 && { batch repos --slurm --per-job 3 >out 2>err & } && pid=$! &&
	await "runs_on n2 repos.batch" && node_die && wait $pid && cat out &&
	grep "job [0-9]*_[0-9]* was requeued and begins again" out &&
	cat repos.batch/slurm/*.starts | grep "restart 1$" && ! grep "once more" out &&
	grep "30 verified, 0 not fixed, 0 errors of 30" out &&
	shown repos.batch/results.jsonl >cluster && rm -rf repos repos.batch && cp -r kept repos &&
	batch repos -j 8 >out && shown repos.batch/results.jsonl >alone && test_cmp alone cluster &&
	test "$(wc -l <cluster)" = 30
'

check SLURM 'each repository has one branch, in which the word is mended' '
	for dir in repos/*; do
		(cd $dir && git cat-file blob "$(the_branch):f.txt") || exit
	done | grep -c "^yes$" >count && test "$(cat count)" = 30
'

# Slurm loses sight of n1 and begins its jobs elsewhere; they wait for those that live on.
check SLURM 'slurmd alone dies, its jobs live on: each task has one result' '
	node_start n2 && await "node_is n2 idle" && red 6 8 &&
	{ OPENAI_API_KEY=$KEY batch repos --slurm >out 2>err & } && pid=$! &&
	await "runs_on n1 repos.batch" &&
	slurmd_die n1 && await "node_is n1 down" && node_start n1 && wait $pid && cat out &&
	grep "was requeued and begins again" out && grep "6 verified" out &&
	sed "s/.*\"name\":\"\([^\"]*\).*/\1/" repos.batch/results.jsonl | sort -u >names &&
	test "$(wc -l <names)" = 6 && test "$(wc -l <repos.batch/results.jsonl)" = 6 &&
	for dir in repos/*; do
		test "$(cd $dir && the_branch | wc -l)" = 1 || exit
	done
'

check SLURM 'no key is in what Slurm keeps' '
	! grep -r "$KEY" "$SLURM" repos.batch
'

check SLURM 'Ctrl-C leaves no job; the batch can be gone on with' '
	await "node_is n1 idle" && red 6 2 && { batch repos --slurm >out 2>err & } && pid=$! &&
	await "runs_on n1 repos.batch" && kill -INT "$(cut -d" " -f2 repos.batch/lock.slurm)" &&
	{ wait $pid; test $? = 130; } && test -z "$(squeue -h -r)" &&
	grep "help  rondo batch .repos.batch. --slurm goes on" err && batch repos.batch --slurm >out &&
	cat out && grep "6 verified" out
'

check SLURM '--detach, --status, --collect' '
	red 3 0 && batch repos --slurm --detach >out && grep "status .*--status repos.batch" out &&
	await "\"$RONDO\" batch --status repos.batch >out || grep \"job array .*: . run\" out" &&
	await "\"$RONDO\" batch --collect repos.batch >out" && cat out && grep "3 verified" out &&
	test "$(wc -l <repos.batch/results.jsonl)" = 3
'

test_done
