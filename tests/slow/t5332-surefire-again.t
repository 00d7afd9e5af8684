#!/bin/sh
test_description='tests that Maven has run are run again without it, and are named alike'
. "$(dirname "$0")/../cli/lib.sh"
SQ="'"

# project DIR JUNIT SUREFIRE: test classes come later.
project() {
	case $2 in
	4) artifact='<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>' ;;
	*) artifact='<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>' ;;
	esac
	mkdir -p "$1/src/test/java/acme" "$1/src/main/java/acme" "$1/.mvn" &&
		echo "-Dmaven.repo.local=$RONDO_BUILD/m2" >"$1/.mvn/maven.config" && cat >"$1/pom.xml" <<-EOF
	<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
	<groupId>acme</groupId><artifactId>acme</artifactId><version>1</version>
	<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
	<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
	<dependencies><dependency>$artifact<scope>test</scope></dependency></dependencies>
	<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>$3</version></plugin></plugins></build>
	</project>
	EOF
}

# class DIR NAME: a class of tests, from standard input.
class() {
	{
		echo "package acme;"
		if grep -q jupiter "$1/pom.xml"; then
			printf "import org.junit.jupiter.%s.*;\n" api params params.provider
			echo "import static org.junit.jupiter.api.Assertions.*;"
		else
			printf "import org.junit.%s*;\n" "" runner. runners.
			echo "import static org.junit.Assert.*;"
		fi
		echo "import java.util.*; import java.util.stream.*;"
		echo "public class $2 {"
		cat
		echo "}"
	} >"$1/src/test/java/acme/$2.java"
}

classes5() {
	class "$1" MostTest <<-\EOF &&
	@Test void red() { assertEquals(1, 2); }
	@Test void error() { throw new IllegalStateException("<&>\""); }
	@Test void green() {}
	@Test @DisplayName("a name") void named() {}
	@Test void assumed() { Assumptions.assumeTrue(false); }
	@Test @Disabled void off() {}
	@ParameterizedTest @CsvSource({"1,a", "2,b"}) void two(int n, String s) { assertEquals(1, n); }
	@RepeatedTest(2) void twice() {}
	@TestFactory Stream<DynamicTest> made() {
		return Stream.of(DynamicTest.dynamicTest("one", () -> {}));
	}
	@Nested class Inner { @Test void inner() { fail(); } }
	EOF
	class "$1" FailsTest <<-\EOF &&
	@BeforeAll static void all() { throw new IllegalStateException(); }
	@Test void never() {}
	EOF
	{ echo "@Test void alone() {}" | class "$1" OffTest; } &&
		sed -i "s/^public class/@Disabled &/" "$1/src/test/java/acme/OffTest.java"
}

classes4() {
	class "$1" MostTest <<-\EOF &&
	@Test public void red() { assertEquals(1, 2); }
	@Test public void error() { throw new IllegalStateException("<&>\""); }
	@Test public void green() {}
	@Test(expected = IllegalStateException.class) public void other() {
		throw new IllegalStateException();
	}
	@Test @Ignore public void off() {}
	EOF
	class "$1" FailsTest <<-\EOF &&
	@BeforeClass public static void all() { throw new IllegalStateException(); }
	@Test public void never() {}
	EOF
	class "$1" TwoTest <<-\EOF &&
	@Parameterized.Parameters public static List<Object[]> all() {
		return Arrays.asList(new Object[] {1}, new Object[] {2});
	}
	@Parameterized.Parameter public int n;
	@Test public void one() { assertEquals(1, n); }
	EOF
	sed -i "s/^public class/@RunWith(Parameterized.class) &/" "$1/src/test/java/acme/TwoTest.java" &&
		{ echo "public void testOld() {}" | class "$1" OldTest; } &&
		sed -i "s/^public class OldTest/& extends junit.framework.TestCase/" \
			"$1/src/test/java/acme/OldTest.java"
}

# Once from Maven Central into a directory that outlives a run; from then on offline.
fetch() {
	for versions in 5-2.22.2 5-3.2.5 4-2.12.4 4-3.2.5; do
		project "junit$versions" "${versions%-*}" "${versions#*-}" &&
			"classes${versions%-*}" "junit$versions" &&
			(cd "junit$versions" && mvn -q test -Dmaven.test.failure.ignore) || return
	done
}

if command -v mvn >/dev/null && command -v javac >/dev/null; then
	fetch >fetch.log 2>&1 && test_set_prereq FETCHED || cat fetch.log
fi

cp "$(dirname "$RONDO")/agents/trial/warm/rerun.elf" rerun

# results: what the reports say, without times.
results() {
	python3 - <<-\EOF
	import glob
	import xml.etree.ElementTree as tree
	print(*sorted(
	    (case.get("classname"), case.get("name"),
	     *(outcome.tag for outcome in case if outcome.tag in ("failure", "error", "skipped")))
	    for path in glob.glob("target/surefire-reports/TEST-*.xml")
	    for case in tree.parse(path).iter("testcase")), sep="\n")
	EOF
}

# begin LINE...: the program, with its questions at 7. ask ID LINE: until it has answered.
begin() {
	mkfifo questions && rm -rf target answers && { ../rerun rondo_x printed "$@" \
		<questions >answers & } && exec 7>questions && rm questions
}
ask() {
	echo "$1 $2 $1 60000 60000" >&7 &&
		tail -n +1 -f answers --pid=$! | sed -n "s/^$1 /&/p;/^$1 /q"
}
end() {
	exec 7>&- && wait
}

# again: what Maven says, and what the same tests say without it, are in maven and alone.
again() {
	line="rm -rf target/surefire-reports; exec rondo-replay goal 'mvn -q -o test -Dmaven.test.failure.ignore"
	line="$line \"-Djvm=\$(command -v rondo-note).jdk/bin/java\"'"
	begin "$line" "$line" : && ask 0 0 && results >maven && ask 1 1 && end &&
		results >alone && cat answers &&
		grep "^1 exit 0 " answers && test -e target/surefire-reports/TEST-surefire.*.xml &&
		test_cmp maven alone
}

check FETCHED 'JUnit 5 by Surefire 3' 'cd junit5-3.2.5 && again && grep "Inner.*failure" alone'

check FETCHED 'JUnit 5 by Surefire 2' 'cd junit5-2.22.2 && again'

check FETCHED 'JUnit 4 and 3 by Surefire 3' 'cd junit4-3.2.5 && again'

check FETCHED 'JUnit 4 and 3 by the Surefire that Maven 3 takes' 'cd junit4-2.12.4 && again'

# one VALUE: the text of a class.
one() {
	echo "package acme; class One { static int one() { return $1; } }"
}

check FETCHED 'new texts are compiled without Maven; with a new file they are not' '
	project texts 5 3.2.5 && cd texts && new=new/src/main/java/acme && mkdir -p $new &&
	one 2 >src/main/java/acme/One.java && bin="\$(command -v rondo-note).jdk/bin" &&
	echo "@Test void one() { assertEquals(1, One.one()); }" | class . OneTest &&
	line="echo >>starts; mvn -q -o test -Dmaven.test.failure.ignore \"-Djvm=$bin/java\"" &&
	line="$line -Dmaven.compiler.fork=true \"-Dmaven.compiler.executable=$bin/javac\"" &&
	begin "rm -rf target/surefire-reports; exec rondo-replay goal ${SQ}$line$SQ new" : : &&
	ask 0 0 && results | grep failure && one 1 >$new/One.java && ask 1 0 &&
	results | grep one && ! results | grep failure && one x >$new/One.java && ask 2 0 &&
	grep "^2 exit 1 " answers && grep "One.java:1: error: cannot find symbol" printed &&
	test $(wc -l <starts) = 1 && one "Two.one()" >$new/One.java &&
	one 1 | sed "s/One/Two/" >$new/Two.java && ask 3 0 && end && results | grep one &&
	! results | grep failure && test $(wc -l <starts) = 2
'

check SANDBOX,FETCHED 'rondo fix tries candidates so' '
	project scale 5 3.2.5 && cd scale && git init -q && echo target >.gitignore &&
	mkdir -p "$HOME/.m2" && cp -al "$RONDO_BUILD/m2" "$HOME/.m2/repository" &&
	rm .mvn/maven.config &&
	cat >src/main/java/acme/Scale.java <<-\EOF && class . ScaleTest <<-\EOF2 && commit_all &&
	package acme;

	class Scale {
		private final int least, most;

		Scale(int least, int most) {
			this.least = least;
			this.most = most;
		}

		/** The sum of what is not too light; too much is an error. */
		int weigh(int... weights) {
			int sum = 0;
			for (int weight : weights) {
				if (weight < least)
					continue;
				sum += weight;
			}
			if (sum < most)
				throw new IllegalArgumentException("too much");
			return sum;
		}
	}
	EOF
	@Test void weighs() { assertEquals(4, new Scale(2, 9).weigh(1, 4)); }
	@Test void tooMuch() {
		assertThrows(IllegalArgumentException.class, () -> new Scale(2, 9).weigh(5, 5));
	}
	EOF2
	RONDO_LOG=debug fix --limit repair=100s >../out 2>../log &&
	git show "$(the_branch)" | grep "^+.*sum > most" &&
	grep "candidates in one build: it does as the base" ../log && grep "rerun *number [2-9]" ../log
'

test_done
