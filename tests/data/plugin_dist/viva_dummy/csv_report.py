import csv
from typing import TextIO

from vivavoce.model.result import RunReport
from vivavoce.plugins import ReportFormat, report


def write_csv(run: RunReport, out: TextIO) -> None:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "status"])
    for result in run.results():
        rows.writerow([result.case.id, result.status.value])


CSV = report(ReportFormat(name="csv", suffixes=(".csv",), write=write_csv))
