"""What runners say of a run, read from their output: how many tests passed, and which failed."""
import re


def counts(output):
    """How many tests passed and failed."""
    def last(pattern):
        found = re.findall(pattern, output)
        return int(found[-1]) if found else 0

    def times(pattern):
        return len(re.findall(pattern, output, flags=re.M))

    def added(pattern):
        return sum(map(int, re.findall(pattern, output)))

    if re.search(r"(?m)^Ran \d+ tests? in", output):
        end = output.rsplit("\nRan ", 1)[-1]
        failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", end)))
        return last(r"(?m)^Ran (\d+) tests? in") - failed, failed
    if re.search(r"(?m)^--- (PASS|FAIL)|^(ok|FAIL)\s*\t", output):
        return times(r"^--- PASS"), times(r"^--- FAIL")
    if "test result:" in output:
        return (added(r"test result: \w+\. (\d+) passed"),
                added(r"test result: \w+\. \d+ passed; (\d+) failed"))
    if re.search(r"Tests run: \d+, Failures:", output):
        ran, failed, errors = (last(rf"{word}: (\d+)") for word in
                               ("Tests run", "Failures", "Errors"))
        return ran - failed - errors, failed + errors
    if re.search(r"\d+% tests passed", output):
        return times(r"^ *\d+/\d+ Test +#.* Passed"), times(r"^ *\d+/\d+ Test +#.*\*\*\*")
    if re.search(r"(?m)^# (?:PASS|FAIL): ", output):
        return added(r"# PASS: +(\d+)"), added(r"# FAIL: +(\d+)") + added(r"# ERROR: +(\d+)")
    if re.search(r"(?m)^1\.\.\d+$", output):
        return last(r"(?m)^# pass +(\d+)"), last(r"(?m)^# fail +(\d+)")
    if re.search(r"\d+ passing", output):
        return last(r"(\d+) passing"), last(r"(\d+) failing")
    return last(r"(\d+) passed"), last(r"(\d+) failed") + last(r"(\d+) errors?\b")


# Each gives the names of failed tests, without what a parameter adds to them.
FAILING = [
    r"^(?:FAILED|ERROR) (\S+\.(?:py|rst|txt|md)\b[^\[\n]*?)(?:\[.*| - .*)?$",  # pytest
    r"^(?:FAIL|ERROR): \w+ \(([\w.]+)\)",  # unittest
    r"^--- FAIL: (\S+)",  # go test
    r"^test (\S+)(?: - should panic)? \.\.\. FAILED",  # cargo test
    r"^(?:\[ERROR\] +)?(?:[\w$]+\.)*([\w$]+\.\w+)\b[^\n]*<<< (?:FAILURE|ERROR)!",  # surefire
    r"^(?:\[ERROR\] +)?(\w+)\([\w$.]+\) +Time elapsed[^\n]*<<< (?:FAILURE|ERROR)!",  # surefire 2
    r"^ *\d+/\d+ Test +#\d+: (\S+) \.+ *\*\*\*",  # ctest
    r"^FAIL: (\S+)$",  # automake
    r"^ +\d+\) (.+?):?$",  # mocha
    r"^ +● (.+)$",  # jest
    r"^not ok \d+ (?:- )?(.+)$",  # TAP
]


def failing(output):
    """The names of the tests that failed, as the first runner that is recognized names them."""
    if "\n  1) " in output and "passing" in output:
        output = output[:output.index(" passing")]
    if re.search(r"(?m)^TAP version", output):
        return failing_in_tap(output)
    for pattern in FAILING:
        found = re.findall(pattern, output, flags=re.M)
        if found:
            return sorted(set(found))
    return []


def failing_in_tap(output):
    """A test of tape is a heading: what fails beneath it are its assertions."""
    found, heading = set(), None
    for line in output.splitlines():
        told = re.match(r"# (?!tests |pass |fail |Subtest|duration|suites|cancelled|skipped|todo)"
                        r"(.+)", line)
        heading = told[1] if told else heading
        failed = re.match(r"not ok \d+ (?:- )?(.+)", line)
        if failed:
            found.add(heading or failed[1])
    return sorted(found)


# What interpreters say of a name that is not there; a compiler would have refused the program.
MISSING = re.compile(r"(?:has no attribute|cannot import name|unexpected keyword argument|name|"
                     r"No module named|no property) '(?:[\w.]*\.)?(\w+)'|"
                     r"(\w+)(?:\(\.\.\.\))? is not (?:defined|a function|a constructor)")


def missing(output):
    """The names that failed tests did not find."""
    return {name for found in MISSING.findall(output) for name in found if name}


def loud(command):
    """The command so that its runner names each test and runs all, and does nothing else."""
    command = re.sub(r"\bgo test\b", "go test -v -vet=off", command)
    command = re.sub(r"\bmvn -q\b", "mvn", command)
    return re.sub(r"\bcargo test\b", "cargo test --no-fail-fast", command)
