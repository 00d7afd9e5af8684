"""client.py legacy|modern: one session with rondo mcp in this repository, by the package mcp."""
import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

RIGHT = """--- a/shapes.py
+++ b/shapes.py
@@ -1,2 +1,2 @@
 def area(width, height):
-    return width + height
+    return width * height
"""
WRONG = RIGHT.replace("width * height", "width - height")
SLOW = "echo 1..1; sleep 1000"  # it is cancelled before


async def judge(session, patch):
    result = await session.call_tool("verify", {"patch": patch, "fixed": ["area"]})
    assert not result.is_error, result
    return result.structured_content["outcome"]


async def cancel_one(session):
    """The call is given up when it is told of; then nothing runs any more."""
    told = asyncio.Event()

    async def tell(progress, total, message):
        if message.startswith("baseline"):
            told.set()
    call = asyncio.create_task(
        session.call_tool("baseline", {"test": SLOW}, progress_callback=tell))
    await asyncio.wait_for(told.wait(), 60)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    while True:
        result = await session.call_tool("status", {})
        if not any("tool" in run for run in result.structured_content["runs"]):
            return


async def talk(session, era):
    if era == "legacy":
        await session.initialize()
        await session.send_ping()
    else:
        await session.discover()
    listed = await session.list_tools()
    assert [tool.name for tool in listed.tools] == ["verify", "fix", "baseline", "status", "show"]
    seen = []

    async def tell(progress, total, message):
        seen.append((progress, message))
    result = await session.call_tool("fix", {}, progress_callback=tell)
    assert result.structured_content["outcome"] == "verified", result
    assert len(seen) > 2 and seen == sorted(seen), seen
    outcomes = await asyncio.gather(*(judge(session, patch) for patch in [RIGHT, WRONG] * 2))
    assert outcomes == ["verified", "not_verified"] * 2, outcomes
    await cancel_one(session)
    result = await session.call_tool("verify", {"rev": "nowhere"})
    assert result.is_error and "nowhere" in result.content[0].text, result
    try:
        await session.call_tool("no", {})
        raise AssertionError("there is no such tool")
    except MCPError as error:
        assert error.error.code == -32602, error
    listed = await session.list_resources()
    uri = next(row.uri for row in listed.resources if str(row.uri).endswith("patch.diff"))
    read = await session.read_resource(uri)
    assert "+    return width" in read.contents[0].text, read
    await session.list_resource_templates()


async def main(era):
    server = StdioServerParameters(
        command=os.environ["RONDO"], args=["mcp", "--executor", os.environ["EXECUTOR"]],
        env=dict(os.environ))
    async with stdio_client(server) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            await talk(session, era)


asyncio.run(main(sys.argv[1]))
