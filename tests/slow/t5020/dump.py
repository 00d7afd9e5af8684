"""dump.py DIR: each team below as AutoGen dumps it, DIR/NAME.json; the numbers are those of its own
tests."""
import pathlib
import sys
import warnings

from autogen_agentchat.agents import AssistantAgent, CodeExecutorAgent, UserProxyAgent
from autogen_agentchat.conditions import (
    ExternalTermination,
    FunctionCallTermination,
    HandoffTermination,
    MaxMessageTermination,
    SourceMatchTermination,
    StopMessageTermination,
    TextMentionTermination,
    TextMessageTermination,
    TimeoutTermination,
    TokenUsageTermination,
)
from autogen_agentchat.teams import RoundRobinGroupChat, SelectorGroupChat
from autogen_core.model_context import (BufferedChatCompletionContext,
                                        HeadAndTailChatCompletionContext)
from autogen_core.models import CreateResult, RequestUsage
from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor
from autogen_ext.models.openai import OpenAIChatCompletionClient
from autogen_ext.models.replay import ReplayChatCompletionClient

WORK_DIR = pathlib.Path("work")


def reply(content, prompt, completion):
    usage = RequestUsage(prompt_tokens=prompt, completion_tokens=completion)
    return CreateResult(finish_reason="stop", content=content, usage=usage, cached=False)


def says(name, *replies, **options):
    return AssistantAgent(name, model_client=ReplayChatCompletionClient(list(replies)), **options)


def openai(**options):
    return OpenAIChatCompletionClient(model="gpt-4o-mini", api_key="sk-of-nobody", **options)


def runs(name="executor", timeout=60, **options):
    return CodeExecutorAgent(name, LocalCommandLineCodeExecutor(work_dir=WORK_DIR, timeout=timeout),
                             **options)


def team(*participants, stop=None, **options):
    return RoundRobinGroupChat(list(participants), termination_condition=stop, **options)


def in_docker():
    from autogen_ext.code_executors.docker import DockerCommandLineCodeExecutor

    return CodeExecutorAgent("executor", DockerCommandLineCodeExecutor(timeout=30))


def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


HELLO = ' ```python\nprint("Hello, world!")\n```'
FOUR = [says(f"agent_{i}", f"I am {i}", f"{i} again") for i in range(1, 5)]

TEAMS = {
    "case_1": lambda: team(says("coding_assistant", "Here is the program\n" + HELLO, "TERMINATE"),
                           runs(), stop=TextMentionTermination("TERMINATE")),
    "case_11": lambda: team(*FOUR, stop=MaxMessageTermination(3)),
    "case_23": lambda: team(says("one", "1", "3"), says(
        "two", "2", "4"), stop=MaxMessageTermination(5), max_turns=5, name="declared", description=
                            "A pair."),
    "case_39": lambda: team(says("a", "Hello", "do not stop"), says("b", "World"), stop=
                            TextMentionTermination("stop")),
    "case_39_part": lambda: team(says("a", "Hello", "unstoppable"), says("b", "World"), stop=
                                 TextMentionTermination("stop")),
    "case_41": lambda: team(
        says("a", reply("Hello", 5, 0), reply("no more", 1, 1)),
        says("b", reply("World", 0, 5)),
        stop=TokenUsageTermination(10, 100, 100
                                   ),  # AutoGen cannot load a dump that has one of them alone
    ),
    "case_43": lambda: team(says("a", "Hello", "no"), says("b", "World", "no"), stop=
                            MaxMessageTermination(3) | TextMentionTermination("stop")),
    "case_43_text": lambda: team(says("a", "Hello", "no"), says("b", "stop", "no"), stop=
                                 MaxMessageTermination(3) | TextMentionTermination("stop")),
    "case_45": lambda: team(says("a", "Hello"), says("b", "World"), stop=ExternalTermination() |
                            MaxMessageTermination(3)),
    "case_49": lambda: team(
        says("a", "Hello"),
        stop=(MaxMessageTermination(5) | StopMessageTermination()) &
        (TokenUsageTermination(100, 60, 40) | HandoffTermination("x")),
    ),
    "sources": lambda: team(says("a", "Hello", "stop"), says("b", "World"), stop=
                            SourceMatchTermination(["b"]) & TextMessageTermination("a")),
    "timeout": lambda: team(says("a", "Hello"), stop=TimeoutTermination(3.5) |
                            TextMessageTermination()),
    "turns": lambda: team(says("a", "Hello", "again"), says("b", "World"), max_turns=3),
    "function_call": lambda: team(says("a", "Hello"), stop=FunctionCallTermination("add") |
                                  MaxMessageTermination(2)),
    "openai": lambda: team(
        AssistantAgent(
            "writer", model_client=openai(base_url="http://127.0.0.1:1/v1", temperature=0.2,
                                          max_tokens=100, seed=4, timeout=10, max_retries=3),
            system_message="Write {{nothing}}.", model_context=BufferedChatCompletionContext(
                5), model_client_stream=True),
        AssistantAgent("reader", model_client=openai(), system_message=None, description="reads"),
        max_turns=2,
    ),
    "executors": lambda: team(
        says("coder", "x"),
        runs(sources=["coder"]),
        runs("second", timeout=90, supported_languages=["python", "javascript"]),
        max_turns=3,
    ),
    "docker": lambda: team(says("coder", "Here\n" + HELLO, "TERMINATE"), in_docker(), stop=
                           TextMentionTermination("TERMINATE")),
    "human": lambda: team(says("a", "Hello"), UserProxyAgent("human"), max_turns=2),
    "nested": lambda: team(says("a", "Hello"),
                           team(says("b", "one"), says("c", "two"), max_turns=2, name="inner"), stop
                           =MaxMessageTermination(4)),
    "tools": lambda: team(AssistantAgent("a", model_client=openai(), tools=[add], handoffs=["b"]),
                          says("b", "x"), max_turns=1),
    "context": lambda: team(says("a", "x", model_context=HeadAndTailChatCompletionContext(1, 2)),
                            max_turns=1),
    "writes_and_runs": lambda: team(
        CodeExecutorAgent("a", LocalCommandLineCodeExecutor(work_dir=WORK_DIR), model_client=openai(
        )), max_turns=1),
    "selector": lambda: SelectorGroupChat([says("a", "x"), says("b", "y")], model_client=openai(),
                                          max_turns=1),
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    WORK_DIR.mkdir(exist_ok=True)
    for name, make in TEAMS.items():
        try:
            text = make().dump_component().model_dump_json(indent=2, exclude_none=True)
        except ImportError as error:  # the extra of a client or executor is not installed
            print(f"{name}: {error}", file=sys.stderr)
        else:
            pathlib.Path(sys.argv[1], f"{name}.json").write_text(text + "\n")
