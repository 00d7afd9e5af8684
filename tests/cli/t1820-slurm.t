#!/bin/sh
test_description='rondo batch --slurm, with programs that answer as those of Slurm do'
. "$(dirname "$0")/lib.sh"

export RONDO_FAKE="$PWD/fake"
PATH=$SOURCE/tests/cli/t1820:$PATH
KEY=sk-planted-0123456789abcdef

# red N: repositories r0 ... in repos/, each with one red test and a word to mend.
red() {
	rm -rf repos repos.batch "$RONDO_FAKE" && mkdir -p repos "$RONDO_FAKE" && mkdir repos/r0 && (
		cd repos/r0 && git init -q && echo no >f.txt &&
		printf "echo 1..1\ngrep -q yes f.txt && echo ok 1 - word || echo not ok 1 - word\n" >t.sh &&
		commit_all
	) && i=1 && while [ $i -lt "$1" ]; do
		cp -r repos/r0 repos/r$i && i=$((i + 1)) || return
	done
}

# The shell ignores SIGINT in what it starts in the background.
batch() {
	env --default-signal=INT "$RONDO" batch "$@" --slurm --executor local --test "sh t.sh" \
		--coder "sed -i s/no/yes/ f.txt"
}

# on_jobs ACTION: waits until the batch of repos has submitted jobs, then acts, and waits for its
# end; $code is its exit code.
on_jobs() {
	: >fake/calls
	(exec 9>&- && batch repos >out 2>err) &
	code=0
	await "grep -q squeue fake/calls" && pid=$(cut -d" " -f2 repos.batch/lock.slurm) &&
		eval "$1" || { kill "$pid" && return 1; }
	wait $! || code=$?
}

# squeue_says ERROR: the next time that it is asked.
squeue_says() {
	echo "$1" >fake/new && mv fake/new fake/fails
}

# shown FILE: the lines of a file of results without what differs from run to run.
shown() {
	sed "s/\"\(run\|base\|branch\|commit\|duration_ms\|cost_usd\)\":[^,}]*//g" "$1" | sort
}

# hold FILE: somebody has a lock on it until descriptor 9 is closed.
hold() {
	: >"$1" && rm -f held && mkfifo held && { flock "$1" cat held >/dev/null & } &&
		exec 9>held && await "! flock -n $1 true"
}

check 'one array is submitted; its jobs do the tasks, and one file has all results' '
	red 3 && OPENAI_API_KEY=$KEY batch repos >out && cat out &&
	grep "^. slurm  *OPENAI_API_KEY stays here: jobs get keys by --env-file FILE only" out &&
	grep "^. slurm  *job array 1: 3 of 3 parts$" out &&
	grep "r1  *verified: 1 of 1 failing test passes" out &&
	grep "3 verified, 0 not fixed, 0 errors of 3" out &&
	test "$(grep -c "\"outcome\":\"verified\"" repos.batch/results.jsonl)" = 3 &&
	grep "^sbatch --parsable .*--requeue .*--array=0-2 --output=$PWD/repos.batch/slurm/%a.log" \
		fake/calls && test "$(wc -l <fake/ends)" = 3 && ! grep -v "exit code 0$" fake/ends
'

check 'no key is in what Slurm gets, nor any variable that is nobodys business' '
	! grep -r "$KEY" fake repos.batch && tr "\0\n" "\n " <fake/1.env >variables &&
	sed -n "s/^\([A-Za-z_]*\)=.*/\1/p" variables >names && grep -x PATH names &&
	grep -x HOME names && grep -x XDG_CACHE_HOME names && grep -x RONDO_FAKE names &&
	! grep -v -x -E "PATH|HOME|USER|LOGNAME|SHELL|LANG|TZ|LD_LIBRARY_PATH|PWD|OLDPWD|SHLVL|_|\
LC_[A-Z]*|RONDO_[A-Z_]*|SLURM_[A-Z_]*|SBATCH_[A-Z_]*|XDG_[A-Z]*_(HOME|DIRS)" names
'

check 'the script can be read, and rondo takes its place' '
	tail -n 1 repos.batch/slurm/job.sh >last &&
	echo "exec $(readlink -f "$RONDO") batch '\''$PWD/repos.batch'\''" \
		"--shard array/3 --jobs 1 --quiet" | test_cmp - last && sh -n repos.batch/slurm/job.sh &&
	grep "1 verified" repos.batch/slurm/2.log && grep "job 1 restart 0$" repos.batch/slurm/2.starts
'

check 'what is done is not submitted again' '
	batch repos.batch >out && grep "3 tasks, 3 of them ended before" out &&
	test "$(grep -c ^sbatch fake/calls)" = 1 && ! grep "parts" out
'

check 'the same results as on one machine' '
	shown repos.batch/results.jsonl >cluster && red 3 && "$RONDO" batch repos --executor local \
		--test "sh t.sh" --coder "sed -i s/no/yes/ f.txt" >out &&
	shown repos.batch/results.jsonl >alone && test_cmp alone cluster
'

check 'what the jobs are asked for' '
	red 5 && batch repos --per-job 2 --at-once 2 --jobs 2 --total-tokens 30 --total-cost 3 \
		--slurm-option=--partition=fix --slurm-option=--time=10 >out &&
	grep "^sbatch .*--cpus-per-task=2 --partition=fix --time=10 --array=0-2%2 " fake/calls &&
	grep "array/3 --jobs 2 --total-tokens 10 --total-cost 1.0* --quiet$" repos.batch/slurm/job.sh &&
	grep "5 verified" out && test "$(wc -l <repos.batch/results.1-of-3.jsonl)" = 2
'

check 'an array is not larger than Slurm lets it be' '
	red 3 && echo 2 >fake/most && test_expect_code 2 batch repos --per-job 1 2>err &&
	grep "makes 3 jobs, and this Slurm takes at most 2 in an array (MaxArraySize)" err &&
	grep "help  --per-job 2" err && batch repos >out && grep "^sbatch .*--array=0-1 " fake/calls
'

check 'what sbatch refuses is told in its own words' '
	red 1 && printf "sbatch: error: invalid partition specified: no\n%s\n" \
		"sbatch: error: Batch job submission failed: Invalid partition name" >fake/refuses &&
	test_expect_code 2 batch repos 2>err && cat err && grep \
	"sbatch: exit code 1: invalid partition specified: no; Batch job submission failed: Inv" err &&
	grep "help  --slurm-option=ARG says" err &&
	echo "sbatch: error: Unable to contact slurm controller" >fake/refuses &&
	test_expect_code 75 batch repos 2>err && grep "Unable to contact" err
'

check 'without Slurm nothing is begun' '
	red 1 && mkdir -p bin && for program in env git sh; do
		ln -sf "$(command -v $program)" bin/ || return
	done && (PATH=$PWD/bin && test_expect_code 2 batch repos 2>err) &&
	grep "needs Slurm.s programs, and sbatch is not in PATH" err && grep "slurm-client" err &&
	! test -e repos.batch
'

check 'options that cannot be' '
	red 1 && for option in --array=1 --arr=1 -a1 --export=ALL --wrap=x --output=x -W; do
		test_expect_code 2 batch repos --slurm-option=$option 2>err &&
		grep "rondo itself says this to sbatch" err || return
	done && test_expect_code 2 batch repos --slurm-option cpu 2>err && grep "as one word" err &&
	test_expect_code 2 batch repos --shard 1/2 2>err && grep "takes no --shard" err &&
	test_expect_code 2 "$RONDO" batch repos --detach 2>err &&
	grep "^rondo: --detach is for --slurm, which is not given" err &&
	echo "X_API_KEY=$KEY" >keys && chmod 644 keys &&
	test_expect_code 2 batch repos --env-file keys 2>err && grep "chmod 600 .*keys" err &&
	chmod 600 keys && batch repos --env-file keys >out && ! grep -r "$KEY" fake repos.batch
'

check '--detach returns at once; --status says where the jobs are; the batch is gone on with' '
	red 2 && echo hold >fake/ways && batch repos --detach >out && cat out &&
	grep "^ *status  *rondo batch --status repos.batch$" out &&
	grep "^ *collect  *rondo batch --collect repos.batch$" out &&
	test_expect_code 1 "$RONDO" batch --status repos.batch >out &&
	grep "slurm  *job array 1: 0 run, 2 wait (Resources)" out && grep "left  *2 not started" out &&
	grep "go on  *rondo batch repos.batch --slurm" out && element 1 0 &&
	echo "0 RUNNING None" >fake/queue/1 &&
	test_expect_code 1 "$RONDO" batch --collect repos.batch >out &&
	grep "job array 1: 1 run$" out && test "$(wc -l <repos.batch/results.jsonl)" = 1 &&
	{ batch repos.batch >out & } && pid=$! && await "grep -q attached out" &&
	element 1 1 && wait $pid && cat out &&
	grep "2 tasks, 1 of them ended before" out && grep "2 verified" out &&
	test "$(grep -c ^sbatch fake/calls)" = 1 && "$RONDO" batch --status repos.batch >out &&
	grep "job array 1 has ended" out
'

check 'as JSON Lines' '
	red 1 && echo hold >fake/ways && batch repos --detach --json >out &&
	grep "\"slurm\":\"job array 1\"" out &&
	element 1 0 && "$RONDO" batch --status repos.batch --json >out &&
	grep "\"slurm\":\"job array 1 has ended\"" out
'

check 'Ctrl-C cancels the jobs and collects; the batch can be gone on with' '
	red 2 && echo hold >fake/ways && on_jobs "element 1 0; kill -INT \$pid" &&
	cat out err && test $code = 130 && grep "^scancel 1$" fake/calls &&
	grep "job array 1 is cancelled" out && grep "r0  *verified" out &&
	grep "help  rondo batch .repos.batch. --slurm goes on" err &&
	test "$(wc -l <repos.batch/results.jsonl)" = 1 && batch repos.batch >out &&
	grep "^sbatch .*--array=1 " fake/calls && grep "2 verified" out
'

check 'a closed terminal leaves the jobs alone' '
	red 1 && echo hold >fake/ways && on_jobs "kill -HUP \$pid" && test $code = 129 &&
	! grep scancel fake/calls
'

check 'what the array left undone is submitted again' '
	red 3 && echo "lose 1" >fake/ways && batch repos >out && cat out &&
	grep "job array 2: once more 1 of 3 parts" out && grep "3 verified" out &&
	test "$(grep -c ^sbatch fake/calls)" = 2 && grep "^sbatch .*--array=1 " fake/calls
'

check 'but twice at most: then it is told what is missing' '
	red 3 && printf "lose 1\nlose 1\nlose 1\n" >fake/ways && test_expect_code 1 batch repos >out &&
	cat out && test "$(grep -c ^sbatch fake/calls)" = 3 && grep "2 verified" out &&
	grep "1 not started: no job of job array 3 began with r1; do all nodes see this dir" out
'

check 'what is requeued does not wait, and begins three times at most' '
	red 2 && echo hold >fake/ways && on_jobs "
		printf \"1\n2\n3\n\" >repos.batch/slurm/1.starts
		echo \"0 PENDING BeginTime\" >fake/queue/0
		echo \"1 PENDING BeginTime\" >fake/queue/1
		await \"grep -q 1_1 out\"
		echo \"1 PENDING BeginTime\" >fake/queue/0" && cat out && test $code = 1 &&
	grep "^scontrol update jobid=1_0 StartTime=now" fake/calls &&
	test "$(grep -n update fake/calls | head -n 1 | cut -d_ -f2)" = "1 StartTime=now" &&
	grep "job 1_0 was requeued and begins again" out && grep "r0  *verified" out &&
	grep "this part has begun 3 times before, and begins no more" repos.batch/slurm/1.log &&
	grep "1 not started: job 1_1 began 4 times; its slurm/1.log says more: r1" out &&
	test "$(grep -c ^sbatch fake/calls)" = 1
'

check 'a job whose task met a fault that may pass exits 75, and is submitted again' '
	red 2 && mkdir -p repos.batch/tasks/r1 && hold repos.batch/tasks/r1/lock &&
	printf "hold\nrun\n" >fake/ways && on_jobs "
		element 1 1
		exec 9>&-
		await \"flock -n repos.batch/tasks/r1/lock true\"
		element 1 0" && cat out && test $code = 0 &&
	grep "job 1 exit code 75" fake/ends && grep "2 verified" out &&
	grep "^sbatch .*--array=1 " fake/calls
'

check 'a queue that does not answer is asked again; another error ends it' '
	red 1 && echo hold >fake/ways && on_jobs "
		squeue_says \"slurm_load_jobs error: Unable to contact slurm controller\"
		await \"! test -e fake/fails\"
		element 1 0" && test $code = 0 && grep "1 verified" out &&
	red 1 && echo hold >fake/ways && on_jobs "squeue_says \"squeue: error: No way\"" &&
	test $code = 2 && grep "^rondo: squeue: exit code 1: No way$" err
'

check 'an array that Slurm has forgotten has ended' '
	red 1 && echo hold >fake/ways && on_jobs "
		element 1 0
		squeue_says \"slurm_load_jobs error: Invalid job id specified\"" && test $code = 0 &&
	grep "1 verified" out
'

check 'one of several clusters' '
	red 1 && echo hold >fake/ways && echo ";west" >fake/cluster && on_jobs "kill -TERM \$pid" &&
	test $code = 143 && grep "^squeue --clusters=west .* --jobs 1$" fake/calls &&
	grep "^scancel --clusters=west 1$" fake/calls
'

check 'a path with signs that a shell or Slurm would read' '
	red 1 && batch repos --out "a %a \$b" >out && grep "1 verified" out &&
	grep "^. 1 verified" "a %a \$b/slurm/0.log"
'

# alone ARGUMENT...: without an array.
alone() {
	"$RONDO" batch repos --executor local --test "sh t.sh" --coder "sed -i s/no/yes/ f.txt" "$@"
}

check '--shard array/N: the part is that of a job of any array' '
	red 3 && JOB_COMPLETION_INDEX=1 alone --shard array/3 >out && grep "r1 .*verified" out &&
	! grep "r[02] " out && test -s repos.batch/results.2-of-3.jsonl &&
	AWS_BATCH_JOB_ARRAY_INDEX=2 alone --shard array/3 >out && grep "r2 .*verified" out &&
	test_expect_code 2 alone --shard array/3 2>err && grep "is for a job of an array" err &&
	JOB_COMPLETION_INDEX=3 test_expect_code 2 alone --shard array/3 2>err &&
	grep "JOB_COMPLETION_INDEX is .3., and the jobs for 3 parts are 0 to 2" err &&
	test_expect_code 2 alone --shard array/0 2>err && grep "must be I/N" err
'

# rondo_has_open FILE: it waits for the lock on it, if somebody else has that.
rondo_has_open() {
	find /proc/[0-9]*/fd -lname "$PWD/$1" 2>/dev/null | sed "s:fd/.*:comm:" |
		xargs -r cat 2>/dev/null | grep -qx rondo
}

check 'a job waits while another one works on its part' '
	red 1 && mkdir -p repos.batch && hold repos.batch/lock.1-of-2 &&
	{ (exec 9>&- && JOB_COMPLETION_INDEX=0 alone --shard array/2 >out) & } && pid=$! &&
	await "rondo_has_open repos.batch/lock.1-of-2" &&
	test_expect_code 2 alone --shard 1/2 2>err && grep "another rondo batch works on" err &&
	exec 9>&- && wait $pid && grep "1 verified" out
'

test_done
