"""The option that measures code; run_options.py says what is made of it."""

from vivavoce.project.option import OptionGroup, Texts, option, texts_of


class MeasuringOptions(OptionGroup):
    """What is measured of the agent's code."""

    cov: Texts = option(
        "--cov",
        default=(),
        kind="texts",
        metavar="PATH",
        variable=False,
        setting=False,
        pytest=False,
        help="Measure this Python code with coverage.py, one context per case; -j N is N processes. Repeatable.",
    )

    @property
    def cov_paths(self) -> tuple[str, ...]:
        return texts_of(self.cov)
