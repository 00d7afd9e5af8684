with open("full", "wb", buffering=0) as file:
    for _ in range(100):
        file.write(b"x" * (1 << 20))
---
import os

if os.path.exists("full"):
    os.unlink("full")
---
print("on")
