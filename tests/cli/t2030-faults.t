#!/bin/sh
test_description='directories that cannot be written, full disks'
. "$(dirname "$0")/lib.sh"

check 'the state directory cannot be made' '
	tiny one && cd one && XDG_STATE_HOME=/proc/nowhere test_expect_code 2 fix 2>../err &&
	grep "^rondo: cannot make directory" ../err && grep "^  help  set XDG_STATE_HOME" ../err
'

check 'the cache directory cannot be made' '
	cd one && XDG_CACHE_HOME=/proc/nowhere test_expect_code 2 fix 2>../err &&
	grep "^  help  set XDG_CACHE_HOME" ../err
'

check ROOT 'a full disk: exit code 75, nothing touched, nothing left' '
	mkdir full && cd one && fingerprint >../before &&
	unshare -m sh -c "mount -t tmpfs -o size=32k tmpfs ../full &&
		XDG_CACHE_HOME=\$PWD/../full \"$RONDO\" fix --executor $EXECUTOR; echo \$?" >../out \
			2>../err &&
	tail -1 ../out | grep "^75$" && grep -i "no space left" ../err && fingerprint >../after &&
	test_cmp ../before ../after
'

check ROOT 'a disk that fills up under the journal: exit code 75' '
	mkdir state-full && tiny journal && cd journal &&
	unshare -m sh -c "mount -t tmpfs -o size=16k tmpfs ../state-full &&
		XDG_STATE_HOME=\$PWD/../state-full \"$RONDO\" fix --executor $EXECUTOR; echo \$?" >../out \
			2>../err &&
	tail -1 ../out | grep "^75$" && grep -i "no space left" ../err &&
	test -z "$(ls ../cache/rondo/work)"
'

# with_free_pages N: runs the diary with N pages of 4 KiB for the state and prints its exit code. A
# run that fails leaves nothing, or rondo resume ends it as if nothing had happened.
cat >with_free_pages <<-\EOF
	set -e
	mount -t tmpfs -o size=400k tmpfs small
	head -c 1M /dev/zero >small/filler 2>err || :
	truncate -s "-$(($1 * 4))K" small/filler
	code=0
	"$RONDO" run diary.yaml >out 2>err || code=$?
	rm small/filler
	test $code = 0 || grep -qi "no space left" err
	if test -z "$(ls small/rondo/runs 2>/dev/null)"; then
		"$RONDO" run diary.yaml >out
	elif test $code != 0; then
		"$RONDO" resume >out
	fi
	"$RONDO" show --normal >actual
	cmp expected actual
	cmp diary.expected small/rondo/runs/*/files/diary
	echo $code
EOF

check LONG,ROOT 'a full disk at any point of a run: it can be resumed, or nothing is left' '
	diary "- TERMINATE" >diary.yaml && rm -rf state && "$RONDO" run diary.yaml >out &&
	"$RONDO" show --normal >expected && cp state/rondo/runs/*/files/diary diary.expected &&
	mkdir small && export RONDO XDG_STATE_HOME=$HOME/small &&
	for n in $(seq 1 2 40); do
		code=$(unshare -m sh ./with_free_pages $n) || exit 1
		test $code = 75 || break
	done && test $code = 0 && test $n -gt 8
'

test_done
