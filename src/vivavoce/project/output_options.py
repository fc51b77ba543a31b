"""The run options for reports and history; see run_options.py."""

from vivavoce.project.option import OptionGroup, Texts, option, texts_of
from vivavoce.project.report_formats import SHOWN_NAMES, SHOWN_SUFFIXES


class OutputOptions(OptionGroup):
    """What is written, and by whom."""

    outputs: Texts = option(
        "-o",
        "--output",
        default=(),
        kind="texts",
        metavar="FILE",
        setting_help="Report files; a folder (`results/`) is for result files without a name of their own.",
        help=f"Report: {SHOWN_SUFFIXES}, or - for result lines on stdout. Repeatable. Default for files: "
        "output-TIME.jsonl beside the input.",
    )
    junitxml: str | None = option("--junitxml", default=None, metavar="FILE", help="Same as -o FILE.xml.")
    reporter: str | None = option(
        "-r",
        "--reporter",
        default=None,
        metavar="REF",
        help=f"Reporter agent, or report.{SHOWN_NAMES}.",
    )

    @property
    def output_paths(self) -> tuple[str, ...]:
        return texts_of(self.outputs)


class HistoryOptions(OptionGroup):
    """What is kept of the run."""

    history: bool = option(
        "--no-history",
        default=True,
        kind="off switch",
        setting="history",
        setting_help="False: runs are not kept.",
        help="Do not keep this run in .viva/ (--last-failed, history, view and diff cannot use it).",
    )
    title: str | None = option(
        "--title",
        default=None,
        metavar="TEXT",
        setting=False,
        help="Name of this run in the history, on the page and in reports.",
    )
    baseline: str | None = option(
        "--baseline",
        default=None,
        metavar="NAME|FILE|RUN",
        setting_help="The baseline that runs are compared with.",
        pytest=False,
        help="Fail only for what became worse than this baseline (viva baseline), result file or run.",
    )
    update_baseline: bool = option(
        "--update-baseline",
        default=False,
        kind="switch",
        setting=False,
        pytest=False,
        help="Add this run's counts to the baseline, without the cases that became worse.",
    )
    confirm: bool = option(
        "--no-confirm",
        default=True,
        kind="off switch",
        setting="confirm",
        setting_help="False: a single failure against the baseline counts.",
        pytest=False,
        help="With --baseline: a case that failed its only run counts at once, without 4 more runs.",
    )
    quarantine: bool = option(
        "--no-quarantine",
        default=True,
        kind="off switch",
        setting="quarantine",
        setting_help="False: quarantine.yaml is not used.",
        help="Cases in quarantine.yaml decide the exit code like all others.",
    )
    keep: int = option("--keep", default=50, kind="number", least=1, metavar="N", help="Runs kept in the history.")
