"""The pages of script projects in a browser; `browser.py` beside this runs them."""

from playwright.sync_api import expect

from browser_common import NARROW, ask, fits

CODE = """// Adds <b>numbers</b>.
function add(a, b) {
  console.log("adding");
  return a + b;
}
function fail(text) {
  console.warn(`fails: ${text}`);
  throw new RangeError(text);
}
function wait() {
  console.log("waiting");
  Utilities.sleep(6000);
  console.log("done");
}
"""


def project(title, code=CODE):
    """The identifier of a new project with that code, which can be run."""
    identifier = ask("POST", "/v1/projects", {"title": title})["scriptId"]
    manifest = '{"timeZone": "Europe/London", "executionApi": {"access": "MYSELF"}}'
    files = [
        {"name": "manifest", "type": "JSON", "source": manifest},
        {"name": "Code", "type": "SERVER_JS", "source": code},
        {"name": "page", "type": "HTML", "source": "<p title=\"x\">text</p>"},
    ]
    ask("PUT", f"/v1/projects/{identifier}/content", {"files": files})
    return identifier


def scripts(browser, opened):
    """A project shows its files, and runs functions in place; executions tell what has run."""
    identifier = project("Sums & <i>more</i>")
    ask("POST", f"/v1/projects/{identifier}/versions", {"description": "The first"})
    with opened(browser, "/scripts") as page:
        page.get_by_role("link", name="Sums & <i>more</i>").click()
        expect(page.locator(".file[open] summary")).to_contain_text("Code.js")
        expect(page.locator(".file .keyword").first).to_be_visible()
        expect(page.locator(".file", has_text="page.html")).to_contain_text("1 line")
        expect(page.locator(".file", has_text="page.html")).not_to_contain_text("1 lines")
        expect(page.locator(".file", has_text="Code.js").locator(".comment")).to_have_text("// Adds <b>numbers</b>.")
        expect(page.locator(".versions")).to_contain_text("The first")
        outcome = page.locator("#outcome")
        page.locator("#runner [name=parameters]").fill("[3, 4]")
        page.get_by_role("button", name="Run").click()
        expect(outcome).to_have_text("7")
        printed = page.locator("#console")
        expect(printed.locator("li")).to_have_text("info adding")
        page.locator("#runner [name=parameters]").fill("[3, 4")
        page.get_by_role("button", name="Run").click()
        expect(outcome).to_contain_text("The parameters cannot be parsed")
        page.locator("#runner select").select_option("fail")
        page.locator("#runner [name=parameters]").fill("[\"<img src=x onerror=alert(1)>\"]")
        page.get_by_role("button", name="Run").click()
        expect(outcome).to_contain_text("RangeError: <img src=x onerror=alert(1)>")
        expect(outcome).to_contain_text("at fail (line 8)")
        expect(printed.locator("li").first).to_contain_text("warning fails: <img src=x onerror=alert(1)>")
        printed.get_by_role("link").click()
        expect(page.get_by_role("heading", name="fail", exact=True)).to_be_visible()
        expect(page.locator(".error pre")).to_contain_text("RangeError: <img src=x onerror=alert(1)>")
        expect(page.locator(".error pre")).to_contain_text("at fail (line 8)")
        expect(page.locator("#log li")).to_have_count(2)
        page.get_by_role("link", name="Sums & <i>more</i>").click()
        expect(page.locator(".plot rect.good")).to_have_count(7)
        page.get_by_role("link", name="Executions").click()
        rows = page.locator("#executions tr")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("fail")
        expect(rows.first.locator(".status")).to_have_text("failed")
        ask("POST", f"/v1/scripts/{identifier}:run", {"function": "add", "parameters": [1, 2], "devMode": True})
        expect(rows).to_have_count(3)
        expect(rows.first.locator(".status")).to_have_text("completed")
        log = page.locator("#log details")
        expect(log).to_have_count(3)
        log.last.locator("summary").click()
        ask("POST", f"/v1/scripts/{identifier}:run", {"function": "fail", "parameters": ["<b>x</b>"], "devMode": True})
        expect(log).to_have_count(4)
        expect(log.first).to_contain_text("warning fails: <b>x</b>")
        expect(log.first).to_have_attribute("open", "")
        assert log.last.get_attribute("open") is None, "what was folded is folded"
    with opened(browser, f"/scripts/project?id={identifier}") as page:
        page.locator("#runner select").select_option("wait")
        page.get_by_role("button", name="Run").click()
        page.get_by_role("link", name="Executions").click()
        page.locator("#executions a").first.click()
        details = page.locator("#execution")
        expect(details.locator(".status")).to_have_text("running")
        expect(details.locator("#log li")).to_have_text("info waiting")
        expect(details.locator(".status")).to_have_text("completed", timeout=20_000)
        expect(details.locator("#log li")).to_have_count(2)
    with opened(browser, f"/scripts/project?id={identifier}", viewport=NARROW) as page:
        fits(page)
    with opened(browser, f"/scripts/project?id={identifier}", java_script_enabled=False) as page:
        expect(page.locator("#runner")).to_be_hidden()
        expect(page.locator(".file").first).to_be_visible()


STEPS = [("script projects", scripts)]
