"""run.py FILE TASK: run a dumped team with AutoGen itself; what was said, a line of JSON each, and
why it stopped."""
import asyncio
import json
import pathlib
import sys
import warnings

from autogen_agentchat.teams import RoundRobinGroupChat


async def main(path, task):
    team = RoundRobinGroupChat.load_component(json.loads(pathlib.Path(path).read_text()))
    result = await team.run(task=task)
    for message in result.messages:
        print(json.dumps([message.source, message.to_text()]))
    print(json.dumps(result.stop_reason))


warnings.simplefilter("ignore")
asyncio.run(main(*sys.argv[1:]))
