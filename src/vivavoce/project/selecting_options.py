"""The run options for cases and agents; see run_options.py."""

from vivavoce.project.option import OptionGroup, Texts, option, texts_of

_ONE_AGENT = "one agent at a time; viva compare runs the same cases against several"


class CaseOptions(OptionGroup):
    """What to examine."""

    inputs: Texts = option(
        "-i",
        "--input",
        default=(),
        kind="texts",
        metavar="SOURCE",
        variable=False,
        setting=False,
        pytest=False,
        completion="sources",
        help="Cases: file, directory, glob, path::id, path:line, - (stdin), agents:ID?k=v, scripts:ID?k=v, "
        "scripts.AGENT.MODULE, or a message. Repeatable; -i may be left out. Default: `tests` in viva.yaml.",
    )
    messages: Texts = option(
        "--message",
        default=(),
        kind="texts",
        metavar="TEXT",
        variable=False,
        setting=False,
        pytest=False,
        help="A direct message, even if it looks like a file.",
    )


class AgentOptions(OptionGroup):
    """Who is examined, and on whose behalf."""

    agent: object = option(
        "-n",
        "--name",
        default=None,
        takes_objects=True,
        metavar="AGENT",
        variable="VIVA_AGENT",
        setting=False,
        pytest="--viva-agent",
        decides_result=True,
        completion="agents",
        once=_ONE_AGENT,
        help="The agent under test.",
    )
    connector: str | None = option(
        "-c",
        "--connector",
        default=None,
        metavar="ID",
        setting=False,
        decides_result=True,
        help="Override the model connector.",
    )
    user: str | None = option(
        "-u",
        "--user",
        default=None,
        metavar="ID",
        shown_default="test-user",
        variable="VIVA_USER_ID",
        setting=False,
        decides_result=True,
        help="User the agent is called for.",
    )
    team: str | None = option(
        "-t",
        "--team",
        default=None,
        metavar="ID",
        shown_default="test-team",
        variable="VIVA_TEAM_ID",
        setting=False,
        decides_result=True,
        help="Team the agent is called for.",
    )
    locale: str | None = option(
        "--locale",
        default=None,
        metavar="TAG",
        shown_default="en-us",
        setting=False,
        decides_result=True,
        help="Locale of the call.",
    )
    context: object = option(
        "--ctx",
        default=None,
        takes_objects=True,
        metavar="FILE",
        setting=False,
        decides_result=True,
        help="JSON file with identity and metadata.",
    )


FOR_ONE_AGENT = frozenset(
    {
        *("agent", "connector", "early_stop", "update_snapshots", "watch", "interactive"),
        *("baseline", "update_baseline", "confirm"),
    }
)
"""Options that make no sense when several agents are compared, or would make the comparison unfair."""


class ContestOptions(OptionGroup):
    """Who is compared: the options of `viva compare` in place of those of one agent."""

    agents: Texts = option(
        "-n",
        "--name",
        default=(),
        kind="texts",
        metavar="AGENT",
        variable=False,
        setting=False,
        pytest=False,
        completion="agents",
        help="An agent to compare. Repeatable.",
    )
    connectors: Texts = option(
        "-c",
        "--connector",
        default=(),
        kind="texts",
        metavar="ID",
        variable=False,
        setting=False,
        pytest=False,
        help="A model connector to compare: every agent that takes one runs over each. Repeatable.",
    )


class SelectionOptions(OptionGroup):
    """Which of the cases found."""

    pattern: str | None = option(
        "--run",
        default=None,
        metavar="REGEX",
        variable=False,
        setting=False,
        pytest=False,
        help="Only cases whose id, name or path::id matches.",
    )
    keywords: str | None = option(
        "-k",
        "--keywords",
        default=None,
        metavar="EXPRESSION",
        variable=False,
        setting=False,
        pytest=False,
        help='Only cases whose path::id, name or tags contain these words: "refund and not slow".',
    )
    marks: str | None = option(
        "-m",
        "--marks",
        default=None,
        metavar="EXPRESSION",
        variable=False,
        setting=False,
        pytest=False,
        completion="tags",
        help='Only cases with these tags: "smoke and not slow".',
    )
    tags: Texts = option(
        "--tag",
        default=(),
        kind="texts",
        metavar="TAG",
        variable=False,
        setting=False,
        pytest=False,
        completion="tags",
        help="Only cases with this tag. Repeatable: one of them is enough.",
    )
    last_failed: bool = option(
        "--last-failed",
        "--lf",
        default=False,
        kind="switch",
        variable=False,
        setting=False,
        pytest=False,
        help="Only what did not pass last time; all cases when nothing failed.",
    )
    failed_first: bool = option(
        "--failed-first",
        "--ff",
        default=False,
        kind="switch",
        variable=False,
        setting=False,
        pytest=False,
        help="First what did not pass last time, then the rest.",
    )
    order: str = option(
        "--order",
        default="file",
        metavar="ORDER",
        pytest=False,
        help="Which cases run first: file, failed-first, risk (likely to fail, and fast), fast, random[:SEED].",
    )
    shard: str | None = option(
        "--shard",
        default=None,
        metavar="I/N",
        setting=False,
        pytest=False,
        help="Only this part of N stable parts.",
    )
    sample: int | None = option(
        "--sample",
        default=None,
        kind="number",
        least=1,
        metavar="N",
        variable=False,
        setting=False,
        pytest=False,
        help="Only N cases, drawn with --seed.",
    )
    seed: int = option(
        "--seed",
        default=0,
        kind="number",
        metavar="N",
        variable=False,
        setting=False,
        pytest=False,
        help="Seed of --sample.",
    )

    @property
    def tag_names(self) -> tuple[str, ...]:
        return texts_of(self.tags)
