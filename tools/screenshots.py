"""Makes the pictures of the documentation from real runs: `python tools/screenshots.py` (needs Chromium)."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
VIVA = Path(sys.executable).parent / "viva"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


def example_run(folder: Path) -> Path:
    """The demo's expense project in eight runs; the planted bug comes with the fifth."""
    subprocess.run([VIVA, "init", str(folder)], check=True, capture_output=True)
    bug = ROOT / "src" / "vivavoce" / "examples" / "demo" / "planted_bug.jsonl"
    for run in range(8):
        if run == 4:
            shutil.copy(bug, folder / "assistants" / "expense" / "tests" / bug.name)
        subprocess.run([VIVA, "test", "-o", "report.html", "-o", "r.jsonl"], cwd=folder, capture_output=True)
    return folder / "report.html"


def picture(page: Page, name: str) -> None:
    page.wait_for_timeout(600)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


def of_the_report(browser: Browser, report: Path) -> None:
    for name, scheme, size, link in (
        ("report-light", "light", (1280, 900), ""),
        ("report-dark", "dark", (1280, 900), "#case=travel-expense"),
        ("report-phone", "light", (390, 800), ""),
    ):
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        page.goto(f"file://{report}{link}")
        picture(page, name)
        page.close()


@contextmanager
def viewing(project: Path) -> Iterator[str]:
    """`viva view` of a project; gives its address."""
    command = [VIVA, "view", "--no-browser", "--port", "0"]
    path = f"{VIVA.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PATH": path, "SHOP_PORT": "8799"}
    server = subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert server.stdout is not None
        yield next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
    finally:
        server.terminate()
        server.communicate()


def of_the_viewer(browser: Browser, project: Path) -> None:
    with viewing(project) as url:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(url)
        picture(page, "view-runs")
        page.goto(f"{url}cases")
        picture(page, "view-cases")
        page.locator(".heat-name a").first.click()
        page.locator(".case-results").wait_for()
        picture(page, "view-case")


def of_a_talk(browser: Browser, project: Path) -> None:
    """A checkout in the example shop up to the approval, and the test that it becomes."""
    subprocess.run([VIVA, "init", str(project), "--example", "shop"], check=True, capture_output=True)
    with viewing(project) as url:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{url}talk")
        page.locator(".talk-controls button", has_text="Start").click()
        lines = ["I want to checkout", "Express shipping, please", "Let me pay"]
        for number, line in enumerate(lines, start=1):
            page.locator(".talk-line button:enabled", has_text="Send").wait_for()
            page.get_by_label("Your message").fill(line)
            page.get_by_label("Your message").press("Enter")
            page.locator(".talk-turns > .turn").nth(number - 1).wait_for()
        page.get_by_role("button", name="Approve").wait_for()
        picture(page, "talk")
        page.get_by_role("button", name="Approve").click()
        page.locator(".talk-turns > .turn").nth(len(lines)).wait_for()
        page.get_by_role("button", name="Save as test").click()
        page.get_by_label("Name").fill("A checkout")
        page.locator(".talk-save button:enabled", has_text="Write the file").wait_for()
        picture(page, "talk-save")


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        project = Path(scratch) / "exam"
        report = example_run(project)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        of_the_report(browser, report)
        of_the_viewer(browser, project)
        of_a_talk(browser, Path(scratch) / "shop")
        browser.close()


if __name__ == "__main__":
    main()
