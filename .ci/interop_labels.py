"""Labels and the profile, asked by the public Python client."""

import unittest

from interop_common import Case, letter, mail, new_token, new_user, raw

SYSTEM = {"INBOX", "UNREAD", "STARRED", "SENT", "DRAFT", "TRASH", "SPAM", "IMPORTANT"}
ADDRESS = "labels@interop.example"


class Labels(Case):
    @classmethod
    def setUpClass(cls):
        cls.token = new_user(ADDRESS)
        cls.users = mail(cls.token)

    def labels(self):
        return self.users.labels()

    def make(self, name, **members):
        return self.answer(self.labels().create(userId="me", body={"name": name, **members}))

    def test_profile(self):
        mine = self.answer(self.users.getProfile(userId="me"))
        self.assertEqual(mine["emailAddress"], ADDRESS)
        self.assertEqual(set(mine), {"emailAddress", "messagesTotal", "threadsTotal", "historyId"})
        for same in (ADDRESS, ADDRESS.upper()):
            self.assertEqual(self.answer(self.users.getProfile(userId=same))["emailAddress"], ADDRESS)
        self.answer(self.users.messages().insert(userId="me", body=raw(letter("one more"))))
        after = self.answer(self.users.getProfile(userId="me"))
        self.assertEqual(after["messagesTotal"], mine["messagesTotal"] + 1)
        self.assertEqual(after["threadsTotal"], mine["threadsTotal"] + 1)
        self.assertGreater(int(after["historyId"]), int(mine["historyId"]))

    def test_other_users(self):
        with self.refused(403, "somebody@interop.example"):
            self.users.getProfile(userId="somebody@interop.example").execute()
        with self.refused(403):
            self.labels().list(userId="somebody@interop.example").execute()
        with self.refused(400, "userId"):
            self.users.getProfile(userId="no address").execute()

    def test_list(self):
        made = self.make("listed")
        labels = self.answer(self.labels().list(userId="me"))["labels"]
        by_id = {label["id"]: label for label in labels}
        self.assertEqual(len(by_id), len(labels))
        self.assertLessEqual(SYSTEM, set(by_id))
        for name in SYSTEM:
            self.assertEqual((by_id[name]["name"], by_id[name]["type"]), (name, "system"))
        self.assertEqual((by_id[made["id"]]["name"], by_id[made["id"]]["type"]), ("listed", "user"))
        self.assertFalse(any("messagesTotal" in label for label in labels), "lists tell no numbers")

    def test_create_and_get(self):
        color = {"textColor": "#ffffff", "backgroundColor": "#4a86e8"}
        made = self.make(
            "Färben/Blau", messageListVisibility="hide", labelListVisibility="labelShowIfUnread", color=color
        )
        self.assertEqual(made["name"], "Färben/Blau")
        self.assertEqual(made["color"], color)
        read = self.answer(self.labels().get(userId="me", id=made["id"]))
        self.assertEqual({name: read[name] for name in made if name in read}, made)
        self.assertEqual([read[name] for name in COUNTS], [0, 0, 0, 0])

    def test_counts(self):
        label = self.make("counted")["id"]
        first = self.insert("first", label, "UNREAD")
        self.insert("second", label, thread=first["threadId"])
        self.insert("third", label)
        read = self.answer(self.labels().get(userId="me", id=label))
        self.assertEqual({name: read[name] for name in COUNTS}, dict(zip(COUNTS, [3, 1, 2, 1])))

    def insert(self, subject, *labels, thread=None):
        body = {**raw(letter(subject)), "labelIds": list(labels)}
        if thread:
            body["threadId"] = thread
        return self.answer(self.users.messages().insert(userId="me", body=body))

    def test_update_and_patch(self):
        color = {"textColor": "#000000", "backgroundColor": "#ffffff"}
        made = self.make("before", labelListVisibility="labelHide", color=color)
        patched = self.answer(self.labels().patch(userId="me", id=made["id"], body={"name": "patched"}))
        self.assertEqual((patched["name"], patched["labelListVisibility"]), ("patched", "labelHide"))
        self.assertEqual(patched["color"], color)
        plain = self.answer(self.labels().patch(userId="me", id=made["id"], body={"color": None}))
        self.assertNotIn("color", plain)
        body = {"id": made["id"], "name": "replaced", "labelListVisibility": "labelShow"}
        replaced = self.answer(self.labels().update(userId="me", id=made["id"], body=body))
        self.assertEqual((replaced["name"], replaced["labelListVisibility"]), ("replaced", "labelShow"))
        self.assertEqual(self.answer(self.labels().get(userId="me", id=made["id"]))["name"], "replaced")

    def test_conflicts(self):
        self.make("Taken")
        other = self.make("free")
        for name in ("Taken", "taken", "INBOX", "inbox"):
            # The public service calls a name of the system an invalid one, or says that it exists.
            with self.assertRaises(Exception) as caught:
                self.labels().create(userId="me", body={"name": name}).execute()
            self.assertIn(caught.exception.resp.status, {409} if "aken" in name else {400, 409})
            self.assert_error(caught.exception, caught.exception.resp.status, [name])
        with self.refused(409, "Taken"):
            self.labels().patch(userId="me", id=other["id"], body={"name": "Taken"}).execute()
        with self.refused(409, "Taken"):
            self.labels().update(userId="me", id=other["id"], body={"name": "Taken"}).execute()

    def test_delete(self):
        label = self.make("short-lived")["id"]
        message = self.insert("keeps living", label, "STARRED")
        self.answer(self.labels().delete(userId="me", id=label))
        with self.refused(404, label, reason="notFound"):
            self.labels().get(userId="me", id=label).execute()
        with self.refused(404, reason="notFound"):
            self.labels().delete(userId="me", id=label).execute()
        kept = self.answer(self.users.messages().get(userId="me", id=message["id"], format="minimal"))
        self.assertEqual(kept["labelIds"], ["STARRED"])

    def test_mistakes(self):
        made = self.make("for mistakes")["id"]
        for body, mention in (
            ({}, "name"),
            ({"name": ""}, "name"),
            ({"name": " \t "}, "name"),
            ({"name": "x" * 226}, "name"),
            ({"name": 7}, "name"),
            ({"name": "ok 1", "labelListVisibility": "labelLoud"}, "labelListVisibility"),
            ({"name": "ok 2", "color": {"textColor": "#ffffff"}}, "color"),
            ({"name": "ok 3", "color": {"textColor": "#ffffff", "backgroundColor": "#123456"}}, "color"),
        ):
            with self.subTest(body=body), self.refused(400, mention):
                self.labels().create(userId="me", body=body).execute()
        with self.refused(400, "name"):
            self.labels().patch(userId="me", id=made, body={"name": None}).execute()
        for unknown in ("Label_987654321", "NOPE", "\u00e9"):
            with self.subTest(unknown=unknown), self.refused(404, reason="notFound"):
                self.labels().get(userId="me", id=unknown).execute()
        for system in ("INBOX", "UNREAD"):
            with self.refused(400):
                self.labels().patch(userId="me", id=system, body={"name": "mine"}).execute()
            with self.refused(400):
                self.labels().delete(userId="me", id=system).execute()

    def test_scopes(self):
        users = mail(new_token(ADDRESS, "mail.labels"))
        made = self.answer(users.labels().create(userId="me", body={"name": "by labels alone"}))
        self.answer(users.labels().delete(userId="me", id=made["id"]))
        with self.refused(403):
            users.getProfile(userId="me").execute()
        users = mail(new_token(ADDRESS, "mail.readonly"))
        self.answer(users.labels().list(userId="me"))
        with self.refused(403):
            users.labels().create(userId="me", body={"name": "not by a reader"}).execute()
        with self.refused(401, reason="authError"):
            mail("no-such-token").labels().list(userId="me").execute()


COUNTS = ["messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread"]

if __name__ == "__main__":
    unittest.main()
