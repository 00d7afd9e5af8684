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

check ROOT 'a full disk: exit 75, nothing touched, nothing left' '
	mkdir full && cd one && fingerprint >../before &&
	unshare -m sh -c "mount -t tmpfs -o size=32k tmpfs ../full &&
		XDG_CACHE_HOME=\$PWD/../full \"$RONDO\" fix --executor $EXECUTOR; echo \$?" >../out 2>../err &&
	tail -1 ../out | grep "^75$" && grep -i "no space left" ../err && fingerprint >../after && test_cmp ../before ../after
'

check ROOT 'a disk that fills up under the journal: exit 75' '
	mkdir state-full && tiny journal && cd journal &&
	unshare -m sh -c "mount -t tmpfs -o size=16k tmpfs ../state-full &&
		XDG_STATE_HOME=\$PWD/../state-full \"$RONDO\" fix --executor $EXECUTOR; echo \$?" >../out 2>../err &&
	tail -1 ../out | grep "^75$" && grep -i "no space left" ../err && test -z "$(ls ../cache/rondo/work)"
'

test_done
