"""chat.py SCENARIO: AG2's own console for a chat that SCENARIO describes to rondo: its models say
what is recorded there."""
import sys, tempfile, yaml
from autogen import ConversableAgent, GroupChat, GroupChatManager
from autogen.coding import LocalCommandLineCodeExecutor

scenario = yaml.safe_load(open(sys.argv[1]))
names = scenario["team"]["participants"]


def is_over(message):
    return "TERMINATE" in (message.get("content") or "")


def scripted(name):
    replies = iter(scenario["models"][scenario["agents"][name]["model"]]["replies"])
    agent = ConversableAgent(name, llm_config=False, code_execution_config=False,
                             is_termination_msg=is_over)
    agent.register_reply([ConversableAgent, None], lambda *_args, **_more: (True, next(replies)),
                         position=2)
    return agent


def executing(name):
    place = LocalCommandLineCodeExecutor(work_dir=tempfile.mkdtemp(dir="."))
    return ConversableAgent(name, llm_config=False, code_execution_config={"executor": place})


agents = [
    executing(name) if scenario["agents"][name] == "executor" else scripted(name) for name in names
]
turns = scenario["team"].get("max_turns", 20)
if scenario["team"].get("type") == "two_agent":
    agents[0].initiate_chat(agents[1], message=scenario["task"], max_turns=turns)
elif len(agents) == 2:
    # Of a pair AG2 counts what the one who begins sends, the task among it.
    agents[1].initiate_chat(agents[0], message=scenario["task"], max_turns=(turns + 1) // 2)
else:
    chat = GroupChat(agents=agents, messages=[], max_round=turns + 1,
                     speaker_selection_method="round_robin")
    manager = GroupChatManager(groupchat=chat, llm_config=False, is_termination_msg=is_over)
    ConversableAgent("user", llm_config=False,
                     human_input_mode="NEVER").initiate_chat(manager, message=scenario["task"])
