"""`viva show`, `-q` and `--format agent`, as the real command."""

import re

from tests.cli.conftest import VivaProject

GOOD = {"id": "good", "turns": [{"input": "one"}, {"input": "two", "assertions": {"type": "contains", "value": "two"}}]}
BAD = {"id": "bad", "input": "three", "assertions": {"type": "contains", "value": "four"}}


def test_a_recorded_run_looks_as_it_did(project: VivaProject):
    project.cases(GOOD, BAD)
    ran = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    shown = project.viva("show")
    assert shown.code == 0
    assert shown.out == ran.out.removesuffix("\nℹ Report: out.jsonl\n")
    from_file = project.viva("show", "out.jsonl")
    assert from_file.out.partition("Run it again")[0] == shown.out.partition("Run it again")[0].rstrip("\n") + "\n"


LONG_TALK = """\
# Spoken to a shop.
name: A long talk

turns:
  - user: one
  - user: two
    assert:
      text:
        must_match: three
  - user: three
  - user: four
"""


def test_a_yaml_failure_is_shown_at_the_line_of_its_check_with_what_was_not_said(project: VivaProject):
    project.write("talk.yaml", LONG_TALK)
    ran = project.viva("test", "-i", "talk.yaml", "-o", "out.xml", "-o", "out.md", GITHUB_ACTIONS="true")
    assert ran.code == 1
    assert "     talk.yaml:9\n     turns 3–4 were not reached\n" in ran.out
    assert "✗ talk.yaml:9 [talk] A long talk" in ran.out, "the list at the end"
    assert "::error file=talk.yaml,line=9," in ran.text
    junit = (project.root / "out.xml").read_text()
    assert 'file="talk.yaml" line="2"' in junit, "the test itself begins there"
    assert ">talk.yaml:9\n" in junit
    assert "\nturns 3–4 were not reached<" in junit
    assert "Turns 3–4 were not reached" in (project.root / "out.md").read_text()
    shown = project.viva("show")
    assert "     talk.yaml:9\n     turns 3–4 were not reached\n" in shown.out
    for_agents = project.viva("show", "--format", "agent")
    assert for_agents.out.startswith("FAILED talk.yaml:9 [talk]")
    assert "  turns 3–4 were not reached\n" in for_agents.out
    assert project.viva("test", "-i", "talk.yaml:9").code == 1, "the place names the case"


def test_one_case_is_shown_with_every_message(project: VivaProject):
    project.cases(GOOD, BAD)
    project.viva("test", "-i", "cases.jsonl")
    shown = project.viva("show", "last::good")
    assert "Agent: echo: one" in shown.out
    assert "bad" not in shown.out
    assert project.viva("show", "last::bda").code == 2


def test_q_shows_only_what_did_not_pass_and_a_closing_line(project: VivaProject):
    project.cases(GOOD, BAD)
    ran = project.viva("test", "-i", "cases.jsonl", "-q")
    first, *_, last = ran.out.splitlines()
    assert first.startswith("✗ [bad] ")
    assert re.fullmatch(r"✗ 1 of 2 passed, 1 failed, in \S+", last)
    assert 'wanted: "four"' in ran.out
    assert not any(said in ran.out for said in ("[good]", "Agent Test", "Summary", "Report:", "Failures"))
    assert "[good]" in project.viva("show").out
    assert project.viva("show", "-q").out.splitlines()[0] == first


def test_before_the_first_run_there_is_nothing_to_show(project: VivaProject):
    refused = project.viva("show")
    assert (refused.code, refused.err) == (
        2,
        "viva: there is no run last: none was kept yet (viva test keeps each run)\n",
    )


def test_q_and_v_together_are_refused(project: VivaProject):
    project.cases(GOOD)
    for command in (("test", "-i", "cases.jsonl"), ("show",)):
        refused = project.viva(*command, "-q", "-v")
        assert refused.code == 2
        assert "-q and -v ask for opposite things" in refused.err


def test_the_agent_format_is_short_and_its_command_works(project: VivaProject):
    project.cases(GOOD, BAD)
    ran = project.viva("test", "-i", "cases.jsonl", "--format", "agent", FORCE_COLOR="1")
    assert ran.code == 1
    assert ran.out.startswith('FAILED cases.jsonl:2 [bad] "three"\n')
    assert "\x1b" not in ran.out
    assert ran.out.splitlines()[-1].startswith("FAIL: 1 of 2 passed, 1 failed")
    again = next(line for line in ran.out.splitlines() if "again: viva " in line).partition("viva ")[2].split()
    once_more = project.viva(*again)
    assert once_more.code == 1
    assert once_more.out.splitlines()[-1].startswith("FAIL: 0 of 1 passed")


def test_the_agent_format_by_variable_and_as_a_report(project: VivaProject):
    project.cases(GOOD, BAD)
    by_variable = project.viva("test", "-i", "cases.jsonl", VIVA_FORMAT="agent")
    assert by_variable.out.startswith("FAILED ")
    as_report = project.viva("test", "-i", "cases.jsonl", "-r", "report.agent")
    assert as_report.out.startswith("FAILED ")
