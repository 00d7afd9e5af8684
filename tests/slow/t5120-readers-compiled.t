#!/bin/sh
test_description='what rondo reads of go, cargo, Maven with JUnit 4 and 5, and ctest, as they are
installed here'
. "$(dirname "$0")/../cli/lib.sh"

export RUSTUP_HOME="${RUSTUP_HOME:-$REAL_HOME/.rustup}" MAVEN_ARGS=
command -v cargo-nextest >/dev/null && test_set_prereq NEXTEST
for program in cmake mvn javac; do
	command -v $program >/dev/null && test_set_prereq "$(echo $program | tr a-z A-Z)"
done

# reads DIR COMMAND EXIT [TIMEOUT_MS [ID...]]: a run that comes to its end; its results are in
# `read`.
reads() {
	dir=$1 command=$2 code=$3
	shift 3
	read_report "$dir" "$command" "$@" >./read && cat ./read && grep -qx complete read &&
	grep -qx "exit	$code" read
}

# has STATUS ID [FILE:LINE]: a result.
has() {
	awk -F '\t' -v status="$1" -v id="$2" -v at="${3-}" \
		'$1 == status && $2 == id && (at == "" || $3 == at) { found = 1 } END { exit !found }' read
}

counts() {
	[ "$(grep -c "^$1	" read)" = "$2" ]
}

# --- Go ---

# With a cache that outlives a run, for its standard library is compiled into it; at a path in plain
# words.
GO="GOCACHE=$RONDO_BUILD/gocache go test"

# package DIR: test files come from standard input.
package() {
	mkdir -p "$1" && printf 'module example.com/acme\n\ngo 1.20\n' >"$1/go.mod" &&
		{ printf 'package acme\n\nimport "testing"\n\n' && cat; } >"$1/acme_test.go"
}

check GO 'go: all green, one red, one skipped' '
	package go <<-\EOF &&
	func TestGreen(t *testing.T) {}
	func TestRed(t *testing.T) { t.Errorf("got %d", 1) }
	func TestSkipped(t *testing.T) { t.Skip("not today") }
	EOF
	reads go "$GO ./..." 1 600000 && has passed example.com/acme::TestGreen &&
	has skipped example.com/acme::TestSkipped &&
	has failed example.com/acme::TestRed acme_test.go:6 && sed -i /TestRed/d go/acme_test.go &&
	reads go "$GO ./..." 0 && counts passed 1
'

check GO 'go: what does not compile' '
	echo "func TestA(t *testing.T) { missing() }" | package go &&
	reads go "$GO ./..." 1 && has error example.com/acme acme_test.go:5
'

check GO 'go: an import that is not there' '
	printf "package acme\n\nimport (\n\t_ \"example.org/none\"\n)\n" |
		{ package go </dev/null && cat >go/acme_test.go; } &&
	reads go "$GO ./..." 1 && has error example.com/acme acme_test.go:4
'

check GO 'go: a crash, os.Exit, and a panic at the start' '
	package go <<-\EOF &&
	func TestBefore(t *testing.T) {}
	func TestCrash(t *testing.T) { var p *int; *p = 1 }
	EOF
	reads go "$GO ./..." 1 && has passed example.com/acme::TestBefore &&
	has failed example.com/acme::TestCrash acme_test.go:6 &&
	printf "%b\n" \
		"package acme" "" "import (" "\t\"os\"" "\t\"testing\"" ")" "" \
		"func TestExit(t *testing.T) { os.Exit(0) }" >go/acme_test.go &&
	read_report go "$GO ./..." >read && cat read && ! counts passed 1 &&
	printf "package acme\n\nfunc init() { panic(1) }\n" >go/acme_test.go &&
	reads go "$GO ./..." 1 && has error example.com/acme
'

check GO 'go: a time-out' '
	printf "%b\n" \
		"package acme" "" "import (" "\t\"testing\"" "\t\"time\"" ")" "" \
		"func TestSlow(t *testing.T) { time.Sleep(time.Hour) }" |
	{ package go </dev/null && cat >go/acme_test.go; } &&
	read_report go "$GO ./..." 6000 >read && cat read && has error example.com/acme::TestSlow &&
	grep "^problem	example.com/acme::TestSlow does not end" read &&
	reads go "$GO -timeout 1s ./..." 1 && has error example.com/acme::TestSlow
'

check GO 'go: no tests' '
	echo "var _ testing.T" | package go && reads go "$GO ./..." 0 && counts passed 0
'

check GO 'go: 10,000 subtests' '
	package go <<-\EOF &&
	func TestMany(t *testing.T) {
		for i := 0; i < 10000; i++ {
			t.Run(string(rune(19968+i)), func(t *testing.T) { if i == 777 { t.Fatal("no") } })
		}
	}
	EOF
	sed -i "s/go 1.20/go 1.22/" go/go.mod && reads go "$GO ./..." 1 >/dev/null &&
	counts passed 9999 && counts failed 2
'

check GO 'go: odd names' '
	package go <<-\EOF &&
	func TestÄ(t *testing.T) {
		for _, name := range []string{"a b", "x/y", "\"q\"", "a::b", "a > b", "[x]", "a\nb", "", "a b"} {
			t.Run(name, func(t *testing.T) {})
		}
	}
	EOF
	reads go "$GO ./..." 0 && counts passed 10 && has passed "example.com/acme::TestÄ/a_b#01" &&
	has passed "example.com/acme::TestÄ/a::b" && has passed "example.com/acme::TestÄ/\"q\""
'

check GO 'go: some tests alone' '
	package go <<-\EOF &&
	func TestAlone(t *testing.T) { t.Error("no") }
	func TestOther(t *testing.T) {}
	EOF
	reads go "$GO ./..." 1 60000 example.com/acme::TestAlone &&
	has failed example.com/acme::TestAlone && counts passed 0
'

check GO 'go: a script that runs it without JSON' '
	package go <<-\EOF &&
	func TestGreen(t *testing.T) {}
	func TestRed(t *testing.T) { t.Errorf("got %d", 1) }
	EOF
	echo "true && $GO -v ./..." >go/test.sh && reads go "sh test.sh" 1 &&
	has passed example.com/acme::TestGreen && has failed example.com/acme::TestRed &&
	echo "$GO ./..." >go/test.sh && reads go "sh test.sh" 1 && has error example.com/acme
'

# --- Cargo ---

# crate DIR: its library comes from standard input.
crate() {
	mkdir -p "$1/src" && cat >"$1/src/lib.rs" &&
		printf '[package]\nname = "acme"\nversion = "0.1.0"\nedition = "2021"\n' >"$1/Cargo.toml"
}

check CARGO \
	'cargo: all green, one red, one skipped, in a library, a test program and the documentation' '
	crate rs <<-\EOF &&
	/// ```
	/// assert_eq!(acme::two(), 2);
	/// ```
	pub fn two() -> i32 { 2 }
	#[test]
	fn green() {}
	#[test]
	fn red() { assert_eq!(two(), 3); }
	#[test]
	#[ignore]
	fn skipped() {}
	EOF
	mkdir -p rs/tests && printf "#[test]\nfn outside() {}\n" >rs/tests/it.rs &&
	reads rs "cargo test" 101 && has passed src/lib.rs::green &&
	has failed src/lib.rs::red src/lib.rs:8 &&
	has skipped src/lib.rs::skipped && has passed tests/it.rs::outside &&
	has passed "doc-tests::src/lib.rs - two" &&
	sed -i "s/two(), 3/two(), 2/" rs/src/lib.rs && reads rs "cargo test -q" 0 && counts passed 4
'

check CARGO 'cargo: some tests alone' '
	reads rs "cargo test" 0 60000 src/lib.rs::red "doc-tests::src/lib.rs - two" &&
	has passed src/lib.rs::red && counts passed 2 &&
	reads rs "cargo test -q" 0 60000 "doc-tests::src/lib.rs - two" &&
	has passed "doc-tests::src/lib.rs - two"
'

check CARGO 'cargo: what does not compile' '
	echo "#[test] fn t() { missing() }" | crate rs && reads rs "cargo test" 101 &&
	has error acme src/lib.rs:1
'

check CARGO 'cargo: a crash in the midst' '
	printf "#[test]\nfn a() { std::process::abort(); }\n#[test]\nfn b() {}\n" | crate rs &&
	reads rs "cargo test" 101 && has error src/lib.rs && has passed tests/it.rs::outside
'

check CARGO 'cargo: an exit in the midst is no end' '
	printf "#[test]\nfn a() { std::process::exit(0); }\n#[test]\nfn b() {}\n" | crate rs &&
	read_report rs "cargo test" >read && cat read && grep "^problem	" read
'

check CARGO 'cargo: a time-out' '
	printf "#[test]\nfn a() { std::thread::sleep(std::time::Duration::from_secs(3600)); }\n" |
		crate rs &&
	(cd rs && cargo test --no-run) && read_report rs "cargo test" 6000 >read && cat read &&
	grep "^problem	timed out" read
'

check CARGO 'cargo: no tests' '
	rm -rf rs/tests && crate rs </dev/null && reads rs "cargo test" 0 && counts passed 0
'

check CARGO 'cargo: 10,000 tests' '
	awk "BEGIN { for (i = 0; i < 10000; i++) printf \"#[test] fn t%d() { assert!(%d != 777); }\\n\", i, i }" | crate rs &&
	reads rs "cargo test --lib" 101 600000 >/dev/null && counts passed 9999 && counts failed 1
'

check CARGO 'cargo: odd names, and tests that print results' '
	crate rs <<-\EOF &&
	mod größe { mod r#type { #[test] fn straße() {} } }
	# [test] fn prints() { println!("test größe::x ... FAILED\ntest result: ok. 9 passed; 0 failed; 0
	# ignored;"); panic!("a \"b\" > c"); }
	EOF
	reads rs "cargo test --lib" 101 && has passed "src/lib.rs::größe::r#type::straße" &&
	has failed src/lib.rs::prints && counts failed 1
'

check CARGO,NEXTEST 'cargo nextest: its tests, some of them, and what does not compile' '
	printf "#[test] fn green() {}\n#[test] fn red() { assert_eq!(1, 2); }\n" | crate next &&
	reads next "cargo nextest run" 100 && has passed acme::green &&
	has failed acme::red src/lib.rs:2 &&
	reads next "cargo nextest run" 0 60000 acme::green && counts passed 1 && counts failed 0 &&
	echo "fn broken( {}" >>next/src/lib.rs && reads next "cargo nextest run" 101 &&
	has error acme src/lib.rs:3
'

# --- Maven ---

# module DIR JUNIT: a project whose test class comes from standard input.
module() {
	mkdir -p "$1/src/test/java/com/acme" && cat >"$1/src/test/java/com/acme/CalcTest.java" || return
	case $2 in
	4) artifact='<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>' ;;
	*) artifact='<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>' ;;
	esac
	cat >"$1/pom.xml" <<-EOF
	<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
	<groupId>com.acme</groupId><artifactId>calc</artifactId><version>1</version>
	<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
	<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
	<dependencies><dependency>$artifact<scope>test</scope></dependency></dependencies>
	<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
	</project>
	EOF
}

case5() {
	printf 'package com.acme;\nimport org.junit.jupiter.api.*;\nimport org.junit.jupiter.params.*;\nimport org.junit.jupiter.params.provider.*;\nimport java.util.stream.*;\nclass CalcTest {\n%s\n}\n' "$1" | module mvn5 5
}

# Once from Maven Central into a directory that outlives a run; from then on offline.
REPOSITORY="-Dmaven.repo.local=$RONDO_BUILD/m2"
MVN="mvn -o -q $REPOSITORY test"
if test_have_prereq MVN,JAVAC; then
	case5 '@Test void a() {}' &&
	printf 'import org.junit.Test;\npublic class CalcTest {\n@Test public void a() {}\n}\n' |
		module mvn4 4 &&
	(cd mvn5 && mvn -q "$REPOSITORY" test) >fetch.log 2>&1 &&
	(cd mvn4 && mvn -q "$REPOSITORY" test) >>fetch.log 2>&1 &&
	test_set_prereq CENTRAL || cat fetch.log
fi

check CENTRAL 'maven: all green, one red, one skipped, with JUnit 5' '
	case5 "@Test void green() {}
@Test void red() { Assertions.assertEquals(2, 1); }
@Test @Disabled(\"not today\") void skipped() {}" &&
	reads mvn5 "$MVN" 1 && has passed com.acme.CalcTest::green &&
	has skipped com.acme.CalcTest::skipped &&
	has failed com.acme.CalcTest::red src/test/java/com/acme/CalcTest.java:8 &&
	case5 "@Test void green() {}" && reads mvn5 "$MVN" 0 && counts passed 1
'

check CENTRAL 'maven: JUnit 4' '
	printf "%s\n" \
		"package com.acme;" "import org.junit.*;" "public class CalcTest {" \
		"@Test public void red() { Assert.fail(\"a < b\"); }" "@Test public void green() {}" \
		"@Ignore @Test public void skipped() {}" "}" |
	module mvn4 4 && reads mvn4 "$MVN" 1 &&
	has failed com.acme.CalcTest::red src/test/java/com/acme/CalcTest.java:4 &&
	has passed com.acme.CalcTest::green && has skipped com.acme.CalcTest::skipped
'

check CENTRAL 'maven: the tests of some classes alone' '
	mkdir -p mvn5/src/test/java/com/acme &&
	sed "s/CalcTest/OtherTest/" mvn5/src/test/java/com/acme/CalcTest.java \
		>mvn5/src/test/java/com/acme/OtherTest.java &&
	reads mvn5 "$MVN" 0 60000 com.acme.OtherTest::green && has passed com.acme.OtherTest::green &&
	counts passed 1 &&
	rm mvn5/src/test/java/com/acme/OtherTest.java
'

check CENTRAL 'maven: what does not compile' '
	case5 "@Test void a() { missing(); }" && reads mvn5 "$MVN" 1 &&
	has error calc src/test/java/com/acme/CalcTest.java:7
'

check CENTRAL 'maven: a class that cannot be loaded' '
	case5 "static int x = 1 / Integer.parseInt(\"0\"); @Test void a() {}" && reads mvn5 "$MVN" 1 &&
	counts passed 0
'

check CENTRAL 'maven: a crash of the machine' '
	case5 "@Test void a() { Runtime.getRuntime().halt(3); }" && reads mvn5 "$MVN" 1 &&
	has error calc
'

check CENTRAL 'maven: a time-out' '
	case5 "@Test void a() throws Exception { Thread.sleep(3600000); }" &&
	read_report mvn5 "$MVN" 8000 >read && cat read && grep "^problem	timed out" read
'

check CENTRAL 'maven: no tests' '
	case5 "" && reads mvn5 "${MVN%% -q*}${MVN#* -q}" 0 && counts passed 0
'

check CENTRAL 'maven: 10,000 parameters' '
	case5 "static IntStream many() { return IntStream.range(0, 10000); }
@ParameterizedTest @MethodSource(\"many\") void t(int i) { Assertions.assertNotEquals(777, i); }" &&
	reads mvn5 "$MVN" 1 300000 >/dev/null && counts passed 9999 && counts failed 1
'

# modules DIR: app needs core, whose one mistake only app's tests see. Each has a class of one name.
modules() {
	mkdir -p "$1/.mvn" && echo "$REPOSITORY" >"$1/.mvn/maven.config" || return
	for module in core app; do
		case5 "@Test void same() {}" && mkdir -p "$1/$module/src/main/java/com/acme" &&
			cp -R mvn5/src "$1/$module" && cat >"$1/$module/pom.xml" <<-EOF || return
			<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
			<parent><groupId>com.acme</groupId><artifactId>all</artifactId><version>1</version></parent>
			<artifactId>$module</artifactId></project>
		EOF
	done
	sed 's:<artifactId>calc.*:<artifactId>all</artifactId><version>1</version><packaging>pom</packaging><modules><module>core</module><module>app</module></modules>:' \
		mvn5/pom.xml >"$1/pom.xml" &&
		sed -i 's:<artifactId>app</artifactId>:&<dependencies><dependency><groupId>com.acme</groupId><artifactId>core</artifactId><version>1</version></dependency></dependencies>:' \
			"$1/app/pom.xml" &&
		printf 'package com.acme;\n\npublic class Area {\n\tpublic static int area(int width, int height) {\n\t\treturn width + height;\n\t}\n}\n' \
			>"$1/core/src/main/java/com/acme/Area.java" &&
		sed -e 's/CalcTest/AreaTest/' -e 's/void same() {/&Assertions.assertEquals(15, Area.area(3, 5));/' \
			mvn5/src/test/java/com/acme/CalcTest.java >"$1/app/src/test/java/com/acme/AreaTest.java"
}

check CENTRAL 'maven: modules, all of which run though one fails, and some alone' '
	modules mods && reads mods "$MVN" 1 && has passed core/com.acme.CalcTest::same &&
	has passed app/com.acme.CalcTest::same &&
	has failed app/com.acme.AreaTest::same app/src/test/java/com/acme/AreaTest.java:7 &&
	reads mods "$MVN" 0 60000 app/com.acme.CalcTest::same && counts passed 2 && counts failed 0 &&
	cp mods/app/src/test/java/com/acme/AreaTest.java mods/core/src/test/java/com/acme &&
	reads mods "$MVN" 1 && counts failed 2 && counts passed 2 &&
	rm mods/core/src/test/java/com/acme/AreaTest.java
'

check CENTRAL 'maven: a mistake in a module that only another one tests' '
	cd mods && echo target/ >.gitignore && git init -q && commit_all &&
	fix --executor local app >../out && grep "^. tests  *mvn -q -o test -pl app -am" ../out &&
	grep "verified" ../out && git show "$(the_branch):core/src/main/java/com/acme/Area.java" |
	grep "width \* height" && fix --executor local core >../out && grep "nothing to fix" ../out &&
	grep "help  *these are the tests of core alone; rondo fix tests all from the top" ../out
'

check CENTRAL 'maven: odd names' '
	case5 "@Test @DisplayName(\"a > b :: \\\"c\\\"\") void größe() {}
@ParameterizedTest @ValueSource(strings = {\"a b\", \"<x>\", \"é/ü\"}) void odd(String s) {}" &&
	reads mvn5 "$MVN" 0 && counts passed 4 && has passed com.acme.CalcTest::größe &&
	has passed "com.acme.CalcTest::odd(String)[3]"
'

# --- CTest ---

# project DIR: what CMakeLists.txt says of tests comes from standard input.
project() {
	mkdir -p "$1" &&
	{ printf 'cmake_minimum_required(VERSION 3.19)\nproject(acme C)\nenable_testing()\n' && cat; } \
		>"$1/CMakeLists.txt"
}
CTEST='cmake -S . -B b >/dev/null && cmake --build b >/dev/null && ctest --test-dir b --output-on-failure'

check CMAKE 'ctest: all green, one red, one skipped, a crash, a time-out, one that is not there' '
	project ct <<-\EOF &&
	add_test(NAME green COMMAND true)
	add_test(NAME red COMMAND sh -c "echo a.c:3: no; exit 1")
	add_test(NAME skipped COMMAND sh -c "exit 77")
	set_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)
	add_test(NAME crash COMMAND sh -c "kill -SEGV $$")
	add_test(NAME slow COMMAND sleep 60)
	set_tests_properties(slow PROPERTIES TIMEOUT 1)
	add_test(NAME missing COMMAND no-such-program)
	EOF
	reads ct "$CTEST" 8 && has passed green && has failed red a.c:3 && has skipped skipped &&
	has failed crash && has failed slow &&
	has error missing && echo "add_test(NAME green COMMAND true)" | project ct &&
	reads ct "$CTEST" 0 && counts passed 1
'

check CMAKE 'ctest: some tests alone' '
	printf "add_test(NAME \"a [1]\" COMMAND false)\nadd_test(NAME ab COMMAND true)\n" |
		project ct &&
	reads ct "$CTEST" 8 60000 "a [1]" && has failed "a [1]" && counts passed 0
'

check CMAKE 'ctest: a run that takes too long' '
	echo "add_test(NAME slow COMMAND sleep 600)" | project ct &&
	read_report ct "$CTEST" 6000 >read && cat read && has error slow &&
	grep "^problem	slow does not end" read
'

check CMAKE 'ctest: no tests, and what cannot be built' '
	project ct </dev/null && reads ct "$CTEST" 0 && counts passed 0 &&
	echo "add_executable(a none.c)" | project ct && read_report ct "$CTEST" >read && cat read &&
	grep "^error	" read
'

check CMAKE 'ctest: 10,000 tests' '
	printf "%s\n" \
		"foreach(i RANGE 1 9999)" "add_test(NAME t\${i} COMMAND true)" "endforeach()" \
		"add_test(NAME red COMMAND false)" | project ct &&
	reads ct "$CTEST" 8 600000 >/dev/null && counts passed 9999 && counts failed 1
'

check CMAKE 'ctest: odd names' '
	project ct <<-\EOF &&
	add_test(NAME "a b > c :: d/e [x] '"'"'f'"'"' <ü> ... g" COMMAND true)
	add_test(NAME "red ..." COMMAND false)
	EOF
	reads ct "$CTEST" 8 && counts passed 1 && counts failed 1 &&
	has passed "a b > c :: d/e [x] '"'f'"' <ü> ... g"
'

test_done
