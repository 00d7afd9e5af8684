"""autogen_team.py TASK URL: a coder and an executor of code as a round-robin group chat of AutoGen,
in this directory. The last line says why it stopped."""
import asyncio
import sys
import warnings

from autogen_agentchat.agents import AssistantAgent, CodeExecutorAgent
from autogen_agentchat.conditions import MaxMessageTermination, TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_agentchat.ui import Console
from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor
from autogen_ext.models.openai import OpenAIChatCompletionClient

warnings.simplefilter("ignore")


async def main(task, url):
    client = OpenAIChatCompletionClient(model="gpt-4o", base_url=url, api_key="none")
    coder = AssistantAgent("coder", model_client=client)
    executor = CodeExecutorAgent("executor", LocalCommandLineCodeExecutor(work_dir="."))
    over = TextMentionTermination("TERMINATE") | MaxMessageTermination(20)
    team = RoundRobinGroupChat([coder, executor], termination_condition=over)
    result = await Console(team.run_stream(task=task))
    print(result.stop_reason)


asyncio.run(main(*sys.argv[1:]))
