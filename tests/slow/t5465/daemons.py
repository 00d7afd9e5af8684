import subprocess

deaf = "trap '' TERM HUP INT; "
subprocess.Popen(["sh", "-c", deaf + "setsid sh -c 'sleep NAP' & sleep NAP"],
                 start_new_session=True)
late = "until [ -e wait ]; do sleep 0.05; done; echo >came; sleep NAP"
subprocess.Popen(["sh", "-c", deaf + late], start_new_session=True,
                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print("left")
---
import os, time

open("wait", "w").close()
time.sleep(0.5)
print("on\ncame:", os.path.exists("came"))
