"""What a document costs beside making it the long way: each line decoded, restored and encoded again."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import structs

from vivavoce.model.result import RunReport
from vivavoce.model.tally import Tally
from vivavoce.reporters.html.page import write_html
from vivavoce.reporters.json_report import write_json
from vivavoce.results.result_file import read_result_file, results_in
from vivavoce.results.rows import row_line

WRITERS = {"html": write_html, "json": write_json}


def copied(journal: Path) -> RunReport:
    return read_result_file(journal).report()


def made_again(journal: Path) -> RunReport:
    """As viva 0.1.0 did it: restored once to count, and once more for the document."""
    tally = Tally()
    for result in results_in(journal):
        tally.add(result)

    def rows() -> Iterator[bytes]:
        return (row_line(result)[:-1] for result in results_in(journal))

    return structs.replace(read_result_file(journal).report(), rows=rows)


def seconds(kind: str, journal: Path, read: Callable[[Path], RunReport], repeats: int = 3) -> float:
    """CPU of the best of some tries, without start-up."""
    found: list[float] = []
    for _ in range(repeats):
        began = time.process_time()
        with journal.with_suffix(f".{kind}").open("w", encoding="utf-8") as out:
            WRITERS[kind](read(journal), out)
        found.append(time.process_time() - began)
    return min(found)


def main(journal: Path) -> None:
    """Prints for each kind what it costs when lines are copied, and when they are made again."""
    for kind in WRITERS:
        print(kind, seconds(kind, journal, copied), seconds(kind, journal, made_again))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
