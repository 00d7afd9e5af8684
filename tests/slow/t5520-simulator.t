#!/bin/sh
test_description='conversations with simulated models that write the right fix in a wrong form'
. "$(dirname "$0")/../cli/lib.sh"

simulator=$SOURCE/tests/bench/simulator/run

seeds=20
[ -z "$SHORT" ] || seeds=6
check 'seeded conversations end verified, or say why' '
	"$simulator" --seeds "$seeds" --step 11 --results results --log first >said ||
		{ cat said && exit 1; }
	tail -n 2 said | grep "^all  *$seeds "
'

check 'the same seed is the same conversation' '
	"$simulator" --seeds 3 --from 12 --step 11 -j 1 --results results --log again >said &&
	test $(grep -c "" again) -ge 3 && while read -r line; do
		grep -qxF "$line" first || { echo "$line" && exit 1; }
	done <again
'

check 'the table is made of the results' '
	"$simulator" --table --results results >table &&
	grep "^Of 3 conversations " table && grep "^| all | 3 | 3 |" table
'

check 'a rondo that says nothing fails' '
	printf "#!/bin/sh\nexit 1\n" >mute && chmod +x mute &&
	! RONDO=$PWD/mute "$simulator" --seed 1 --results results >said &&
	grep "seed 1 no_path basket: exit code 1" said
'

test_done
