"""workflow.py FILE: runs the commands of a workflow's one job as a runner of GitHub Actions would.
Each step is printed; what it uses is taken to be done. Exit status 1: the job failed."""
import subprocess
import sys

import yaml

CONDITIONS = {
    "failure()": lambda steps: "failure" in steps.values(),
    "failure() && steps.test.outcome == 'failure'": lambda steps: steps.get("test") == "failure",
}


def main(path):
    with open(path, encoding="utf-8") as file:
        (job,) = yaml.safe_load(file)["jobs"].values()
    steps = {}
    for number, step in enumerate(job["steps"]):
        wanted = CONDITIONS[step["if"]] if "if" in step else (
            lambda done: "failure" not in done.values())
        outcome = "skipped"
        if wanted(steps):
            status = 0
            if "run" in step:
                status = subprocess.run(["bash", "-e", "-c", step["run"]], check=False).returncode
            outcome = "failure" if status else "success"
        steps[step.get("id", number)] = outcome
        print(step.get("name", step.get("uses")) + ":", outcome, flush=True)
    sys.exit("failure" in steps.values())


main(*sys.argv[1:])
