#!/bin/sh
test_description='one Java virtual machine does all runs of a suite, as if each had its own'
. "$(dirname "$0")/../cli/lib.sh"

if ! command -v javac >/dev/null; then
	skip_all='no javac'
	test_done
fi

cp "$(dirname "$RONDO")/agents/trial/warm/rerun.elf" rerun

# T says in which process it runs, how often, and what the run before it has left.
mkdir program && cat >program/T.java <<\EOF
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

class T {
	static int runs;

	public static void main(String[] words) throws Exception {
		String pid = ProcessHandle.current().pid() + "\n";
		Files.writeString(Path.of(System.getenv("PIDS")), pid, StandardOpenOption.APPEND);
		System.out.println(++runs + " " + System.getProperty("left") + " " + Locale.getDefault());
		System.setProperty("left", "something");
		Locale.setDefault(Locale.ROOT);
		switch (words.length == 0 ? "" : words[0]) {
		case "exit":
			System.exit(3);
		case "throw":
			throw new IllegalStateException("no");
		case "assert":
			assert words.length > 1;
			break;
		case "late":
			new Thread(() -> System.exit(4)).start();
			break;
		case "daemon":
			Thread thread = new Thread(T::hang);
			thread.setDaemon(true);
			thread.start();
			break;
		case "hang":
			hang();
		case "read":
			System.out.println((char) System.in.read());
			break;
		default:
			System.err.println("to the other stream");
		}
	}

	static void hang() {
		for (;;)
			;
	}
}
EOF

# runs NUMBER...: what T does for each, after it was compiled and run once.
runs() {
	rm -rf out pids printed log && : >pids && cat >again <<-\EOF &&
	echo "run $rondo_x" >>log
	case "$rondo_x" in
	1) java -cp out T exit ;;
	2) java -cp out T throw ;;
	3) java -ea -cp out T assert ;;
	4) java -cp out T late ;;
	5) java -cp out T daemon ;;
	6) java -cp out T hang ;;
	7) echo a | java -cp out T read ;;
	8) java -Xss2m -cp out T ;;
	9) cd out && java T ;;
	10) java -cp out Missing ;;
	*) java -cp out T ;;
	esac >>log 2>&1
	EOF
	{
		echo "0 0 0 20000 20000"
		for number; do
			echo "$number 1 $number 4000 60000"
		done
	} | PIDS="$PWD/pids" ../rerun rondo_x printed \
		"javac -d out T.java && . ./again" ". ./again" : >answers &&
	sed -i "s/ [0-9]* [0-9]*$//" answers && cat answers log
}

# has_pids N: so many processes ran T after the first one.
has_pids() {
	sed 1d pids | sort -u | wc -l | grep -qx "$1"
}

# No run has met what another one left.
are_alike() {
	grep "^[0-9]* [^ ]* [a-zA-Z_]*$" log | grep -v "^run" | sort | uniq -c | sed "s/^ *//" >alike
	grep -qx "$(wc -l <pids) 1 null [a-zA-Z_]*" alike && wc -l <alike | grep -qx 1
}

check 'a run ends as it would in a machine of its own' '
	cd program && runs 0 1 2 3 4 && cat >expected <<-\EOF && test_cmp expected answers &&
	0 exit 0
	0 exit 0
	1 exit 3
	2 exit 1
	3 exit 1
	4 exit 4
	EOF
	has_pids 1 && are_alike && ! grep "Resident\|reflect" log &&
	grep "^Exception in thread .main. java.lang.IllegalStateException: no" log &&
	grep "^Exception in thread .main. java.lang.AssertionError" log
'

check 'what does not end is stopped, and the next one has another machine' '
	cd program && runs 6 0 5 0 && cat >expected <<-\EOF && test_cmp expected answers &&
	0 exit 0
	6 timeout 0
	0 exit 0
	5 exit 0
	0 exit 0
	EOF
	has_pids 3 && are_alike
'

check 'what a machine that stays cannot do is done by another one' '
	cd program && runs 0 7 8 9 0 && cat >expected <<-\EOF && test_cmp expected answers &&
	0 exit 0
	0 exit 0
	7 exit 0
	8 exit 0
	9 exit 0
	0 exit 0
	EOF
	has_pids 4 && grep -x a log && are_alike && runs 10 0 && grep "^10 exit 1$" answers &&
	grep "Could not find or load main class Missing" log
'

check 'nothing of it is left' '
	cd program && runs 6 0 && ! pgrep -f "$PWD" && test ! -e /proc/"$(tail -1 pids)"
'

test_done
