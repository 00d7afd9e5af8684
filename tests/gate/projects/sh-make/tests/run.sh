. ./shapes.sh

n=0 failed=0

# is NAME FOUND EXPECTED
is() {
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "# found $2, expected $3"
		failed=1
	fi
}

echo 1..2
is area "$(area 3 5)" 15
is perimeter "$(perimeter 3 5)" 16
exit $failed
