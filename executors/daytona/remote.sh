# shellcheck shell=sh
# Runs a line for rondo where a tree lies elsewhere, by sh and the tools that any image has, since the image is anybody's.
# The line gets a session of its own; all that came while it ran is killed at its end; what it printed and what it changed
# are one file, $place/answer.$number, which executors/daytona/answer.c reads. Arguments:
#   run PLACE NUMBER TREE CACHE OUTPUT FILE ALL FILES LINE [PATH...]
#       PLACE: a directory of rondo's own; NUMBER: of this command, which is run once, however often it is asked for; the most
#       bytes of output, of a file and of all files, and the most files; PATHs in the tree belong to it for good: what changes there is not handed over
#   await PLACE NUMBER ...    whether the answer is there: 10 yes, 11 not yet, 12 who makes it is gone, 13 it never began
#   collect PLACE NUMBER ...  end it where it stands, and hand over what there is
set -u
umask 022
what=$1 place=$2 number=$3 tree=$4 cache=$5 most_output=$6 most_file=$7 most_bytes=$8 most_files=$9
shift 9
line=$1
shift
newline='
'
for path; do
	set -- "$@" -o -path "./$path"
	shift
done

# A line for all that can change: root, mode, size, inode, time of the last change of any kind, name. No clock that a program sets
# is in it. Names that hold a newline are not told of, nor what git keeps.
list() {
	(cd "$tree" && find . \( -name "*$newline*" -o -name .git "$@" \) -prune -o -type d -exec stat -c 't 4 0 0 0 0 0 %n' {} + \
		-o -exec stat -c 't %f %s %i %z %n' {} +) 2>/dev/null
	(cd "$cache" && find . -name "*$newline*" -prune -o -type d ! -name . ! -path './report-*' -prune -o ! -type d \
		-exec stat -c 'c %f %s %i %z %n' {} +) 2>/dev/null
}

# The clock of changes ticks slowly: what is written from here on has another time than what was listed.
await_tick() {
	: >"$place/tick"
	tick=$(stat -c %z "$place/tick") n=0
	while [ "$(stat -c %z "$place/tick")" = "$tick" ] && [ $n -lt 1500 ]; do
		: >"$place/tick"
		touch "$place/tick"
		n=$((n + 1))
	done
}

# Fields of /proc/PID/stat behind the name: state, parent; and when it began.
look_at() {
	state='' parent=0 began=''
	read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
	# shellcheck disable=SC2086
	set -- ${stat##*) }
	state=${1-} parent=${2-0} began=${20-}
}

lives() {
	[ "$1" ] && look_at "$1" && [ "$state" != Z ]
}

processes() {
	for entry in /proc/[0-9]*; do
		look_at "${entry#/proc/}" && echo "${entry#/proc/} $began"
	done
}

# Whether a process came of the line: of those above it, the first that was there before is one from which the line itself came,
# for what loses its parent goes to one of those. What others have started since, below a process of theirs, is theirs.
came_of_line() {
	above=$1
	while look_at "$above" && [ "$parent" -gt 1 ]; do
		above=$parent
		case $line_of_descent in *" $above "*) return 0 ;; esac
		look_at "$above" || return 0
		case $known in *"$newline$above $began$newline"*) return 1 ;; esac
	done
	return 0
}

# Until nothing is left of what was not there before the line, but for this shell, those above it, and who reads the output.
kill_new() {
	known=$newline$(cat "$place/known")$newline
	line_of_descent=" $(cat "$place/began.$number") "
	pid=$$
	while [ "$pid" -gt 1 ] && look_at "$pid"; do
		line_of_descent="$line_of_descent$pid "
		pid=$parent
	done
	spared="$line_of_descent$(cat "$place/reader" 2>/dev/null) $*"
	round=0 found=yes
	while [ $found ] && [ $round -lt 1000 ]; do
		round=$((round + 1)) found=
		for entry in /proc/[0-9]*; do
			pid=${entry#/proc/}
			case $spared in *" $pid "*) continue ;; esac
			lives "$pid" || continue
			case $known in *"$newline$pid $began$newline"*) continue ;; esac
			came_of_line "$pid" && kill -9 "$pid" 2>/dev/null && found=yes
		done
	done
}

# Its writers are dead. One that may not be killed is not waited for.
await_reader() {
	n=0
	while lives "$(cat "$place/reader" 2>/dev/null)" && [ $n -lt 100 ]; do
		sleep 0.05 2>/dev/null || sleep 1
		n=$((n + 1))
	done
}

refuse() {
	printf 'x %s %s %s\n' "$1" "$2" "$3"
}

# What is new or other by now, with its bytes.
hand_over() {
	set -f
	files=0 bytes=0
	while IFS= read -r entry; do
		path=./${entry#* ./}
		# shellcheck disable=SC2086
		set -- $entry
		root=$1 mode=$2 size=$3
		if [ "$root" = t ]; then at=$tree/$path; else at=$cache/$path; fi
		[ "$path" != "./$entry" ] || continue
		files=$((files + 1))
		case $mode in
		4) printf 'd %s %s\n' "$root" "$path" ;;
		8???)
			if [ ! -r "$at" ]; then
				refuse "$root" unreadable "$path"
			elif [ "$size" -gt "$most_file" ]; then
				refuse "$root" large "$path"
			elif [ $files -gt "$most_files" ] || [ $((bytes + size)) -gt "$most_bytes" ]; then
				refuse "$root" many "$path"
			else
				bytes=$((bytes + size))
				printf 'f %s %s %s %s\n' "$root" "$mode" "$size" "$path"
				cat "$at" || return 1
			fi
			;;
		a???)
			target=$(readlink "$at")
			case $target in
			*"$newline"*) refuse "$root" strange "$path" ;;
			*) printf 'l %s %s\n%s\n' "$root" "$path" "$target" ;;
			esac
			;;
		*) refuse "$root" special "$path" ;;
		esac
	done
}

tell_gone() {
	while IFS= read -r entry; do
		path=./${entry#* ./} root=${entry%% *}
		if [ "$root" = t ]; then at=$tree/$path; else at=$cache/$path; fi
		[ -e "$at" ] || [ -L "$at" ] || printf 'g %s %s\n' "$root" "$path"
	done
}

# answer CODE APPLIED: CODE is a number or "-".
answer() {
	LC_ALL=C sort "$place/before" "$place/after" "$place/after" 2>/dev/null | uniq -u >"$place/old"
	LC_ALL=C sort "$place/after" "$place/before" "$place/before" 2>/dev/null | uniq -u >"$place/new"
	{
		printf 'rondo 1 %s %s %s\n' "$1" "$2" "$(stat -c %s "$place/out")" && cat "$place/out" &&
			tell_gone <"$place/old" && hand_over <"$place/new" && printf 'end\n'
	} >"$place/unfinished" 2>/dev/null || answer_short "$@"
	mv "$place/unfinished" "$place/answer.$number"
}

# There is no room for the whole one.
answer_short() {
	rm -f "$place/unfinished"
	head -c 32768 "$place/out" >"$place/some"
	{
		printf 'rondo 1 %s %s %s\n' "$1" "$2" "$(stat -c %s "$place/some")"
		cat "$place/some"
		printf 'x t full .\nend\n'
	} >"$place/unfinished"
}

finish() {
	await_reader
	rm -f "$place/ballast"
	mkdir -p "$tree"
	list "$@" >"$place/after"
	answer "$code" yes
}

# What was sent, in one go; an answer with its complaints where that fails.
apply() {
	[ -f "$place/apply" ] || return 0
	sh "$place/apply" >"$place/out" 2>&1
	failed=$?
	rm -rf "$place/apply" "$place/up"
	[ $failed != 0 ] || return 0
	: >"$place/before"
	: >"$place/after"
	answer 126 no
	exit 126
}

# Nothing of it holds what this script's own output goes to: whoever reads that waits for its end.
start() {
	own=$(command -v setsid)
	# shellcheck disable=SC2016
	$own sh -c '(exec sh -c "$1" >"$2/pipe" 2>&1 </dev/null); code=$?; echo "$code" >"$2/code"; exit "$code"' \
		sh "$line" "$place" >/dev/null 2>&1 &
	main=$!
	# shellcheck disable=SC2016
	{
		$own sh -c 'echo $$ >"$1/reader"; exec head -c "$2" <"$1/pipe" >"$1/out"' sh "$place" $((most_output + 1))
		[ "$(stat -c %s "$place/out")" -le "$most_output" ] || kill -9 "$main"
	} >/dev/null 2>&1 &
	reader=$!
}

run() {
	mkdir -p "$place" "$cache" && cd "$tree" || exit 125
	if ! mkdir "$place/$number"; then
		echo "rondo: begun already"
		exit 125
	fi 2>/dev/null
	rm -f "$place"/answer.* "$place"/began.* "$place/pipe" "$place/reader" "$place/code" "$place/before"
	echo $$ >"$place/began.$number"
	: >"$place/out"
	apply
	head -c 1048576 /dev/zero >"$place/ballast"
	list "$@" >"$place/before"
	mkfifo "$place/pipe" || exit 125
	await_tick
	processes >"$place/known"
	start
	wait "$main" 2>/dev/null
	code=$?
	kill_new " $reader "
	finish "$@"
	exit "$code"
}

await() {
	n=0
	[ -f "$place/began.$number" ] || exit 13
	while [ $n -lt 100 ]; do
		[ ! -f "$place/answer.$number" ] || exit 10
		lives "$(cat "$place/began.$number")" || exit 12
		sleep 0.1 2>/dev/null || sleep 1
		n=$((n + 1))
	done
	exit 11
}

collect() {
	[ -f "$place/began.$number" ] && [ -f "$place/before" ] || exit 13
	kill -9 "$(cat "$place/began.$number")" 2>/dev/null
	[ ! -f "$place/known" ] || kill_new
	code=$(cat "$place/code" 2>/dev/null)
	code=${code:--}
	finish "$@"
	exit 0
}

"$what" "$@"
