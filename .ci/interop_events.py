"""Calendar events, asked by the public Python client."""

import concurrent.futures
import datetime
import random
import time
import unittest

import googleapiclient.errors
import googleapiclient.http

from interop_common import BASE, Case, command, document, new_token, service

CALENDAR = document("calendar", "v3")
PEOPLE = ("ana@events.example", "ben@events.example", "cleo@events.example")
TEAM = "team@events.example"


def at(day, hour, minute=0, zone="UTC"):
    return {"dateTime": f"2027-03-{day:02}T{hour:02}:{minute:02}:00", "timeZone": zone}


def event(day, summary, hour=10, **members):
    """An event of one hour in March 2027."""
    return {"summary": summary, "start": at(day, hour), "end": at(day, hour + 1), **members}


class Calendars(Case):
    """Three people, each with a calendar; the last has also one that the first may write to."""

    @classmethod
    def setUpClass(cls):
        cls.clients = {}
        known = command("users", "list")
        for address in PEOPLE:
            if address not in known:
                command("users", "add", address)
            cls.clients[address] = service("calendar", "v3", new_token(address, "calendar"))
        if TEAM not in command("calendars", "list"):
            command("calendars", "add", "Team", "--id", TEAM, "--user", PEOPLE[2])
            command("calendars", "set", TEAM, "--label", "blue=Blue=#4986e7")
            command("calendars", "share", TEAM, "--with", PEOPLE[0], "--role", "writer")
        cls.ana, cls.ben, cls.cleo = (cls.clients[address].events() for address in PEOPLE)

    def answer(self, call, schema="Event"):
        value = call.execute()
        self.assert_conforms(value, {"$ref": schema}, CALENDAR)
        return value

    def made(self, body, events=None, calendar="primary", **parameters):
        return self.answer((events or self.ana).insert(calendarId=calendar, body=body, **parameters))

    def get(self, name, events=None, calendar="primary", **parameters):
        return self.answer((events or self.ana).get(calendarId=calendar, eventId=name, **parameters))

    def listed(self, events=None, calendar="primary", **parameters):
        """All items of a list, page by page, and its last page."""
        events, items = events or self.ana, []
        call = events.list(calendarId=calendar, **parameters)
        while call is not None:
            page = self.answer(call, "Events")
            items += page.get("items", [])
            call = events.list_next(call, page)
        return items, page

    def names(self, **parameters):
        return [item["summary"] for item in self.listed(**parameters)[0]]


class Events(Calendars):
    def test_calendars_settings_and_busy_times(self):
        client = self.clients[PEOPLE[2]]
        for call in (
            client.calendarList().list(),
            client.calendarList().get(calendarId=TEAM),
            client.calendars().get(calendarId="primary"),
            client.colors().get(),
            client.settings().list(),
            client.settings().get(setting="timezone"),
        ):
            group, method = call.methodId.split(".")[1:]
            described = CALENDAR["resources"][group]["methods"][method]["response"]
            self.assert_conforms(call.execute(), described, CALENDAR)
        listed = {one["id"]: one for one in client.calendarList().list().execute()["items"]}
        self.assertTrue(listed[PEOPLE[2]]["primary"])
        self.assertEqual(listed[TEAM]["accessRole"], "owner")
        body = {"timeMin": "2027-06-01T00:00:00Z", "timeMax": "2027-06-02T00:00:00Z", "items": [{"id": TEAM}, {"id": "no"}]}
        busy = client.freebusy().query(body=body).execute()
        self.assert_conforms(busy, {"$ref": "FreeBusyResponse"}, CALENDAR)
        self.assertEqual(busy["calendars"][TEAM]["busy"], [])
        self.assertEqual(busy["calendars"]["no"]["errors"][0]["reason"], "notFound")

    def test_insert_get_update_patch_delete(self):
        made = self.made(event(2, "Grüße", description="<b>bold</b>", location="Roof"))
        self.assertEqual(
            (made["kind"], made["status"], made["creator"]["email"], made["organizer"]),
            ("calendar#event", "confirmed", PEOPLE[0], {"email": PEOPLE[0], "self": True}),
        )
        self.assertEqual(self.get(made["id"]), made)
        later = {**made, "summary": "Later", "end": at(2, 12)}
        changed = self.answer(self.ana.update(calendarId="primary", eventId=made["id"], body=later))
        self.assertEqual((changed["summary"], changed["sequence"]), ("Later", made.get("sequence", 0) + 1))
        patched = self.answer(self.ana.patch(calendarId="primary", eventId=made["id"], body={"location": None}))
        self.assertNotIn("location", patched)
        self.assertEqual(patched["description"], "<b>bold</b>")
        # The tag of before.
        call = self.ana.delete(calendarId="primary", eventId=made["id"])
        call.headers["If-Match"] = made["etag"]
        with self.refused(412, reason="conditionNotMet"):
            call.execute()
        self.assertFalse(self.ana.delete(calendarId="primary", eventId=made["id"]).execute())
        self.assertEqual(self.get(made["id"])["status"], "cancelled")
        with self.refused(410, reason="deleted"):
            self.ana.delete(calendarId="primary", eventId=made["id"]).execute()
        with self.refused(404, reason="notFound"):
            self.get("nothingofthatname")

    def test_unchanged_answers_304(self):
        made = self.made(event(3, "Unchanged"))
        call = self.ana.get(calendarId="primary", eventId=made["id"])
        call.headers["If-None-Match"] = made["etag"]
        with self.assertRaises(googleapiclient.errors.HttpError) as caught:
            call.execute()
        self.assertEqual(caught.exception.resp.status, 304)

    def test_chosen_identifiers(self):
        name = f"chosen{random.randrange(10**9)}"
        self.assertEqual(self.made(event(4, "Chosen", id=name))["id"], name)
        with self.refused(409, reason="duplicate"):
            self.made(event(4, "Chosen again", id=name))
        with self.refused(400, location="id"):
            self.made(event(4, "Wrong letters", id="UPPER-xyz"))

    def test_wrong_events_name_the_member(self):
        for members, location in (
            ({"end": {"date": "2027-03-02"}}, "end"),
            ({"start": {}}, "start"),
            ({"end": at(1, 1)}, "end"),
            ({"recurrence": ["RRULE:FREQ=NEVER"]}, "recurrence"),
            ({"colorId": "99"}, "colorId"),
            ({"attendees": [{"displayName": "Nobody"}]}, "attendees"),
            ({"reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 99999}]}}, "reminders"),
            ({"source": {"url": "ftp://example.org/"}}, "source"),
        ):
            with self.subTest(members=members), self.refused(400, location):
                self.made({**event(5, "Wrong"), **members})

    def test_partial_answers(self):
        made = self.made(event(5, "Partial", location="Roof"))
        part = self.ana.get(calendarId="primary", eventId=made["id"], fields="id,start/dateTime").execute()
        self.assertEqual(part, {"id": made["id"], "start": {"dateTime": made["start"]["dateTime"]}})

    def test_zones(self):
        made = self.made({**event(6, "Zones"), "start": at(6, 9, zone="Europe/Paris"), "end": at(6, 10, zone="Europe/Paris")})
        far = self.get(made["id"], timeZone="Asia/Tokyo")
        self.assertEqual(far["start"], {"dateTime": "2027-03-06T17:00:00+09:00", "timeZone": "Europe/Paris"})
        with self.refused(400, location="timeZone"):
            self.get(made["id"], timeZone="Mars/Olympus")

    def test_all_day(self):
        made = self.made({"summary": "Days", "start": {"date": "2027-03-07"}, "end": {"date": "2027-03-09"}})
        self.assertEqual((made["start"], made["end"]), ({"date": "2027-03-07"}, {"date": "2027-03-09"}))
        for day, there in ((6, False), (7, True), (8, True), (9, False)):
            found = self.names(timeMin=f"2027-03-{day:02}T00:00:00Z", timeMax=f"2027-03-{day + 1:02}T00:00:00Z")
            self.assertEqual("Days" in found, there, day)

    def test_properties(self):
        word = f"w{random.randrange(10**9)}"
        properties = {"private": {"mine": word}, "shared": {"ours": word}}
        made = self.made(event(8, "Properties", extendedProperties=properties))
        for parameter in ({"privateExtendedProperty": f"mine={word}"}, {"sharedExtendedProperty": f"ours={word}"}):
            self.assertEqual(self.names(**parameter), ["Properties"])
        self.assertEqual(self.names(privateExtendedProperty=f"ours={word}"), [])
        body = {"extendedProperties": {"private": {"mine": None, "other": "1"}}}
        patched = self.answer(self.ana.patch(calendarId="primary", eventId=made["id"], body=body))
        self.assertEqual(patched["extendedProperties"], {"private": {"other": "1"}, "shared": {"ours": word}})

    def test_versions_of_members(self):
        attachment = {"fileUrl": "https://example.org/plan.pdf", "title": "Plan"}
        ignored = self.made(event(9, "Ignored", attachments=[attachment], eventLabelId="blue"), calendar=TEAM)
        self.assertFalse({"attachments", "eventLabelId"} & set(ignored))
        kept = self.made(
            event(9, "Kept", attachments=[attachment], eventLabelId="blue"),
            calendar=TEAM, supportsAttachments=True, eventLabelVersion=1,
        )
        self.assertEqual((kept["attachments"][0]["fileUrl"], kept["eventLabelId"]), (attachment["fileUrl"], "blue"))

    def test_conferences(self):
        request = {"createRequest": {"requestId": "one", "conferenceSolutionKey": {"type": "hangoutsMeet"}}}
        body = event(9, "Call", conferenceData=request)
        self.assertNotIn("conferenceData", self.made(body))
        made = self.made(body, conferenceDataVersion=1)
        for _ in range(200):
            status = made["conferenceData"]["createRequest"]["status"]["statusCode"]
            if status != "pending":
                break
            time.sleep(0.1)
            made = self.get(made["id"])
        self.assertEqual(status, "success")
        self.assertRegex(made["conferenceData"]["conferenceId"], r"\A[a-z]{3}-[a-z]{4}-[a-z]{3}\Z")
        self.assertEqual(made["hangoutLink"], made["conferenceData"]["entryPoints"][0]["uri"])

    def test_kinds(self):
        absence = event(9, "Away", eventType="outOfOffice", outOfOfficeProperties={"autoDeclineMode": "declineNone"})
        self.assertEqual(self.made(absence)["eventType"], "outOfOffice")
        birthday = {
            "summary": "Ada", "eventType": "birthday", "start": {"date": "2027-03-10"}, "end": {"date": "2027-03-11"},
            "recurrence": ["RRULE:FREQ=YEARLY"], "visibility": "private", "transparency": "transparent",
        }
        self.assertEqual(self.made(birthday)["birthdayProperties"], {"type": "birthday"})
        with self.refused(400, "eventType"):
            self.made(event(9, "Mail", eventType="fromGmail"))
        with self.refused(400, "focusTimeProperties"):
            self.made(event(9, "Focus", focusTimeProperties={}))
        self.assertEqual(
            {item["eventType"] for item in self.listed(eventTypes=["birthday", "outOfOffice"])[0]}, {"birthday", "outOfOffice"}
        )

    def test_import(self):
        uid = f"{random.randrange(10**12)}@elsewhere.example"
        body = event(10, "Imported", iCalUID=uid, organizer={"email": "owner@elsewhere.example"}, sequence=1)
        made = self.answer(self.ana.import_(calendarId="primary", body=body))
        self.assertEqual((made["iCalUID"], made["organizer"]["email"]), (uid, "owner@elsewhere.example"))
        again = self.answer(self.ana.import_(calendarId="primary", body={**body, "summary": "Old"}))
        self.assertEqual((again["id"], again["summary"]), (made["id"], "Imported"))
        newer = self.answer(self.ana.import_(calendarId="primary", body={**body, "summary": "New", "sequence": 2}))
        self.assertEqual((newer["id"], newer["summary"]), (made["id"], "New"))
        self.assertEqual([item["id"] for item in self.listed(iCalUID=uid)[0]], [made["id"]])
        with self.refused(400, "iCalUID"):
            self.ana.import_(calendarId="primary", body=event(10, "Without")).execute()

    def test_move(self):
        made = self.made(event(11, "Moves"))
        moved = self.answer(self.ana.move(calendarId="primary", eventId=made["id"], destination=TEAM))
        self.assertEqual((moved["id"], moved["organizer"]["email"]), (made["id"], TEAM))
        self.assertEqual(self.get(made["id"], calendar=TEAM)["summary"], "Moves")
        self.assertEqual(self.get(made["id"])["status"], "cancelled")
        with self.refused(404):
            self.ana.move(calendarId="primary", eventId=made["id"], destination=PEOPLE[1]).execute()

    def test_who_may(self):
        made = self.made(event(12, "Secret", visibility="private"), calendar=TEAM)
        self.assertEqual(self.get(made["id"], self.cleo, TEAM)["summary"], "Secret")
        with self.refused(404, reason="notFound"):
            self.get(made["id"], self.ben, TEAM)
        reading = service("calendar", "v3", new_token(PEOPLE[0], "calendar.readonly")).events()
        self.assertEqual(self.get(made["id"], reading, TEAM)["summary"], "Secret")
        with self.refused(403):
            reading.insert(calendarId="primary", body=event(12, "Not allowed")).execute()
        with self.refused(401):
            service("calendar", "v3", "nobody").events().list(calendarId="primary").execute()


class Guests(Calendars):
    def invited(self, day, summary, **members):
        guests = [{"email": address} for address in PEOPLE[1:]] + [{"email": "guest@elsewhere.example"}]
        made = self.made(event(day, summary, attendees=guests, **members))
        return made["id"]

    def answers(self, name, events=None):
        return {one["email"]: one["responseStatus"] for one in self.get(name, events)["attendees"]}

    def test_answers_flow_back(self):
        name = self.invited(14, "Meeting")
        theirs = self.get(name, self.ben)
        self.assertEqual([one.get("self", False) for one in theirs["attendees"]], [True, False, False])
        body = {"attendees": [{"email": PEOPLE[1], "responseStatus": "accepted", "comment": "With cake"}], "attendeesOmitted": True}
        self.answer(self.ben.patch(calendarId="primary", eventId=name, body=body))
        self.assertEqual(set(self.answers(name).values()), {"accepted", "needsAction"})
        self.assertEqual(self.answers(name)[PEOPLE[1]], "accepted")
        self.assertEqual(self.answers(name, self.cleo), self.answers(name))

    def test_guests_may_not_change_what_is_shared(self):
        name = self.invited(15, "Shared")
        with self.refused(403, reason="forbiddenForNonOrganizer"):
            self.ben.patch(calendarId="primary", eventId=name, body={"summary": "Mine"}).execute()
        self.answer(self.ben.patch(calendarId="primary", eventId=name, body={"colorId": "4"}))
        self.assertNotIn("colorId", self.get(name))
        open_to_all = self.invited(15, "Open", guestsCanModify=True)
        self.answer(self.ben.patch(calendarId="primary", eventId=open_to_all, body={"summary": "Ours"}))
        self.assertEqual(self.get(open_to_all)["summary"], "Ours")

    def test_guests_need_not_see_each_other(self):
        name = self.invited(16, "Blind", guestsCanSeeOtherGuests=False)
        theirs = self.get(name, self.ben)
        self.assertEqual([one["email"] for one in theirs["attendees"]], [PEOPLE[1]])

    def test_few_attendees(self):
        name = self.invited(16, "Many")
        theirs = self.get(name, self.ben, maxAttendees=1)
        self.assertEqual(([one["email"] for one in theirs["attendees"]], theirs["attendeesOmitted"]), ([PEOPLE[1]], True))

    def test_deleting(self):
        name = self.invited(17, "Deleted")
        self.ben.delete(calendarId="primary", eventId=name).execute()
        self.assertEqual(self.answers(name)[PEOPLE[1]], "declined")
        self.ana.delete(calendarId="primary", eventId=name).execute()
        self.assertEqual(self.get(name, self.cleo)["status"], "cancelled")


class Series(Calendars):
    def series(self, *rules, summary="Series", **members):
        body = {
            "summary": summary, "start": at(1, 9, zone="Europe/Berlin"), "end": at(1, 10, zone="Europe/Berlin"),
            "recurrence": list(rules), **members,
        }
        return self.made(body)

    def instances(self, name, **parameters):
        items, call = [], self.ana.instances(calendarId="primary", eventId=name, **parameters)
        while call is not None:
            page = self.answer(call, "Events")
            items += page.get("items", [])
            call = self.ana.instances_next(call, page)
        return items

    def test_across_the_change_of_clocks(self):
        made = self.series("RRULE:FREQ=WEEKLY;COUNT=6")
        starts = [item["start"]["dateTime"] for item in self.instances(made["id"], timeZone="Europe/Berlin", maxResults=2)]
        days = [datetime.date(2027, 3, 1) + datetime.timedelta(weeks=n) for n in range(6)]
        # The clocks change on the 28th.
        self.assertEqual(starts, [f"{day}T09:00:00+{'01' if day.month == 3 and day.day < 28 else '02'}:00" for day in days])

    def test_exceptions(self):
        made = self.series("RRULE:FREQ=DAILY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20270302T090000")
        first, second, third = self.instances(made["id"])
        self.assertEqual(first["id"], f"{made['id']}_20270301T080000Z")
        moved = {**second, "start": at(3, 15), "end": at(3, 16), "summary": "Moved"}
        moved = self.answer(self.ana.update(calendarId="primary", eventId=second["id"], body=moved))
        self.assertEqual((moved["recurringEventId"], moved["originalStartTime"]), (made["id"], second["originalStartTime"]))
        self.ana.delete(calendarId="primary", eventId=third["id"]).execute()
        self.assertEqual([item["summary"] for item in self.instances(made["id"])], ["Series", "Moved"])
        cancelled = [item for item in self.instances(made["id"], showDeleted=True) if item["status"] == "cancelled"]
        self.assertEqual([item["id"] for item in cancelled], [third["id"]])
        with self.refused(400):
            self.ana.move(calendarId="primary", eventId=first["id"], destination=TEAM).execute()
        with self.refused(404):
            self.get(f"{made['id']}_20270302T080000Z")

    def test_lists(self):
        word = f"s{random.randrange(10**9)}"
        made = self.series("RRULE:FREQ=DAILY", summary=word)
        self.assertEqual([item["id"] for item in self.listed(q=word)[0]], [made["id"]])
        window = {"timeMin": "2027-04-01T00:00:00Z", "timeMax": "2027-04-11T00:00:00Z", "singleEvents": True, "q": word}
        found, _ = self.listed(**window, orderBy="startTime", maxResults=3)
        self.assertEqual(len(found), 10)
        self.assertEqual(found, sorted(found, key=lambda item: item["start"]["dateTime"]))
        with self.refused(400, "orderBy"):
            self.ana.list(calendarId="primary", orderBy="startTime").execute()


class Syncs(Calendars):
    def test_an_incremental_sync_equals_a_full_one(self):
        rng = random.Random(7)
        address = f"sync{random.randrange(10**9)}@events.example"
        command("users", "add", address)
        events = service("calendar", "v3", new_token(address, "calendar")).events()

        def read(known, **parameters):
            items, page = self.listed(events, maxResults=3, **parameters)
            for item in items:
                known[item["id"]] = item
            return page["nextSyncToken"]

        def presented(known):
            return {name: item["etag"] for name, item in known.items() if item["status"] != "cancelled"}

        known = {}
        token = read(known)
        for _ in range(12):
            for _ in range(rng.randrange(6)):
                names = sorted(presented(known))
                if not names or rng.random() < 0.5:
                    more = {"recurrence": ["RRULE:FREQ=DAILY;COUNT=3"]} if rng.random() < 0.3 else {}
                    made = self.made(event(rng.randrange(1, 28), "Synchronised", **more), events)
                    if more:
                        name = f"{made['id']}_{made['start']['dateTime'].replace('-', '').replace(':', '')}"
                        events.patch(calendarId="primary", eventId=name, body={"summary": "Exception"}).execute()
                elif rng.random() < 0.5:
                    body = {"summary": f"Changed {rng.random()}"}
                    events.patch(calendarId="primary", eventId=rng.choice(names), body=body).execute()
                else:
                    gone = rng.choice(names)
                    if events.get(calendarId="primary", eventId=gone).execute()["status"] != "cancelled":
                        events.delete(calendarId="primary", eventId=gone).execute()
            token = read(known, syncToken=token)
            full = {}
            read(full)
            self.assertEqual(presented(known), presented(full))

    def test_tokens(self):
        page = self.ana.list(calendarId="primary", maxResults=250).execute()
        with self.refused(400, "syncToken"):
            self.ana.list(calendarId="primary", syncToken=page["nextSyncToken"], q="x").execute()
        with self.refused(410, reason="fullSyncRequired"):
            self.ana.list(calendarId="primary", syncToken="forged").execute()


class Calls(Calendars):
    def test_batches(self):
        answers = {}

        def told(name, answer, failure):
            answers[name] = answer or failure

        batch = googleapiclient.http.BatchHttpRequest(callback=told, batch_uri=f"{BASE}/{CALENDAR['batchPath']}")
        for n in range(20):
            batch.add(self.ana.insert(calendarId="primary", body=event(20, f"Batched {n}")), request_id=str(n))
        batch.add(self.ana.get(calendarId="primary", eventId="nothingofthatname"), request_id="missing")
        batch.execute()
        self.assertEqual([answers[str(n)]["summary"] for n in range(20)], [f"Batched {n}" for n in range(20)])
        self.assert_error(answers["missing"], 404)

    def test_long_reads_are_sent_as_forms(self):
        # The client sends what has more than 2,048 characters by POST, with another method in a header.
        words = " ".join(["word"] * 500)
        self.assertEqual(self.listed(q=words)[0], [])

    def test_writers_beside_each_other(self):
        made = self.made(event(21, "Counted", description="0"), calendar=TEAM)

        def count(client):
            events, done = client.events(), 0
            while done < 5:
                current = events.get(calendarId=TEAM, eventId=made["id"]).execute()
                call = events.patch(
                    calendarId=TEAM, eventId=made["id"], body={"description": str(int(current["description"]) + 1)}
                )
                call.headers["If-Match"] = current["etag"]
                try:
                    call.execute()
                    done += 1
                except googleapiclient.errors.HttpError as failure:
                    self.assertEqual(failure.resp.status, 412)

        # The client's connections are for one thread each.
        clients = [service("calendar", "v3", new_token(PEOPLE[n], "calendar")) for n in (0, 2, 0, 2)]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(count, clients))
        self.assertEqual(self.get(made["id"], calendar=TEAM)["description"], "20")


if __name__ == "__main__":
    unittest.main()
