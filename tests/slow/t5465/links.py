import os

os.symlink("/etc/passwd", "passwd")
os.symlink("OUTSIDE", "out")
os.symlink("OUTSIDE/canary", "next.py")
print("linked")
---
# filename: next.py
print("written in its own place")
---
# filename: out/planted.py
print("never")
---
print("on")
