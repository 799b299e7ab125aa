"""Other public Python clients, each pointed here with the lines that docs/services.md names, and unmodified otherwise."""

import asyncio
import functools
import json
import os
import pathlib
import tempfile
import unittest
import unittest.mock
import urllib.error
import urllib.parse
import urllib.request
import uuid

import google.auth.transport.requests
import google.oauth2.credentials
import google.oauth2.service_account
import google_auth_oauthlib.flow
import googleapiclient.discovery
import googleapiclient.http

from interop_common import BASE, READY_TOKEN, Case, letter, new_user, unraw

# The redirection of a flow is to this machine, without TLS, as the requests for tokens are.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
DISCOVERY = BASE + "/discovery/v1/apis/{api}/{apiVersion}/rest"
TOKEN_URI = f"{BASE}/token"
CALENDAR = "https://www.googleapis.com/auth/calendar"
GMAIL = "https://www.googleapis.com/auth/gmail.modify"


def address(name):
    return f"{name}-{uuid.uuid4().hex[:8]}@example.org"


def event(summary, day="2026-03-02"):
    return {"summary": summary, "start": {"dateTime": f"{day}T09:00:00Z"}, "end": {"dateTime": f"{day}T10:00:00Z"}}


class Built(Case):
    """What has clients that are built from the Discovery documents of the server: one setting."""

    def build(self, api, version, credentials=None):
        credentials = credentials or google.oauth2.credentials.Credentials(READY_TOKEN)
        return googleapiclient.discovery.build(api, version, credentials=credentials, discoveryServiceUrl=DISCOVERY)


class Discovered(Built):
    """The public client with the Discovery documents of the server."""

    def test_calendar(self):
        with self.build("calendar", "v3") as calendar:
            made = calendar.events().insert(calendarId="primary", body=event("Discovered")).execute()
            got = calendar.events().get(calendarId="primary", eventId=made["id"]).execute()
            self.assertEqual(got["summary"], "Discovered")
            instances = calendar.events().list(calendarId="primary", singleEvents=True, orderBy="startTime")
            names = []
            while instances is not None:
                page = instances.execute()
                names += [item.get("summary") for item in page["items"]]
                instances = calendar.events().list_next(instances, page)
            self.assertIn("Discovered", names)
            batch, found = calendar.new_batch_http_request(), []
            for _ in range(2):
                batch.add(calendar.events().get(calendarId="primary", eventId=made["id"]),
                          callback=lambda _, answer, failure: found.append(answer or failure))
            batch.execute()
            self.assertEqual([one["id"] for one in found], [made["id"]] * 2)

    def test_mail(self):
        with self.build("gmail", "v1") as gmail:
            profile = gmail.users().getProfile(userId="me").execute()
            self.assertIn("@", profile["emailAddress"])
            body = {"raw": "U3ViamVjdDogSGVsbG8NCg0KWW91", "labelIds": ["INBOX"]}
            made = gmail.users().messages().insert(userId="me", body=body).execute()
            changes = gmail.users().history().list(userId="me", startHistoryId=profile["historyId"]).execute()
            self.assertEqual(changes["history"][-1]["messagesAdded"][0]["message"]["id"], made["id"])

    def test_uploads(self):
        """A mail as it is: alone, after its properties, and in chunks. With its own documents the client ignores the address."""
        raw = bytes(letter("Uploaded", "text " * 150_000))
        with self.build("gmail", "v1") as gmail:
            users = gmail.users()
            for resumable, body in ((False, None), (False, {"labelIds": ["STARRED"]}), (True, {"labelIds": ["STARRED"]})):
                media = googleapiclient.http.MediaInMemoryUpload(raw, "message/rfc822", 256 << 10, resumable)
                given = {} if body is None else {"body": body}
                made = users.messages().insert(userId="me", media_body=media, **given).execute()
                self.assertEqual(made.get("labelIds", []), (body or {}).get("labelIds", []))
                stored = users.messages().get(userId="me", id=made["id"], format="raw").execute()
                self.assertEqual(unraw(stored["raw"]), raw)
            media = googleapiclient.http.MediaInMemoryUpload(raw, "message/rfc822")
            draft = users.drafts().create(userId="me", body={"message": {}}, media_body=media).execute()
            self.assertEqual(users.drafts().get(userId="me", id=draft["id"]).execute()["message"]["labelIds"], ["DRAFT"])
            users.drafts().delete(userId="me", id=draft["id"]).execute()
            imported = users.messages().import_(userId="me", media_body=media).execute()
            self.assertEqual(sorted(imported["labelIds"]), ["INBOX", "UNREAD"])
            me = users.getProfile(userId="me").execute()["emailAddress"]
            media = googleapiclient.http.MediaInMemoryUpload(f"To: {me}\r\nSubject: Me\r\n\r\nHi".encode(), "message/rfc822")
            self.assertEqual(users.messages().send(userId="me", media_body=media).execute()["labelIds"], ["SENT"])

    def test_script(self):
        with self.build("script", "v1") as script:
            made = script.projects().create(body={"title": "Discovered"}).execute()
            self.assertEqual(script.projects().get(scriptId=made["scriptId"]).execute()["title"], "Discovered")


@unittest.skipUnless("--oauth" in os.environ.get("SERVE", ""), "the server issues no tokens: SERVE=--oauth")
class Credentials(Built):
    """Clients with credentials files, whose tokens the server issues."""

    def user(self):
        name = address("oauth")
        new_user(name)
        return name

    def profile(self, credentials):
        with self.build("gmail", "v1", credentials) as gmail:
            return gmail.users().getProfile(userId="me").execute()["emailAddress"]

    def test_a_refresh_token_is_the_address_of_a_user(self):
        name = self.user()
        credentials = google.oauth2.credentials.Credentials(
            None, refresh_token=name, token_uri=TOKEN_URI, client_id="any", client_secret="any", scopes=[GMAIL]
        )
        self.assertEqual(self.profile(credentials), name)
        self.assertTrue(credentials.token.startswith("wf_"))

    def test_a_service_account_acts_for_a_user(self):
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa

        key = rsa.generate_private_key(65537, 2048).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        robot, name = self.user(), self.user()
        info = {"type": "service_account", "client_email": robot, "private_key": key.decode(), "token_uri": TOKEN_URI}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "credentials.json"
            path.write_text(json.dumps(info))
            credentials = google.oauth2.service_account.Credentials.from_service_account_file(path, scopes=[GMAIL])
        self.assertEqual(self.profile(credentials), robot)
        self.assertEqual(self.profile(credentials.with_subject(name)), name)

    def test_an_installed_application_gets_a_code(self):
        name = self.user()
        uris = {"auth_uri": f"{BASE}/o/oauth2/auth", "token_uri": TOKEN_URI, "redirect_uris": ["http://localhost"]}
        secrets = {"installed": {"client_id": "any", "client_secret": "any", **uris}}
        flow = google_auth_oauthlib.flow.InstalledAppFlow.from_client_config(
            secrets, scopes=[GMAIL, "openid"], redirect_uri="http://localhost:8080/"
        )
        url, state = flow.authorization_url(login_hint=name, access_type="offline")

        class Stop(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        with self.assertRaises(urllib.error.HTTPError) as redirected:
            urllib.request.build_opener(Stop).open(url)
        redirected.exception.close()
        location = redirected.exception.headers["location"]
        self.assertEqual(urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)["state"], [state])
        flow.fetch_token(authorization_response=location)
        self.assertEqual(self.profile(flow.credentials), name)
        flow.credentials.refresh(google.auth.transport.requests.Request())
        self.assertEqual(self.profile(flow.credentials), name)


class GcalSync(Case):
    """`gcal_sync`, the client of Home Assistant: `host` is an argument of its authentication."""

    def test_it_syncs(self):
        token = new_user_token("gcal")
        asyncio.run(self.sync(token))

    async def sync(self, token):
        import aiohttp
        import datetime
        from gcal_sync.api import GoogleCalendarService
        from gcal_sync.auth import AbstractAuth
        from gcal_sync.model import DateOrDatetime, Event
        from gcal_sync.store import InMemoryCalendarStore
        from gcal_sync.sync import CalendarEventSyncManager, CalendarListSyncManager

        class Auth(AbstractAuth):
            async def async_get_access_token(self):
                return token

        async with aiohttp.ClientSession() as session:
            service = GoogleCalendarService(Auth(session, host=f"{BASE}/calendar/v3"))
            calendars = await service.async_list_calendars()
            self.assertEqual(len(calendars.items), 1)
            calendar = calendars.items[0]
            lists = CalendarListSyncManager(service, InMemoryCalendarStore())
            await lists.run()
            self.assertEqual([item.id for item in (await lists.store_service.async_list_calendars()).calendars], [calendar.id])

            def at(hour):
                return DateOrDatetime(date_time=datetime.datetime(2026, 3, 2, hour, tzinfo=datetime.UTC), timezone="UTC")

            weekly = Event(summary="Weekly", start=at(9), end=at(10), recurrence=["RRULE:FREQ=WEEKLY;COUNT=5"])
            await service.async_create_event(calendar.id, weekly)
            await service.async_create_event(calendar.id, Event(summary="Once", start=at(12), end=at(13)))
            events = CalendarEventSyncManager(service, calendar.id, InMemoryCalendarStore())
            await events.run()
            found = await events.store_service.async_get_timeline(datetime.UTC)
            self.assertEqual([one.summary for one in found].count("Weekly"), 5)
            once = next(one for one in found if one.summary == "Once")
            await service.async_patch_event(calendar.id, once.id, {"summary": "Twice"})
            await events.run()
            names = [one.summary for one in await events.store_service.async_get_timeline(datetime.UTC)]
            self.assertIn("Twice", names)
            await service.async_delete_event(calendar.id, once.id)
            await events.run()
            names = [one.summary for one in await events.store_service.async_get_timeline(datetime.UTC)]
            self.assertEqual(sorted(set(names)), ["Weekly"])


class Aiogoogle(Case):
    """`aiogoogle`, which works from the Discovery document of the server."""

    def test_it_asks_and_pages(self):
        token = new_user_token("aio")
        asyncio.run(self.ask(token))

    async def ask(self, token):
        from aiogoogle import Aiogoogle, GoogleAPI
        from aiogoogle.models import Request

        # A token without a time of expiry is refreshed at once.
        async with Aiogoogle(user_creds={"access_token": token, "expires_at": "2100-01-01T00:00:00Z"}) as client:
            async def discover(api, version):
                url = DISCOVERY.format(api=api, apiVersion=version)
                return GoogleAPI(await client.as_anon(Request("GET", url)), validate=True)

            calendar = await discover("calendar", "v3")
            for number in range(7):
                await client.as_user(calendar.events.insert(calendarId="primary", json=event(f"Event {number}")))
            pages = await client.as_user(calendar.events.list(calendarId="primary", maxResults=3), full_res=True)
            names = [item["summary"] async for page in pages for item in page["items"]]
            self.assertEqual(sorted(names), [f"Event {number}" for number in range(7)])
            gmail = await discover("gmail", "v1")
            profile = await client.as_user(gmail.users.getProfile(userId="me"))
            self.assertTrue(profile["emailAddress"].startswith("aio-"))


class Simplegmail(Case):
    """`simplegmail`, which has no setting for an address: what it calls gets the one setting of the public client."""

    def gmail(self, token):
        import simplegmail
        import simplegmail.gmail

        built = functools.partial(googleapiclient.discovery.build, discoveryServiceUrl=DISCOVERY)
        with unittest.mock.patch.object(simplegmail.gmail, "build", built):
            return simplegmail.Gmail(credentials=google.oauth2.credentials.Credentials(token))

    def test_it_sends_and_reads(self):
        name = address("simple")
        token = new_user(name)
        gmail = self.gmail(token)
        sent = gmail.send_message(sender=name, to=name, subject="Grüße", msg_html="<p>Hello</p>", msg_plain="Hello")
        self.assertIn("SENT", sent.label_ids)
        message, = gmail.get_unread_inbox()
        self.assertEqual((message.subject, message.plain.strip(), message.html), ("Grüße", "Hello", "<body><p>Hello</p></body>"))
        message.mark_as_read()
        self.assertEqual(gmail.get_unread_inbox(), [])
        message.star()
        self.assertEqual([one.id for one in gmail.get_starred_messages()], [message.id])
        label = gmail.create_label("Work")
        message.add_label(label)
        self.assertEqual([one.id for one in gmail.get_messages(labels=[label])], [message.id])
        message.trash()
        self.assertEqual(gmail.get_messages(labels=[label]), [])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wheels.csv"
            path.write_text("axle,teeth\n")
            gmail.send_message(sender=name, to=name, subject="Wheels", msg_plain="see there", attachments=[str(path)])
        message, = gmail.get_unread_inbox(attachments="download")
        attachment, = message.attachments
        self.assertEqual((attachment.filename, attachment.data), ("wheels.csv", b"axle,teeth\n"))


def new_user_token(name):
    """A token of a new user for everything."""
    from interop_common import command, new_token

    name = address(name)
    command("users", "add", name)
    return new_token(name, "all")


if __name__ == "__main__":
    unittest.main()
