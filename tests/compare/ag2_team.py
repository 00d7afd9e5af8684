"""ag2_team.py TASK URL: an agent of AG2 with a shell in this directory. The last line is what it
says at the end."""
import asyncio
import sys

from ag2 import Agent
from ag2.config import OpenAIConfig
from ag2.tools import LocalEnvironment, SandboxShellTool


async def main(task, url):
    agent = Agent(
        "coder", config=OpenAIConfig(model="gpt-4o", base_url=url, api_key="none"),
        tools=[SandboxShellTool(LocalEnvironment("."))])
    print((await agent.ask(task)).body)


asyncio.run(main(*sys.argv[1:]))
