"""run.py FILE TASK [console]: run a dumped team with AutoGen itself; what was said, a line of JSON
each, and why it stopped; or what AutoGen's Console prints."""
import asyncio
import json
import pathlib
import sys
import warnings

from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_agentchat.ui import Console


async def main(path, task, how=None):
    team = RoundRobinGroupChat.load_component(json.loads(pathlib.Path(path).read_text()))
    if how == "console":
        await Console(team.run_stream(task=task))
        return
    result = await team.run(task=task)
    for message in result.messages:
        print(json.dumps([message.source, message.to_text()]))
    print(json.dumps(result.stop_reason))


warnings.simplefilter("ignore")
asyncio.run(main(*sys.argv[1:]))
