import os, signal

count = 0
for _ in range(500):
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        while True:
            signal.pause()
    count += 1
print(count)
---
print("on")
