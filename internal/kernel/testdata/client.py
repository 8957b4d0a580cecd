"""Uses the installed kernel through jupyter_client and prints what it answers as JSON."""
import json
import queue
import sys
import time

from jupyter_client import KernelManager


def run(client, code, timeout=60):
    """Returns what a cell publishes, and the reply."""
    sent = client.execute(code)
    out = []
    while True:
        m = client.get_iopub_msg(timeout=timeout)
        if m["parent_header"].get("msg_id") != sent:
            continue
        kind, content = m["msg_type"], m["content"]
        if kind == "status" and content["execution_state"] == "idle":
            break
        if kind in ("stream", "display_data", "error"):
            out.append([kind, content.get("data") or content.get("text") or content])
    reply = client.get_shell_msg(timeout=timeout)
    while reply["parent_header"].get("msg_id") != sent:
        reply = client.get_shell_msg(timeout=timeout)
    return {"out": out, "reply": reply["content"]}


def ask(client, sent, timeout=60):
    """Returns the reply to a request."""
    while True:
        reply = client.get_shell_msg(timeout=timeout)
        if reply["parent_header"].get("msg_id") == sent:
            return reply["content"]


manager = KernelManager(kernel_name="tailor")
manager.start_kernel()
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=120)
said = {"info": ask(client, client.kernel_info())}
for code in json.load(sys.stdin)["cells"]:
    said[code] = run(client, code)
said["complete"] = ask(client, client.complete("x←1\nrho", 7))
said["names"] = ask(client, client.complete("temperat", 8))
said["inspect"] = ask(client, client.inspect("1+temperature", 5))
said["glyph"] = ask(client, client.inspect("⍴temperature", 0))
said["function"] = ask(client, client.inspect("mean 1 2", 1))
said["nothing"] = ask(client, client.inspect("   ", 1))
said["open"] = ask(client, client.is_complete("f←{"))
said["whole"] = ask(client, client.is_complete("f←{⍵}"))
endless = client.execute("{⍵}⍣{0}1")
time.sleep(1)
begin = time.time()
manager.interrupt_kernel()
said["interrupt"] = ask(client, endless)
said["interrupted after"] = time.time() - begin
said["afterwards"] = run(client, "temperature+1")
begin = time.time()
for _ in range(20):
    run(client, "+/⍳100")
said["seconds a cell"] = (time.time() - begin) / 20
client.shutdown()
begin = time.time()
while manager.is_alive() and time.time() - begin < 20:
    time.sleep(0.1)
said["ended"] = not manager.is_alive()
client.stop_channels()
try:
    manager.shutdown_kernel(now=True)
except (RuntimeError, queue.Empty):
    pass
print(json.dumps(said))
