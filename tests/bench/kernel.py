"""kernel.py: Jupyter's own client with a kernel. For each line of input it runs a block `1+1` and
prints how many microseconds it took."""
import sys
import time

from jupyter_client.manager import start_new_kernel


def block(client):
    start = time.perf_counter()
    client.execute_interactive("1+1", output_hook=lambda message: None, allow_stdin=False,
                               timeout=10)
    print(round((time.perf_counter() - start) * 1e6), flush=True)


manager, client = start_new_kernel(kernel_name="python3")
block(client)
for line in sys.stdin:
    block(client)
client.stop_channels()
manager.shutdown_kernel(now=True)
