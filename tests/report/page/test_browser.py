"""The page in a real browser (Debian's chromium), without a screen or a network.

TKAE_AXE=FILE names axe.min.js, of npm's axe-core: then no fault that it calls serious may be found.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = os.environ.get("TKAE_AXE")  # read now: no test sees a setting of the user's
SIZES = {"desktop": (1366, 900), "phone": (390, 844)}

pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium with its driver on this machine"),
    pytest.mark.xdist_group("page"),  # one browser for all
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, results: Path) -> Iterator[Any]:
    """Opened anew, on a desktop; whatever a test does, the browser has nothing to complain of."""
    show(browser, "desktop", "light")
    browser.get((results / "report" / "index.html").as_uri())
    yield browser
    assert [line["message"] for line in browser.get_log("browser")] == []


def show(browser: Any, size: str, scheme: str) -> None:
    width, height = SIZES[size]
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    scheme_of = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme_of]})


def texts(page: Any, selector: str) -> list[str]:
    """Of the elements that are shown."""
    found: list[str] = page.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter(one => one.offsetParent)"
        ".map(one => one.innerText.trim())",
        selector,
    )
    return found


def column(page: Any, name: str) -> list[str]:
    """What the rows of the imputation table are sorted by in this column."""
    found: list[str] = page.execute_script(
        "const table = document.querySelector('#imputation table.results');"
        "const at = [...table.tHead.rows[0].cells].findIndex(one => one.innerText.startsWith(arguments[0]));"
        "return [...table.tBodies[0].rows].map(row => row.cells[at].dataset.sort ?? row.cells[at].innerText)",
        name,
    )
    return found


def press(page: Any, selector: str) -> None:
    page.execute_script("document.querySelector(arguments[0]).click()", selector)


def choose(page: Any, **values: str) -> None:
    for name, value in values.items():
        page.execute_script(
            "const field = document.querySelector(`#filter [name=${arguments[0]}]`);"
            "field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', {bubbles: true}))",
            name,
            value,
        )


def test_a_click_on_a_heading_sorts_by_numbers(page: Any) -> None:
    heading = "#imputation table.results thead th:nth-child(6)"
    before = column(page, "paper")
    press(page, f"{heading} button")
    up = [float(value) for value in column(page, "paper") if value]
    assert up == sorted(up) != [float(value) for value in before if value]
    assert page.execute_script(f"return document.querySelector('{heading}').ariaSort") == "ascending"
    press(page, f"{heading} button")
    down = column(page, "paper")
    assert [float(value) for value in down if value] == up[::-1] and sorted(down) == sorted(before)
    assert (
        page.execute_script("return document.querySelectorAll('#imputation [aria-sort=descending]').length")
        == 1
    )


def test_filters_leave_what_fits(page: Any) -> None:
    rows = "#imputation tr.line"
    every = len(texts(page, rows))
    choose(page, method="TKAE")
    own = texts(page, rows)
    assert 0 < len(own) < every and all("TKAE" in text for text in own)
    choose(page, method="", verdict="not run", protocol="authors")
    shown = page.execute_script(
        "return [...document.querySelectorAll('tr.line')]"
        ".filter(one => one.offsetParent && !one.dataset.claim)"
        ".map(row => row.querySelector('[data-protocol=authors]').dataset.verdict)"
    )
    assert shown and set(shown) == {"not run"}
    assert texts(page, "th[data-protocol=paper]") == []
    choose(page, verdict="", protocol="", text="no such thing")
    assert texts(page, "tr.line") == [] and "0 of" in texts(page, "#count")[0]
    press(page, "#filter [type=reset]")
    WebDriverWait(page, 5).until(lambda _: len(texts(page, rows)) == every)


def test_a_row_opens_what_stands_behind_it(page: Any) -> None:
    row = '#imputation tr.line[data-method=TKAE][data-dataset="Jp. Vow."]'
    press(page, f"{row} .open")
    assert page.find_element("css selector", f"{row} .open").get_attribute("aria-expanded") == "true"
    told = "\n".join(texts(page, "#imputation tr.detail"))
    for wanted in (
        "tkae-run experiment=imputation dataset=japanese_vowels model=tkae protocol=authors",
        "model.l2=",
        "Training error",
        "SHA-256",
    ):
        assert wanted in told, wanted
    assert len(page.execute_script("return [...document.querySelectorAll('.detail .chart .line')]")) == 4 * 10
    press(page, f"{row} .open")
    assert texts(page, "tr.detail") == []


def test_a_dot_leads_to_its_row(page: Any) -> None:
    line = page.execute_script(
        "const mark = document.querySelector('.mark');"
        "mark.dispatchEvent(new MouseEvent('click', {bubbles: true}));"
        "return mark.dataset.line"
    )
    WebDriverWait(page, 5).until(lambda _: page.find_elements("css selector", f"[id='{line}'].opened"))


def test_the_legend_hides_dots_and_lines(page: Any) -> None:
    def shown() -> int:
        count: int = page.execute_script(
            "return [...document.querySelectorAll('.mark')]"
            ".filter(one => one.style.display !== 'none').length"
        )
        return count

    every = shown()
    press(page, ".picture .legend [data-protocol=paper]")
    left = shown()
    assert 0 < left < every
    press(page, ".picture .legend [data-protocol=paper]")
    assert shown() == every
    assert page.execute_script("return document.querySelectorAll('.sweep .chart .line').length") > 0
    press(page, ".sweep .legend button")
    assert page.execute_script("return document.querySelectorAll('.sweep .line.off').length") == 1


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_screen(page: Any, size: str) -> None:
    show(page, size, "light")
    page.refresh()
    press(page, "#imputation .open")
    width = page.execute_script("return document.documentElement.scrollWidth")
    assert width <= SIZES[size][0]


def test_light_and_dark_follow_the_system_until_chosen(page: Any) -> None:
    def background() -> str:
        colour: str = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        return colour

    light = background()
    show(page, "desktop", "dark")
    dark = background()
    assert light != dark
    press(page, "#theme")  # light
    assert background() == light
    press(page, "#theme")
    assert background() == dark
    press(page, "#theme")  # as the system
    assert background() == dark and texts(page, "#theme")[0].endswith("auto")


def test_the_keyboard_reaches_the_results_first(page: Any) -> None:
    page.find_element("css selector", "body").send_keys(Keys.TAB)
    skip = page.switch_to.active_element
    assert skip.get_attribute("href").endswith("#main") and skip.is_displayed()
    skip.send_keys(Keys.ENTER)
    assert page.execute_script("return document.activeElement.id") == "main"
    opener = page.find_element("css selector", "#imputation .open")
    opener.send_keys(Keys.ENTER)
    assert opener.get_attribute("aria-expanded") == "true"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_serious_fault(page: Any, size: str, scheme: str) -> None:
    if not AXE:
        pytest.skip("TKAE_AXE names no axe.min.js (npm pack axe-core)")
    show(page, size, scheme)
    page.refresh()
    press(page, "#imputation .open")
    press(page, "#claims .open")
    page.execute_script(Path(AXE).read_text(encoding="utf-8"))
    page.set_script_timeout(300)
    found = page.execute_async_script(
        "const done = arguments[0];axe.run({resultTypes: ['violations']}).then(made => done(made.violations))"
    )
    told = [(one["id"], one["impact"], [node["html"] for node in one["nodes"]][:3]) for one in found]
    assert [one for one in told if one[1] in ("serious", "critical")] == []
