# filename: tool.py
import os

print("mine")
os.unlink("tool.py")
os.symlink("OUTSIDE/canary", "tool.py")
os.mkdir("other.py")
---
# filename: tool.py
print("yours")
---
# filename: other.py
print("never")
---
print("on")
