import os

os.mkfifo("fifo")
os.mkfifo("next.py")
print("made")
---
# filename: next.py
print("never where it may not be written, else: on")
---
import os

for name in ("fifo", "next.py"):
    if os.path.lexists(name):
        os.unlink(name)
print("on")
