#!/bin/sh
test_description='tests of the gate'"'"'s own beside those of real runners: reported as they come
out, and in nobody'"'"'s tree'
. "$(dirname "$0")/../cli/lib.sh"

export RUSTUP_HOME="${RUSTUP_HOME:-$REAL_HOME/.rustup}" \
	CARGO_HOME="${CARGO_HOME:-$REAL_HOME/.cargo}"
python3 -m pytest --version >/dev/null 2>&1 && test_set_prereq PYTEST
HELD="control: a test that must fail was reported as failed, one that must pass as passed"

# holds FILE TEST: rondo, whose coder makes the "-" of FILE a "+" in the repository here, verifies
# that and nothing else. Both tests of the gate were seen to tell the truth; none of them stays
# anywhere.
holds() {
	scenario=$HOME/coder.yaml
	cat >"$scenario" <<-EOF
	models: {said: {provider: replay, replies: ["\`\`\`sh\nsed -i 's/ - / + /' $1\n\`\`\`"]}}
	agents: {coder: {type: coder, model: said}, executor: executor, tester: tester}
	team: {participants: [coder, executor, tester], termination: tests_pass, max_turns: 3}
	workspace: {repo: $PWD, mount: [$(ls -d .gocache 2>/dev/null)]}
	test: "$2"
	limits: {suite: 300s}
	executor: {type: $EXECUTOR}
	EOF
	git branch | grep -v "main$" | xargs -r git branch -q -D
	fingerprint >"$HOME/before"
	"$RONDO" run "$scenario" >"$HOME/out" 2>&1 || { cat "$HOME/out" && return 1; }
	fingerprint >"$HOME/after" && test_cmp "$HOME/before" "$HOME/after" &&
	"$RONDO" show --json >"$HOME/told" &&
		{ grep -qF "$HELD" "$HOME/told" || { cat "$HOME/told" && false; }; } &&
		git diff --name-only main "$(the_branch)" >"$HOME/names" && echo "$1" >"$HOME/expected" &&
		test_cmp "$HOME/expected" "$HOME/names"
}

# --- Python ---

python_project() {
	mkdir "$1" && cd "$1" && git init -q && printf "def add(a, b):\n    return a - b\n" >calc.py &&
	cat >test_calc.py && commit_all
}

check PYTEST 'pytest, also where it stops at the first failure' '
	python_project pytest <<-\EOF && holds calc.py "python3 -m pytest" && holds calc.py "python3 -m pytest -x -q"
	from calc import add


	def test_adds():
	    assert add(2, 3) == 5


	def test_nothing():
	    assert add(0, 0) == 0


	def test_more():
	    assert add(1, 1) == 2
	EOF
'

check 'unittest, also where it stops at the first failure' '
	python_project unittest <<-\EOF && holds calc.py "python3 -m unittest" && holds calc.py "python3 -m unittest -f"
	import unittest
	from calc import add


	class Adding(unittest.TestCase):
	    def test_adds(self):
	        self.assertEqual(add(2, 3), 5)

	    def test_nothing(self):
	        self.assertEqual(add(0, 0), 0)

	    def test_more(self):
	        self.assertEqual(add(1, 1), 2)
	EOF
'

# --- JavaScript ---

for package in jest@30 vitest@3 mocha@11; do
	name=${package%@*}
	mkdir "$name.modules" &&
	(cd "$name.modules" && npm install -s --no-audit --no-fund "$package") >npm.log 2>&1 &&
	test_set_prereq "$name"
done

# javascript_project RUNNER: a test file comes from standard input; the runner is installed, and git
# ignores it.
javascript_project() {
	mkdir -p "$1/test" && cd "$1" && git init -q &&
	echo "{\"name\": \"calc\", \"scripts\": {\"test\": \"$1\"}}" >package.json &&
		printf "const add = (a, b) => a - b;\nmodule.exports = { add };\n" >calc.js &&
		cat >test/calc.test.js && echo node_modules >.gitignore &&
		{ [ ! -d "../$1.modules" ] || mv "../$1.modules/node_modules" .; } && commit_all
}

check jest 'jest, by npm test, and where it stops at the first file that fails' '
	javascript_project jest <<-\EOF && holds calc.js "npm test" && holds calc.js "npx jest --bail"
	const { add } = require("../calc.js");

	describe("add", () => {
	  test("adds", () => expect(add(2, 3)).toBe(5));
	  test("nothing", () => expect(add(0, 0)).toBe(0));
	  test("more", () => expect(add(1, 1)).toBe(2));
	});
	EOF
'

check vitest 'vitest, by npm test, and where it stops at the first failure' '
	javascript_project vitest <<-\EOF && holds calc.js "npm test" && holds calc.js "npx vitest run --bail=1"
	import { describe, expect, test } from "vitest";
	import { add } from "../calc.js";

	describe("add", () => {
	  test("adds", () => expect(add(2, 3)).toBe(5));
	  test("nothing", () => expect(add(0, 0)).toBe(0));
	  test("more", () => expect(add(1, 1)).toBe(2));
	});
	EOF
'

check mocha 'mocha, by npm test, and where it stops at the first failure' '
	javascript_project mocha <<-\EOF && holds calc.js "npm test" && holds calc.js "npx mocha --bail"
	const assert = require("assert");
	const { add } = require("../calc.js");

	describe("add", () => {
	  it("adds", () => assert.strictEqual(add(2, 3), 5));
	  it("nothing", () => assert.strictEqual(add(0, 0), 0));
	  it("more", () => assert.strictEqual(add(1, 1), 2));
	});
	EOF
'

check NODE 'node --test, of either kind of module' '
	javascript_project node <<-\EOF && holds calc.js "node --test" && mv test/calc.test.js test/calc.test.cjs &&
	const { test } = require("node:test");
	const assert = require("node:assert");
	const { add } = require("../calc.js");

	test("adds", () => assert.strictEqual(add(2, 3), 5));
	test("nothing", () => assert.strictEqual(add(0, 0), 0));
	EOF
	commit_all cjs && holds calc.js "node --test" && git mv test/calc.test.cjs test/calc.test.mjs &&
	cat >test/calc.test.mjs <<-\EOF &&
	import { test } from "node:test";
	import assert from "node:assert";
	import { add } from "../calc.js";

	test("adds", () => assert.strictEqual(add(2, 3), 5));
	EOF
	commit_all mjs && holds calc.js "node --test"
'

# --- What is compiled ---

check GO 'go, also where it stops at the first failure' '
	mkdir go && cd go && git init -q && printf "module example.com/calc\n\ngo 1.20\n" >go.mod &&
	echo /.gocache/ >.gitignore &&
	printf "package calc\n\nfunc Add(a, b int) int { return a - b }\n" >calc.go &&
	cat >calc_test.go <<-\EOF && commit_all &&
	package calc

	import "testing"

	func TestAdds(t *testing.T) {
		if got := Add(2, 3); got != 5 {
			t.Errorf("got %d", got)
		}
	}

	func TestNothing(t *testing.T) {
		if Add(0, 0) != 0 {
			t.Error("something")
		}
	}
	EOF
	{ GOCACHE=$PWD/.gocache go test ./... >/dev/null || :; } &&
	holds calc.go "GOCACHE=\$PWD/.gocache go test ./..." &&
	holds calc.go "GOCACHE=\$PWD/.gocache go test -failfast ./..."
'

check CARGO 'cargo, whose sentinels are a program in tests/' '
	mkdir -p rust/src rust/tests && cd rust && git init -q &&
	printf "target\nCargo.lock\n" >.gitignore &&
	printf "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" >Cargo.toml &&
	printf "pub fn add(a: i64, b: i64) -> i64 { a - b }\n" >src/lib.rs &&
	cat >tests/calc.rs <<-\EOF && commit_all && holds src/lib.rs "cargo test"
	#[test]
	fn adds() { assert_eq!(calc::add(2, 3), 5); }

	#[test]
	fn nothing() { assert_eq!(calc::add(0, 0), 0); }
	EOF
'

# maven_project DIR GROUP ARTIFACT VERSION: a test class comes from standard input; what Maven needs
# is fetched to where the sandbox finds it. Sets the prerequisite DIR.
maven_project() {
	mkdir -p "$1/src/main/java/com/acme" "$1/src/test/java/com/acme" &&
		printf '%b\n' \
			'package com.acme;' '' 'class Calc {' '\tstatic int add(int a, int b) {' \
			'\t\treturn a - b;' '\t}' '}' >"$1/src/main/java/com/acme/Calc.java" &&
		cat >"$1/src/test/java/com/acme/CalcTest.java" && cat >"$1/pom.xml" <<-EOF || return
	<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
	<groupId>com.acme</groupId><artifactId>calc</artifactId><version>1</version>
	<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
	<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
	<dependencies><dependency><groupId>$2</groupId><artifactId>$3</artifactId><version>$4</version><scope>test</scope></dependency></dependencies>
	<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
	</project>
	EOF
	(cd "$1" && git init -q && echo target >.gitignore && commit_all && mvn -q \
		-Dmaven.repo.local="$HOME/.m2/repository" test) >mvn.log 2>&1
	if grep -q 'There are test failures' mvn.log; then
		test_set_prereq "$1"
	else
		cat mvn.log
	fi
}

if command -v mvn >/dev/null && command -v javac >/dev/null; then
	maven_project junit4 junit junit 4.13.2 <<-EOF
	package com.acme;

	import org.junit.Assert;
	import org.junit.Test;

	public class CalcTest {
		@Test
		public void adds() {
			Assert.assertEquals(5, Calc.add(2, 3));
		}

		@Test
		public void nothing() {
			Assert.assertEquals(0, Calc.add(0, 0));
		}
	}
	EOF
	maven_project junit5 org.junit.jupiter junit-jupiter 5.10.2 <<-EOF
	package com.acme;

	import static org.junit.jupiter.api.Assertions.assertEquals;

	import org.junit.jupiter.api.Test;

	class CalcTest {
		@Test
		void adds() {
			assertEquals(5, Calc.add(2, 3));
		}

		@Test
		void nothing() {
			assertEquals(0, Calc.add(0, 0));
		}
	}
	EOF
fi

for framework in junit4 junit5; do
	check $framework "Maven with $framework" '
		cd '$framework' && holds src/main/java/com/acme/Calc.java "mvn -o -q test"
	'
done

test_done
