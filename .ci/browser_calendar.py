"""The pages of calendars in a browser; `browser.py` beside this runs them.

They make what they look at: a calendar of their own in London, whose events they add through the API.
"""

import datetime
import json
import os
import subprocess
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from browser_common import BASE, NARROW, TOKEN, WIDE, add_event, ask, at, box, calendar, elsewhere, fits


def week(browser, opened):
    """Events that overlap stand side by side, at their times; a narrow page is a list."""
    for summary, start, end in (
        ("Long", "2031-03-04T09:00:00", "2031-03-04T13:00:00"),
        ("Short", "2031-03-04T12:00:00", "2031-03-04T12:05:00"),
        ("Apart", "2031-03-04T14:00:00", "2031-03-04T15:00:00"),
    ):
        add_event(summary=summary, start=at(start), end=at(end))
    add_event(summary="Fair", start=at("2031-03-05"), end=at("2031-03-08"))
    target = f"/calendar?calendar={calendar()}&date=2031-03-04"
    with opened(browser, target, viewport=WIDE) as page:
        expect(page.get_by_role("heading", name="3 – 9 March 2031", level=1)).to_be_visible()
        day = page.get_by_role("region", name="Tue 4 March 2031")
        long, short, apart = (box(day.locator(".event", has_text=name)) for name in ("Long", "Short", "Apart"))
        assert long["x"] + long["width"] <= short["x"] + 1, (long, short)
        assert long["y"] < short["y"] < long["y"] + long["height"] < apart["y"], (long, short, apart)
        assert apart["width"] > 1.8 * long["width"], (long, apart)
        fair = box(page.locator(".long .event", has_text="Fair"))
        column = box(page.locator(".d2 .column"))
        assert fair["width"] > 2.8 * column["width"] and abs(fair["x"] - column["x"]) < 4, (fair, column)
        fits(page)
    with opened(browser, target, viewport=NARROW) as page:
        tops = [box(page.locator(".event", has_text=name))["y"] for name in ("Fair", "Long", "Short", "Apart")]
        assert tops == sorted(tops), tops
        fits(page)


def readable(browser, opened):
    """Titles of events at the same time can be read; what does not fit is on the page of the day, and found."""
    for name in ("Workshop", "The mill is weighed", "Notes", "Oil", "Planning"):
        add_event(summary=f"{name} (five)", start=at("2031-04-08T10:00:00"), end=at("2031-04-08T11:30:00"))
    target = f"/calendar?calendar={calendar()}&date=2031-04-08"
    with opened(browser, target, viewport=WIDE) as page:
        shown = page.locator(".d1 .column .event:visible")
        expect(shown).to_have_count(3)
        for index in range(3):
            clipped = shown.nth(index).locator("a").evaluate("(link) => link.scrollWidth > link.clientWidth || link.scrollHeight > link.clientHeight")
            assert not clipped, shown.nth(index).inner_text()
        page.get_by_role("link", name="+2 more on 8 April").click()
        expect(page.get_by_role("heading", name="Tuesday, 8 April 2031")).to_be_visible()
        expect(page.locator(".column .event:visible")).to_have_count(5)
        fits(page)
    with opened(browser, target, viewport=NARROW) as page:
        expect(page.locator(".event:visible", has_text="(five)")).to_have_count(5)
    with opened(browser, f"{target}&view=month", viewport=WIDE) as page:
        # A day shows some of its events.
        event = page.locator(".event:visible", has_text="(five)").first
        title, time = box(event.locator("b")), box(event.locator(".when"))
        assert title["x"] + title["width"] <= time["x"] + 1, (title, time)
        page.get_by_role("searchbox").fill("weighed")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".found li")).to_have_count(1)
        page.get_by_role("link", name="The mill is weighed (five)").click()
        expect(page.get_by_role("heading", name="The mill is weighed (five)")).to_be_visible()


def series(browser, opened):
    """An instance leads to its series, the series to its instances; URLs and HTML are shown and do nothing else."""
    description = "<p>See <a href='https://example.com/plan'>the plan</a></p><script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">"
    identifier = add_event(
        summary="Lectures", start=at("2034-06-05T09:00:00"), end=at("2034-06-05T10:00:00"), recurrence=["RRULE:FREQ=WEEKLY;COUNT=4"],
        location="https://example.com/room", description=description,
    )
    with opened(browser, f"/calendar/event?calendar={calendar()}&event={identifier}") as page:
        expect(page.get_by_role("link", name="https://example.com/room")).to_have_attribute("href", "https://example.com/room")
        expect(page.get_by_role("link", name="the plan")).to_have_attribute("href", "https://example.com/plan")
        assert page.title() == "Lectures" and page.locator("main script, main img").count() == 0
        expect(page.locator(".instances li")).to_have_count(4)
        page.get_by_role("link", name="Mon 12 June 2034, 09:00").click()
        expect(page.locator("dd").first).to_contain_text("12 June 2034")
        page.get_by_role("link", name="All instances of the series").click()
        expect(page.locator(".instances li")).to_have_count(4)


def daylight(browser, opened):
    """A day with 23 hours and one with 25: times are those of the zone of the calendar, which the page names."""
    for name, date, start, end, said in (
        ("Spring", "2031-03-30", "00:30", "03:30", "GMT – 03:30 BST"),
        ("Autumn", "2031-10-26", "01:30", "02:15", "BST – 02:15 GMT"),
    ):
        add_event(summary=name, start=at(f"{date}T{start}:00"), end=at(f"{date}T{end}:00"))
        add_event(summary=f"All of {name}", start=at(date), end=at(str(datetime.date.fromisoformat(date) + datetime.timedelta(1))))
        with opened(browser, f"/calendar?calendar={calendar()}&date={date}") as page:
            expect(page.locator(".zone")).to_have_text("Times of Europe/London")
            whole, column = box(page.locator(".long .event")), box(page.locator(".d6 .column"))
            assert abs(whole["width"] - column["width"]) < 4 and abs(whole["x"] - column["x"]) < 4, (whole, column)
            event = page.locator(".column .event", has_text=name)
            expect(event.locator(".when")).to_have_text(f"{start}–{end}")
            assert box(event)["height"] > 20
            event.get_by_role("link").click()
            expect(page.locator("dd").first).to_contain_text(said)
    # Within the hour that comes twice: it ends, by the clock, before it begins.
    add_event(summary="Twice", start=at("2032-10-31T00:50:00Z"), end=at("2032-10-31T01:10:00Z"))
    with opened(browser, f"/calendar?calendar={calendar()}&date=2032-10-31") as page:
        assert box(page.locator(".column .event", has_text="Twice"))["height"] > 20
    with opened(browser, f"/calendar?calendar={calendar()}&date=2032-10-31&view=busy-day") as page:
        expect(page.locator(".busy .line li").first).to_be_visible()


def month(browser, opened):
    """A span goes over the end of the month, in two weeks; days with many events say how many more there are."""
    add_event(summary="Turn of May", start=at("2031-05-23"), end=at("2031-06-02"))
    for hour in range(8, 15):
        add_event(summary=f"Busy {hour}", start=at(f"2031-05-14T{hour:02}:00:00Z"), end=at(f"2031-05-14T{hour:02}:30:00Z"))
    target = f"/calendar?calendar={calendar()}&view=month&date=2031-05-20"
    with opened(browser, target, viewport=WIDE) as page:
        expect(page.get_by_role("heading", name="May 2031")).to_be_visible()
        turn = page.locator(".event", has_text="Turn of May")
        expect(turn).to_have_count(2)
        first, second = box(turn.nth(0)), box(turn.nth(1))
        assert first["y"] < second["y"] and first["x"] > second["x"] and second["width"] > 2 * first["width"], (first, second)
        expect(page.locator(".more")).to_contain_text("more on 14 May")
        page.locator(".more").click()
        expect(page.get_by_role("heading", name="12 – 18 May 2031")).to_be_visible()
        expect(page.locator(".day .event", has_text="Busy 14")).to_be_visible()
    with opened(browser, target, viewport=NARROW) as page:
        expect(page.locator(".event", has_text="Busy 14")).to_be_visible()
        fits(page)


def details(browser, opened):
    """An event with everything, and its JSON."""
    identifier = add_event(
        summary="Council", location="Room 4", description="First line\nSecond <line>", visibility="private",
        start=at("2031-06-10T09:00:00"), end=at("2031-06-10T10:00:00"),
        recurrence=["RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4"],
        attendees=[{"email": "charles@example.com"}, {"email": "mary@example.org", "optional": True}],
        reminders={"useDefault": False, "overrides": [{"method": "popup", "minutes": 120}]},
    )
    with opened(browser, f"/calendar?calendar={calendar()}&date=2031-06-17") as page:
        page.get_by_role("link", name="Council").click()
        shown = page.locator(".details")
        for text in (
            "Tuesday, 17 June 2031, 09:00 – 10:00 BST", "Room 4", "Second <line>", "Every week on Tuesday, 4 times", "private",
            "mary@example.org", "has not responded, optional", "popup, 2 hours before",
        ):
            expect(shown).to_contain_text(text)
        page.get_by_text("As the API returns it").click()
        text = page.locator(".json pre").inner_text()
        answered = ask("GET", f"/calendar/v3/calendars/{calendar()}/events/{identifier}_20310617T080000Z")
        assert json.loads(text) == answered, text
        expect(page.get_by_role("button", name="Copy")).to_be_visible()


def busy(browser, opened):
    """What is busy has no title, and what is free is not there."""
    add_event(summary="Secret plan", start=at("2031-07-12T09:00:00"), end=at("2031-07-12T11:00:00"))
    add_event(summary="Day off", start=at("2031-07-13"), end=at("2031-07-14"), transparency="transparent")
    for viewport in (WIDE, NARROW):
        with opened(browser, f"/calendar?calendar={calendar()}&view=busy&date=2031-07-12", viewport=viewport) as page:
            expect(page.locator(".busy [title='busy 09:00–11:00']")).to_have_count(1)
            assert "Secret" not in page.content() and "Day off" not in page.content()
            expect(page.locator(".busy tbody li")).to_have_count(1)
            fits(page)
    with opened(browser, f"/calendar?calendar={calendar()}&view=busy-day&date=2031-07-12", viewport=WIDE) as page:
        block, line = (box(page.locator(f".busy tbody {part}").first) for part in (".line li", ".line"))
        assert abs(block["width"] / line["width"] - 2 / 24) < .01, (block, line)


def keys(browser, opened):
    """Without a mouse: from event to event by arrows, to its page and back, and to the next week."""
    for summary, day, hour in (("First", 8, 9), ("Second", 8, 11), ("Third", 9, 9)):
        add_event(summary=summary, start=at(f"2031-09-{day:02}T{hour:02}:00:00Z"), end=at(f"2031-09-{day:02}T{hour + 1:02}:00:00Z"))
    with opened(browser, f"/calendar?calendar={calendar()}&date=2031-09-08") as page:
        focused = lambda: page.evaluate("document.activeElement.innerText")
        for _ in range(40):
            page.keyboard.press("Tab")
            if "First" in focused():
                break
        for key, name in (
            ("ArrowDown", "Second"), ("ArrowDown", "Second"), ("ArrowRight", "Third"), ("ArrowRight", "Third"), ("ArrowLeft", "First"),
        ):
            page.keyboard.press(key)
            assert name in focused(), (key, name, focused())
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="First")).to_be_visible()
        page.go_back()
        page.get_by_role("link", name="Next").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="15 – 21 September 2031")).to_be_visible()


def channels(browser, opened):
    """Channels with their messages: nobody answers at the receiver's, so that an attempt has failed and another one is due."""
    with elsewhere() as (other, calls):
        body = {"id": "pages", "type": "web_hook", "address": f"{other}/hook?key=secret-of-the-receiver", "token": "s3cret"}
        opened_channel = ask("POST", f"/calendar/v3/calendars/{calendar()}/events/watch", body)
        row = lambda page: page.locator(".channels tbody tr", has_text="pages")
        with opened(browser, f"/calendar?calendar={calendar()}") as page:
            page.get_by_role("link", name="Channels").click()
            expect(page.get_by_role("heading", name="Channels")).to_be_visible()
            for _ in range(100):
                if "tried" in row(page).inner_text() and "not tried yet" not in row(page).inner_text():
                    break
                page.wait_for_timeout(100)
                page.reload()
            expect(row(page)).to_contain_text("127.0.0.1")
            expect(row(page).locator(".message")).to_have_text("1")
            expect(row(page)).to_contain_text("on its way")
            for secret in ("s3cret", "secret-of-the-receiver"):
                assert secret not in page.content(), secret
            assert calls, "the receiver was asked"
        with opened(browser, "/calendar/channels", viewport=NARROW) as page:
            expect(row(page)).to_be_visible()
            fits(page)
        stop = {"id": "pages", "resourceId": opened_channel["resourceId"]}
        data = json.dumps(stop).encode()
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(f"{BASE}/calendar/v3/channels/stop", data, headers)).close()
    with opened(browser, "/calendar/channels") as page:
        expect(page.locator("main")).to_contain_text("No channel is open.")


def working_hours(browser, opened):
    """The hours in which nobody works are shaded, and the others are named."""
    set_hours = [os.environ["WIREFORM_SERVICES"], "calendars", "set", urllib.parse.unquote(calendar()), "--working-hours"]
    subprocess.run(set_hours + ["mon-fri=10:00-16:00"], check=True, capture_output=True)
    with opened(browser, f"/calendar?calendar={calendar()}&date=2033-03-08", viewport=WIDE) as page:
        expect(page.locator(".working")).to_have_text("Working hours Mon–Fri 10:00–16:00")
        expect(page.locator(".d1 .off")).to_have_count(2)
        column, before, after = (box(page.locator(f".d1 {part}")) for part in (".column", ".off >> nth=0", ".off >> nth=1"))
        assert abs(before["y"] - column["y"]) < 3 and before["y"] + before["height"] < after["y"], (column, before, after)
        assert box(page.locator(".d6 .off"))["height"] > column["height"] - 4
    subprocess.run(set_hours + ["none"], check=True, capture_output=True)


STEPS = [
    ("a week", week),
    ("titles of events at the same time", readable),
    ("a series", series),
    ("days of 23 and 25 hours", daylight),
    ("a month", month),
    ("an event", details),
    ("free and busy", busy),
    ("channels", channels),
    ("working hours", working_hours),
    ("the keyboard", keys),
]
