"""What real models do, and where that is published: a page, a paper, or an issue of a project. By
the names of traits.py; #N is an issue or a pull request at GitHub. Where a page tells of a kind of
mistake and not of this very one, that page is named."""

AIDER_ERRORS = "aider.chat/docs/troubleshooting/edit-errors.html"
AIDER_DIFFS = "aider.chat/docs/unified-diffs.html"
AIDER_JSON = "aider.chat/2024/08/14/code-in-json.html"
APPLY_PATCH = "GPT-4.1 Prompting Guide, OpenAI Cookbook"
MAST = "arXiv 2503.13657"
CAMEL = "arXiv 2303.17760"
SWE_AGENT = "arXiv 2405.15793"
CUT = "aider.chat/docs/troubleshooting/token-limits.html"

PUBLISHED = {
    "no_path": ("does not say which file a block is for", AIDER_ERRORS),
    "path_elsewhere": (
        "says the path in the info of a fence, in bold, in a heading, in a comment",
        "aider #687, #918"),
    "function_only": (
        "writes the function that changes, as if it were the edit",
        "bolt.new #436, continue #13307, aider #5236"),
    "fences": ("writes no fence, another one, or forgets to close it", "aider #4709, Cline #2334"),
    "outer_fence": (
        "puts all of its answer into one fence of Markdown",
        "filigran-ui #289, openai/codex #23436"),
    "rest_unchanged": ("writes a whole file, with a comment for what stays", AIDER_DIFFS),
    "diff_numbers": ("writes a diff with wrong numbers, or without its headings", AIDER_DIFFS),
    "diff_text": (
        "writes a diff whose unchanged lines are not quite those of the file",
        AIDER_DIFFS),
    "indentation": ("indents what it quotes more, less or not at all", "Roo-Code #1559"),
    "tabs": ("writes blanks for tabs, or tabs for blanks", "deepagents #403, claude-code #37403"),
    "spaces": ("quotes with other blanks, within lines and at their ends", "Cline #2909"),
    "retyped": ("quotes with other quotes, those of print, or remarks of its own", "Cline #3910"),
    "abbreviated": ("leaves out the middle of what it quotes", AIDER_DIFFS),
    "part_of_line": ("quotes a part of a line", "aider #1294"),
    "stale_search": (
        "quotes the file as it will be after the edit",
        "Roo-Code #4077, openseek #420"),
    "ambiguous": ("quotes so little that it fits several places", "DeepSeek-Reasonix #1414"),
    "tests_first": (
        "changes the protected test instead of the program",
        "OpenAI, Detecting misbehavior in frontier reasoning models"),
    "tests_too": (
        "changes the protected test beside the program",
        "arXiv 2510.20270 (ImpossibleBench)"),
    "repeats": ("sends the same wrong reply again", f"Cline #952; step repetition in {MAST}"),
    "explores": (
        "runs one command after the other, for ever",
        f"{SWE_AGENT}; unaware of termination in {MAST}"),
    "gives_up": (
        "says that nothing can be done, or that all is done",
        f"premature termination in {MAST}"),
    "promises": ("says what it will do, and does not do it", f"flake replies in {CAMEL}"),
    "tool_calls": ("writes calls of tools that it has not got", "hermes-agent #83023, omlx #2565"),
    "apply_patch": (
        "writes the envelope of apply_patch, with functions for line numbers",
        APPLY_PATCH),
    "tags": (
        "writes edits in tags, as Cline, Roo Code and others want them",
        "Cline #2334, Roo-Code #3039"),
    "entities": ("writes &lt; for <", "Roo-Code #2694"),
    "commands": ("edits by sed, a here document or a program", "openseek #248"),
    "thinks": ("drafts edits between <think> tags", "docs.openwebui.com, reasoning models"),
    "json": ("answers with JSON", AIDER_JSON),
    "cut_off": ("writes more than it may", CUT),
    "half_right": (
        "tries something wrong first, or a part of the fix",
        f"incomplete verification in {MAST}"),
    "wrong_path": ("leaves out a folder, or puts one before the path", "aider #898"),
    "crlf": ("ends its lines with CRLF", "Cline #2909"),
    "one_misfit": ("adds an edit that fits nowhere", AIDER_ERRORS),
    "explained": ("puts a sentence into the fence of a whole file", "continue #9379"),
    "line_numbers": ("quotes with line numbers", "Roo-Code #1628"),
    "plus_marks": ("marks the new lines of a replacement as in a diff", "Roo-Code #3039"),
    "with_command": (
        "writes an edit and a command in one reply",
        f"{MAST}, disobeys the specification"),
}
