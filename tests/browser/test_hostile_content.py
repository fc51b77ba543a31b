"""Whatever an agent writes, none of it may run as code, break the layout, stay hidden, or hang the page."""

from typing import Any

from msgspec import structs
from tests.browser.conftest import OpenReport
from tests.browser.sample_results import saying
from tests.browser.waiting import becomes
from tests.fakes.results import hostile, report_of, run_info

from vivavoce.model.result import CaseResult

OWNED = "globalThis.owned = true"
UNFOLD = "() => { for (const fold of document.querySelectorAll('dialog details')) fold.open = true }"
WHAT_BROKE_OUT = """() => [
  ...(globalThis.owned || ({}).owned ? ["ran"] : []),
  ...document.querySelectorAll("iframe, object, base, meta[http-equiv=refresh], [onerror], [onfocus], [onmouseover]"),
  ...document.querySelectorAll("#viva :is(script, style, img, link)"),
].map(String)"""
ATTACKS = {
    "script": f"<script>{OWNED}</script>",
    "ends-the-block": f"</script><script>{OWNED}</script>",
    "ends-it-in-capitals": f"</SCRIPT ><img src=x onerror='{OWNED}'>",
    "comment": f"<!-- <script> --!> <script>{OWNED}</script> ]]> <![CDATA[",
    "image": f'<img src="https://example.org/x.png" onerror="{OWNED}">',
    "handler": f'" onmouseover="{OWNED}" autofocus onfocus="{OWNED}" x="',
    "frame": "<iframe src='https://example.org/'></iframe><object data=x></object><base href='https://example.org/'>",
    "refresh": "<meta http-equiv=refresh content='0;url=https://example.org/'><link rel=stylesheet href=//example.org>",
    "style": "<style>body { display: none }</style></style>",
    "address": f"javascript:{OWNED}",
    "template": "${globalThis.owned = true} {{constructor.constructor('owned = true')()}}",
    "line-separators": "one\u2028two\u2029three\x00four\x85five\rsix",
    "surrogates": "half \ud83d of a face, \udc00 and the other",
    "prototype": "__proto__",
}


def attacking(name: str, said: str) -> CaseResult:
    """A case with the attack in every field that holds text."""
    answer = said if len(name) % 2 else {said: [said], "__proto__": {"owned": True}, "text": said}
    result = saying(answer, case_id=f"{name} {said}", name=said)
    return structs.replace(result, case=structs.replace(result.case, tags=(said,), description=said))


async def test_nothing_an_agent_writes_runs_or_breaks_out(open_report: OpenReport):
    results = [attacking(*attack) for attack in ATTACKS.items()]
    page = await open_report(
        structs.replace(report_of(results), info=run_info(len(results), inputs=tuple(ATTACKS.values())))
    )
    assert await page.locator("tbody tr").count() == len(results)
    await page.locator("tbody tr .col-status").first.click()
    for place, result in enumerate(results, 1):
        await page.get_by_text(f"{place} of {len(results)}", exact=True).wait_for()
        await page.evaluate(UNFOLD)
        assert await page.evaluate(WHAT_BROKE_OUT) == [], result.case.id
        await page.keyboard.press("j")
    await page.keyboard.press("Escape")
    assert await page.evaluate("document.scripts.length") == 2 + len(results)


async def test_text_is_shown_to_the_letter(open_report: OpenReport):
    said = ATTACKS["ends-the-block"]
    page = await open_report(report_of([saying(said)]), "#case=said")
    assert await page.locator(".bubble.from-agent .text").inner_text() == said


async def test_marks_that_turn_text_around_are_made_visible(open_report: OpenReport):
    page = await open_report(report_of([saying("pay \u202e001 to\u2066 Bob\u200b\U000e0041")]), "#case=said")
    answer = page.locator(".bubble.from-agent .text")
    assert await answer.inner_text() == "pay U+202E001 toU+2066 BobU+200BU+E0041"
    assert await answer.locator(".unseen").count() == 4
    assert await answer.evaluate("node => getComputedStyle(node).unicodeBidi") == "plaintext"


async def test_arabic_text_keeps_its_direction_and_its_neighbours_theirs(open_report: OpenReport):
    page = await open_report(report_of([saying("مرحبا بالعالم", case_id="id-1", name="اسم 12")]), "#case=id-1")
    answer = page.locator(".bubble.from-agent .text")
    assert await answer.evaluate("node => node.matches(':dir(rtl)')")
    assert await page.locator("tbody .case-name bdi").count() == 1


async def test_the_console_codes_of_a_hostile_case_are_labelled(open_report: OpenReport):
    page = await open_report(report_of([hostile()]), "#case=evil%7C%3Cid%3E")
    text = await page.locator(".bubble.from-agent").inner_text()
    assert "U+001B[2J" in text
    assert "U+0000" in text


async def test_an_endless_text_is_clipped_until_asked_for(open_report: OpenReport):
    endless = "All work and no play.\n" * 250_000
    page = await open_report(report_of([saying(endless)]), "#case=said", accept_downloads=True)
    answer = page.locator(".bubble.from-agent")
    assert len(await answer.inner_text()) < 5_000
    assert "5.5 MB more of 5.5 MB" in await answer.locator(".clipped").inner_text()
    await answer.get_by_role("button", name="Show 1 MB more").click()
    assert 1_000_000 < len(await answer.locator(".text").evaluate("node => node.textContent")) < 1_100_000
    async with page.expect_download() as saved:
        await answer.get_by_role("button", name="Download").click()
    path: Any = await (await saved.value).path()
    assert path.read_text() == endless


async def test_a_long_text_is_shown_whole_when_asked_for(open_report: OpenReport):
    long = "a" + "😀" * 30_000 + "\nthe end"
    page = await open_report(report_of([saying(long)]), "#case=said")
    answer = page.locator(".bubble.from-agent")
    await answer.get_by_role("button", name="Show all").click()
    await answer.get_by_text("the end").wait_for()
    assert await answer.locator(".unseen").count() == 0, "no character was cut in half"


async def test_numbers_too_long_for_javascript_are_not_rounded(open_report: OpenReport):
    page = await open_report(report_of([saying({"order": 12345678901234567890, "small": 1})]), "#case=said")
    assert "12345678901234567890" in await page.locator(".bubble.from-agent").inner_text()
    await page.keyboard.press("Escape")
    await page.get_by_role("searchbox").fill("12345678901234567890")
    await becomes(page.locator("tbody tr").count, 1)
