"""How a simulated model does what published.py tells of.

A trait without a beginning writes its edits in one of the wrong forms, which the seed picks, until
it follows what it is told. A beginning comes before the first edit."""
from dataclasses import dataclass, field

import begins
import forms
import forms_other as other

BLOCKS = "```{language}\n{blocks}```\n"


@dataclass
class Trait:
    name: str
    forms: list = field(default_factory=list)
    begins: object = None
    repeats: bool = False  # the same words again, until it has been told twice


TRAITS = [
    Trait("no_path", [
        forms.named(BLOCKS), forms.named_whole(BLOCKS),
        forms.named("The change is in the module above.\n\n" + BLOCKS)]),
    Trait("path_elsewhere", [
        forms.named("```{language} {path}\n{blocks}```\n"), forms.named("**{path}**\n" + BLOCKS),
        forms.named("### `{path}`\n\n" + BLOCKS), forms.named("```{path}\n{blocks}```\n"),
        forms.named("In `{path}`, replace:\n\n" + BLOCKS), forms.named("File: {path}\n" + BLOCKS),
        forms.named(BLOCKS + "\nThis goes into `{path}`.\n"), other.draft_comment,
        forms.named_whole("```{language}\n{comment} {path}\n{blocks}```\n"),
        forms.named_whole("Updated {path}:\n\n" + BLOCKS),
        forms.named_whole("**`{path}`** (complete file):\n\n" + BLOCKS),
        forms.named_whole("#### {path}:\n```{language}:{path}\n{blocks}```\n")]),
    Trait("function_only", [
        forms.function_only("In `{path}` it must be:\n\n" + BLOCKS),
        forms.function_only(BLOCKS), forms.function_only("{path}\n" + BLOCKS),
        forms.function_only("```{language}\n{comment} {path}\n{blocks}```\n")]),
    Trait("fences", [
        forms.named("{path}\n{blocks}"), forms.named("{path}\n```diff\n{blocks}```\n"),
        forms.named("{path}\n~~~{language}\n{blocks}~~~\n"), forms.named("{path}\n```\n{blocks}"),
        forms.named("{path}\n```{language}\n{blocks}"),
        forms.named("  {path}\n  ```{language}\n{blocks}  ```\n"),
        forms.named_whole("{path}\n\n{blocks}\n"),
        forms.named("`{path}`\n````{language}\n{blocks}```\n")]),
    Trait("outer_fence", [forms.outer("```"), forms.outer("````")]),
    Trait("rest_unchanged", [
        forms.elided("{comment} ... rest of the code remains unchanged ..."),
        forms.elided("{comment} ... existing code ..."), forms.elided("..."),
        forms.elided("{comment} [rest of the file is the same]"),
        forms.elided("{comment} Other functions remain the same"),
        forms.elided("{comment} (unchanged)")]),
    Trait("diff_numbers", [
        other.diff(other.wrong_numbers), other.diff(other.wrong_numbers, "",),
        other.diff(other.wrong_numbers, "diff", ("--- {0}", "+++ {0}")),
        other.diff(other.wrong_numbers, "diff", ("diff --git a/{0} b/{0}", "--- a/{0}",
                                                 "+++ b/{0}")),
        other.diff(other.wrong_numbers, "diff", ())]),
    Trait("diff_text", [
        other.diff(other.no_blanks), other.diff(other.lost_indentation),
        other.diff(other.few_lines), other.diff(other.with_dots), other.diff(other.wrong_context)]),
    Trait("indentation", [
        forms.changed(forms.dedented), forms.changed(forms.by_one),
        forms.changed(forms.each_line(forms.wider)), forms.changed(forms.each_line(forms.narrow)),
        forms.changed(forms.dedented, both=False)]),
    Trait("tabs", [
        forms.changed(forms.each_line(forms.tabs)),
        forms.changed(forms.each_line(forms.tabs), both=False),
        forms.changed(forms.each_line(lambda line: line.expandtabs(8))),
        forms.changed(forms.each_line(lambda line: line.expandtabs(2)))]),
    Trait("spaces", [
        forms.changed(forms.each_line(lambda line: line + "  "), both=False),
        forms.changed(forms.each_line(forms.spaced), both=False),
        forms.changed(lambda _, text, __: "\n" + text + "\n"),
        forms.changed(lambda _, text, __: text.replace("\n", "\n\n", 1))]),
    Trait("retyped", [
        forms.changed(forms.each_line(forms.other_quotes)),
        forms.changed(forms.each_line(forms.typographic), both=False),
        forms.changed(forms.each_line(forms.typographic)),
        forms.changed(forms.remarked, both=False)]),
    Trait("abbreviated", [forms.changed(forms.abbreviated)]),
    Trait("part_of_line", [forms.changed(forms.part_of_line)]),
    Trait("stale_search", [forms.stale]),
    Trait("ambiguous", [forms.changed(forms.shortest)]),
    Trait("tests_first", begins=begins.cheat),
    Trait("tests_too", begins=begins.cheat_beside),
    Trait("repeats", [
        forms.named(BLOCKS), forms.stale, forms.elided("{comment} ... existing code ..."),
        forms.changed(forms.each_line(forms.spaced), both=False), forms.function_only(BLOCKS)],
          repeats=True),
    Trait("explores", begins=begins.explore),
    Trait("gives_up", begins=begins.give_up),
    Trait("promises", begins=begins.promise),
    Trait("tool_calls", [
        other.call("```json\n{call}\n```\n"), other.call("<tool_call>\n{call}\n</tool_call>\n"),
        other.call("{call}\n", "edit_file", ("file_path", "old_string", "new_string")),
        other.tagged("<function_calls>\n<invoke name=\"str_replace_editor\">\n"
                     "<parameter name=\"command\">str_replace</parameter>\n"
                     "<parameter name=\"path\">{path}</parameter>\n"
                     "<parameter name=\"old_str\">{old}</parameter>\n"
                     "<parameter name=\"new_str\">{new}</parameter>\n</invoke>\n"
                     "</function_calls>\n"),
        other.tagged("<function=str_replace_editor>\n<parameter=path>{path}</parameter>\n"
                     "<parameter=old_str>\n{old}</parameter>\n"
                     "<parameter=new_str>\n{new}</parameter>\n</function>\n")]),
    Trait("apply_patch", [
        other.envelope("```\n*** Begin Patch\n{}\n*** End Patch\n```\n"),
        other.envelope("*** Begin Patch\n{}\n*** End Patch\n", anchors=True),
        other.envelope("```diff\n{}\n```\n"),
        other.envelope("```patch\n*** Begin Patch\n{}\n```\n"),
        other.envelope("```sh\napply_patch <<'EOF'\n*** Begin Patch\n{}\n*** End Patch\nEOF\n```\n",
                       anchors=True)]),
    Trait("tags", [
        other.tagged("<edit>\n<path>{path}</path>\n<search>\n{old}</search>\n"
                     "<replace>\n{new}</replace>\n</edit>\n"),
        other.tagged("<replace_in_file>\n<path>{path}</path>\n<diff>\n{blocks}</diff>\n"
                     "</replace_in_file>\n"),
        other.tagged("<apply_diff>\n<path>{path}</path>\n<diff>\n{blocks}</diff>\n</apply_diff>\n"),
        other.tagged_whole("<write_to_file>\n<path>{path}</path>\n<content>\n{text}</content>\n"
                           "</write_to_file>\n"),
        other.tagged_whole("<file path=\"{path}\">\n{text}</file>\n"),
        other.tagged("{path}\n```\n<<<<<<< ORIGINAL\n{old}=======\n{new}>>>>>>> UPDATED\n```\n"),
        other.tagged("{path}\n```\n------- SEARCH\n{old}=======\n{new}+++++++ REPLACE\n```\n")]),
    Trait("entities", [
        other.tagged("<edit>\n<path>{path}</path>\n<search>\n{old}</search>\n"
                     "<replace>\n{new}</replace>\n</edit>\n", other.escaped),
        forms.changed(forms.each_line(forms.entities))]),
    Trait("commands", [
        other.heredoc, other.python, other.sed]),
    Trait("thinks", [
        forms.think(forms.search), forms.think(forms.named(BLOCKS)),
        forms.think(forms.elided("{comment} ... existing code ...")),
        forms.think(forms.changed(forms.part_of_line))]),
    Trait("json", [
        other.as_json(other.edits_value), other.as_json(other.one_value, "```json\n{}\n```"),
        other.as_json(other.files_value), other.as_json(other.one_value)]),
    Trait("cut_off", begins=begins.run_out),
    Trait("half_right", begins=begins.draft),
    Trait("wrong_path", [
        forms.renamed(lambda _, path: path.rpartition("/")[2]),
        forms.renamed(lambda _, path: "a/" + path), forms.renamed(lambda _, path: "/repo/" + path),
        forms.renamed(lambda _, path: "./" + path),
        forms.renamed(lambda _, path: path.replace("/", "\\")),
        forms.renamed(lambda _, path: "src/" + path)]),
    Trait("crlf", [
        forms.crlf(forms.search), forms.crlf(forms.whole), forms.crlf(other.diff(
            other.wrong_numbers))]),
    Trait("one_misfit", [forms.one_misfit]),
    Trait("explained", [forms.explained]),
    Trait("line_numbers", [
        forms.changed(forms.numbered), forms.changed(forms.numbered, both=False)]),
    Trait("plus_marks", [forms.plus_marks]),
    Trait("with_command", [
        other.with_command(forms.search), other.with_command(forms.whole),
        other.with_command(forms.function_only("In `{path}`:\n\n" + BLOCKS))]),
]
