"""What the calendar service decides, observed by the public Python client: rights, kinds of events, orders, watch channels."""

import contextlib
import http.server
import queue
import random
import threading
import unittest

import googleapiclient.channel
import googleapiclient.errors

from interop_common import command, new_token, service
from interop_events import PEOPLE, TEAM, Calendars, at, event

# How long something is waited for that has to come.
PATIENCE = 60


class Rules(Calendars):
    def patched(self, name, body, events=None, calendar="primary", **parameters):
        events = events or self.ana
        return self.answer(events.patch(calendarId=calendar, eventId=name, body=body, **parameters))

    def met(self, day, summary, *guests, **members):
        return self.made(event(day, summary, attendees=[{"email": guest} for guest in guests], **members))["id"]

    def test_quick_additions(self):
        added = self.answer(self.ana.quickAdd(calendarId="primary", text="Lunch with Ben on 2027-03-04 12:00-13:30 at Roof"))
        self.assertEqual((added["summary"], added["location"]), ("Lunch with Ben", "Roof"))
        self.assertEqual((added["start"], added["end"]["dateTime"]), (
            {"dateTime": "2027-03-04T12:00:00Z", "timeZone": "UTC"}, "2027-03-04T13:30:00Z",
        ))
        weekly = self.answer(self.ana.quickAdd(calendarId="primary", text="Gym every Tuesday at 10"))
        self.assertEqual(weekly["recurrence"], ["RRULE:FREQ=WEEKLY;BYDAY=TU"])
        with self.refused(400, location="text"):
            self.ana.quickAdd(calendarId="primary", text=" ").execute()

    def test_zones_of_calendars(self):
        address = f"zone{random.randrange(10**9)}@events.example"
        command("users", "add", address, "--time-zone", "Asia/Tokyo")
        events = service("calendar", "v3", new_token(address, "calendar")).events()
        days = self.made({"summary": "Day", "start": {"date": "2027-03-05"}, "end": {"date": "2027-03-06"}}, events)
        window = {"timeMin": "2027-03-04T15:00:00Z", "timeMax": "2027-03-04T16:00:00Z"}
        found, page = self.listed(events, **window)
        self.assertEqual(([item["id"] for item in found], page["timeZone"]), ([days["id"]], "Asia/Tokyo"))
        command("calendars", "set", address, "--time-zone", "America/New_York")
        found, page = self.listed(events, **window)
        self.assertEqual((found, page["timeZone"]), ([], "America/New_York"))
        self.assertEqual(self.get(days["id"], events)["start"], days["start"])

    def test_reminders_are_those_of_who_asks(self):
        made = self.made(event(22, "Reminders"), calendar=TEAM)
        reminders = {"useDefault": False, "overrides": [{"method": "popup", "minutes": 15}]}
        mine = self.patched(made["id"], {"reminders": reminders}, calendar=TEAM)
        self.assertEqual((mine["reminders"], mine["updated"]), (reminders, made["updated"]))
        self.assertNotEqual(mine["etag"], made["etag"])
        self.assertEqual(self.get(made["id"], self.cleo, TEAM)["reminders"], {"useDefault": True})

    def test_rights_to_modify_are_no_rights_to_cancel(self):
        name = self.met(23, "Ours", PEOPLE[1], PEOPLE[2], guestsCanModify=True)
        self.ben.delete(calendarId="primary", eventId=name).execute()
        for events in (self.ana, self.cleo):
            seen = self.get(name, events)
            self.assertEqual(seen["status"], "confirmed")
            self.assertEqual([one["responseStatus"] for one in seen["attendees"]], ["declined", "needsAction"])
        self.assertEqual(self.get(name, self.ben)["status"], "cancelled")
        shown = self.listed(self.ben, showHiddenInvitations=True, iCalUID=self.get(name)["iCalUID"])[0]
        self.assertEqual([item["status"] for item in shown], ["confirmed"])
        self.assertEqual(self.patched(name, {"status": "confirmed"}, self.ben)["summary"], "Ours")

    def test_what_is_cancelled_is_restored(self):
        name = self.met(23, "Restored", PEOPLE[1])
        self.ana.delete(calendarId="primary", eventId=name).execute()
        gone = self.get(name, self.ben)
        self.assertEqual((gone["status"], "summary" in gone), ("cancelled", False))
        self.patched(name, {"status": "confirmed"})
        self.assertEqual(self.get(name, self.ben)["summary"], "Restored")

    def test_who_is_away_declines(self):
        address = f"away{random.randrange(10**9)}@events.example"
        command("users", "add", address)
        events = service("calendar", "v3", new_token(address, "calendar")).events()
        first = self.met(24, "Before", address)
        properties = {"autoDeclineMode": "declineAllConflictingInvitations", "declineMessage": "At sea"}
        away = event(24, "Away", 8, eventType="outOfOffice", outOfOfficeProperties=properties)
        self.made({**away, "end": at(24, 18)}, events)
        for name in (first, self.met(24, "After", address)):
            guest = self.get(name)["attendees"][0]
            self.assertEqual((guest["responseStatus"], guest["comment"]), ("declined", "At sea"))
        self.assertEqual(self.get(self.met(25, "Another day", address))["attendees"][0]["responseStatus"], "needsAction")
        with self.refused(400, "attendees"):
            self.made({**away, "attendees": [{"email": PEOPLE[0]}]}, events)

    def test_a_private_instance_makes_its_series_private(self):
        made = self.made({
            "summary": "Private", "start": at(1, 9), "end": at(1, 10), "recurrence": ["RRULE:FREQ=DAILY;COUNT=3"],
        })
        first, second, _ = self.ana.instances(calendarId="primary", eventId=made["id"]).execute()["items"]
        self.patched(first["id"], {"visibility": "private"})
        self.assertEqual(self.get(made["id"])["visibility"], "private")
        self.assertEqual(self.patched(second["id"], {"visibility": "public"})["visibility"], "private")

    def test_places_and_labels(self):
        details = {"type": "homeOffice", "homeOffice": {}, "customLocation": {"label": "dropped"}}
        place = event(26, "Home", eventType="workingLocation", workingLocationProperties=details)
        self.assertEqual(self.made(place)["workingLocationProperties"], {"type": "homeOffice", "homeOffice": {}})
        labelled = self.made(event(26, "Label", eventLabelId="blue", colorId="11"), calendar=TEAM, eventLabelVersion=1)
        self.assertEqual((labelled["eventLabelId"], labelled["colorId"]), ("blue", "9"))
        none = self.patched(labelled["id"], {"eventLabelId": ""}, calendar=TEAM, eventLabelVersion=1)
        self.assertFalse({"eventLabelId", "colorId"} & set(none))

    def test_orders_and_what_was_updated_since(self):
        address = f"order{random.randrange(10**9)}@events.example"
        command("users", "add", address)
        events = service("calendar", "v3", new_token(address, "calendar")).events()
        names = [self.made(event(day, f"Day {day}"), events)["id"] for day in (8, 6, 7)]
        since = self.get(names[0], events)["updated"]
        self.patched(names[0], {"location": "Roof"}, events)
        events.delete(calendarId="primary", eventId=names[1]).execute()
        ids = lambda **parameters: [item["id"] for item in self.listed(events, **parameters)[0]]
        self.assertEqual(ids(orderBy="updated"), [names[2], names[0]])
        self.assertEqual(sorted(ids(updatedMin=since)), sorted(names))
        self.assertEqual(ids(updatedMin=since, singleEvents=True, orderBy="startTime"), [names[1], names[2], names[0]])

    def test_the_source_is_for_its_creator(self):
        source = {"url": "https://example.org/page", "title": "Page"}
        made = self.made(event(27, "Source", source=source), calendar=TEAM)
        self.assertEqual(made["source"], source)
        self.assertNotIn("source", self.get(made["id"], self.cleo, TEAM))

    def test_sequence_numbers_do_not_go_back(self):
        made = self.made(event(27, "Sequence", sequence=4))
        self.assertEqual(self.patched(made["id"], {"end": at(27, 12)})["sequence"], 5)
        with self.refused(400, "sequence"):
            self.patched(made["id"], {"sequence": 1})


@contextlib.contextmanager
def receiver():
    """An address of this machine, and what is sent to it."""
    said = queue.Queue()

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            said.put(self.headers)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", said
    finally:
        server.shutdown()
        server.server_close()


class Watches(Calendars):
    def opened(self, address, token):
        """A channel of the public client, open."""
        channel = googleapiclient.channel.new_webhook_channel(address, token=token)
        try:
            answer = self.answer(self.ana.watch(calendarId="primary", body=channel.body()), "Channel")
        except googleapiclient.errors.HttpError as failure:
            if b"push.webhookUrlNotHttps" in failure.content:
                self.skipTest("the services need --allow-loopback-callbacks")
            raise
        self.assertEqual((answer["kind"], answer["id"], answer["token"]), ("api#channel", channel.id, token))
        channel.update(answer)
        return channel

    def notified(self, channel, said):
        """The next notification, as the public client reads it."""
        headers = said.get(timeout=PATIENCE)
        notification = googleapiclient.channel.notification_from_headers(channel, dict(headers))
        self.assertEqual(headers["X-Goog-Channel-Token"], channel.token)
        self.assertEqual(headers["X-Goog-Resource-ID"], channel.resource_id)
        return notification.message_number, notification.state

    def test_changes_are_announced_until_the_channel_is_stopped(self):
        client = self.clients[PEOPLE[0]]
        with receiver() as (address, said), receiver() as (other_address, other_said):
            token = self.listed()[1]["nextSyncToken"]
            channel = self.opened(address, "secret of the tests")
            self.assertEqual(self.notified(channel, said), (1, "sync"))
            made = self.made(event(28, "Announced"))
            self.assertEqual(self.notified(channel, said), (2, "exists"))
            self.assertIn(made["id"], [item["id"] for item in self.listed(syncToken=token)[0]])
            with self.refused(400, reason="channelIdNotUnique"):
                self.ana.watch(calendarId="primary", body=channel.body()).execute()
            body = {"id": channel.id, "resourceId": channel.resource_id}
            with self.refused(404, reason="notFound"):
                self.clients[PEOPLE[1]].channels().stop(body=body).execute()
            self.assertFalse(client.channels().stop(body=body).execute())
            # What comes on another channel comes on this one no more.
            other = self.opened(other_address, "another secret")
            self.assertEqual(self.notified(other, other_said), (1, "sync"))
            self.ana.delete(calendarId="primary", eventId=made["id"]).execute()
            self.assertEqual(self.notified(other, other_said), (2, "exists"))
            self.assertTrue(said.empty())
            client.channels().stop(body={"id": other.id, "resourceId": other.resource_id}).execute()

    def test_addresses_are_checked(self):
        for address in ("http://example.org/hook", "https://10.0.0.1/hook", "https://user:pass@example.org/"):
            channel = googleapiclient.channel.new_webhook_channel(address)
            with self.subTest(address=address), self.refused(400, location="address"):
                self.ana.watch(calendarId="primary", body=channel.body()).execute()


if __name__ == "__main__":
    unittest.main()
