#!/bin/sh
test_description='setups from the real registries; what cannot be reached is skipped'
. "$(dirname "$0")/../cli/lib.sh"
export HOME="$REAL_HOME" XDG_CACHE_HOME="$PWD/cache"
export GOMODCACHE="$PWD/no-modules" CARGO_HOME="$PWD/no-crates"
export GOCACHE="$REAL_CACHE/go-build" # the standard library is compiled there
mkdir -p "$GOMODCACHE" "$CARGO_HOME"

# twice NAME COMMAND: fix in NAME with a setup that runs once; the second run finds what it left.
twice() {
	cd "$1" && commit_all && fix --setup "$2" >../out && grep verified ../out &&
	grep "the setup was run: " ../out && git branch -D "$(the_branch)" &&
	fix --setup "$2" >../out && grep verified ../out && grep "the setup was run before: " ../out &&
	test -z "$(git status --porcelain --ignored)"
}

mkdir reach && (cd reach && /usr/bin/python3 -m pip download -q --no-deps humanize==4.9.0) \
	>/dev/null 2>&1 && test_set_prereq PYPI
(cd reach && npm view left-pad version) >/dev/null 2>&1 && test_set_prereq NPM
(cd reach && GOMODCACHE=$PWD/mod go mod download github.com/google/go-cmp@v0.6.0) \
	>/dev/null 2>&1 && test_set_prereq GOPROXY
command -v cargo >/dev/null && cargo info itoa >/dev/null 2>&1 && test_set_prereq CRATES

check PYPI 'pip: a project with extras, without a virtual environment' '
	mkdir -p py/src/app py/tests && git init -q py && cat >py/pyproject.toml <<-\EOF &&
	[build-system]
	requires = ["setuptools"]
	build-backend = "setuptools.build_meta"
	[project]
	name = "app"
	version = "1"
	dependencies = ["humanize==4.9.0"]
	[project.optional-dependencies]
	test = ["pytest"]
	[tool.setuptools.packages.find]
	where = ["src"]
	EOF
	touch py/src/app/__init__.py &&
	printf "%s\n" "import humanize" "" "" "def size(n):" \
		"    return \"size: \" - humanize.naturalsize(n)" >py/src/app/core.py &&
	printf "%s\n" "from app.core import size" "" "" "def test_size():" \
		"    assert size(1000) == \"size: 1.0 kB\"" >py/tests/test_core.py &&
	cp -R py venv && twice py "pip install -e .[test]"
'

check PYPI 'pip: the same with a virtual environment that the setup makes' '
	twice venv "python3 -m venv .venv && .venv/bin/pip install -q -e .[test]"
'

check NPM 'npm ci' '
	mkdir -p js/test && git init -q js && echo node_modules >js/.gitignore &&
	echo "{\"name\": \"x\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"mocha\"}, \
\"dependencies\": {\"left-pad\": \"1.3.0\"}, \"devDependencies\": {\"mocha\": \"10.2.0\"}}" \
		>js/package.json && (cd js && npm install --package-lock-only >/dev/null 2>&1) &&
	echo "exports.f = (a) => require(\"left-pad\")(a - \"x\", 4);" >js/index.js &&
	echo "it(\"pads\", () => require(\"assert\").equal(require(\"../index.js\").f(\"a\"), \"  ax\"));" \
		>js/test/t.js && twice js "npm ci"
'

check GOPROXY 'go mod download' '
	mkdir go && git init -q go && printf "module x\ngo 1.20\nrequire %s v0.6.0\n" \
		github.com/google/go-cmp >go/go.mod &&
	printf "package x\n\nfunc Add(a, b int) int { return a - b }\n" >go/a.go &&
	printf "%s\n" "package x" "import (\"testing\"; \"github.com/google/go-cmp/cmp\")" \
		"func TestAdd(t *testing.T) { if d := cmp.Diff(5, Add(2, 3)); d != \"\" { t.Error(d) } }" \
		>go/a_test.go && (cd go && GOMODCACHE=$PWD/../reach/mod go mod tidy) &&
	twice go "go mod download"
'

check CRATES 'cargo fetch' '
	cargo new -q --lib rs && echo "itoa = \"1.0.9\"" >>rs/Cargo.toml &&
	echo "pub fn f(a: u32, b: u32) -> String { itoa::Buffer::new().format(a - b).to_string() }" \
		>rs/src/lib.rs &&
	echo "#[cfg(test)] mod tests { #[test] fn adds() { assert_eq!(super::f(4, 3), \"7\"); } }" \
		>>rs/src/lib.rs && (cd rs && cargo generate-lockfile) && rm -rf "$CARGO_HOME/registry" &&
	twice rs "cargo fetch --locked"
'

test_done
