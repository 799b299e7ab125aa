"""The history, and copies that are kept up to date by it, with the public Python client."""

import random
import threading
import unittest

from interop_common import Case, letter, mail, new_token, new_user, pages, raw

ADDRESS = "history@interop.example"
KINDS = {
    "messagesAdded": "messageAdded",
    "messagesDeleted": "messageDeleted",
    "labelsAdded": "labelAdded",
    "labelsRemoved": "labelRemoved",
}


class Copy:
    """What a client knows of a mailbox: the labels of each message, and where it stands."""

    def __init__(self, users):
        self.users = users
        self.labels, self.at = {}, None

    def read_all(self):
        # The number comes first: what happens while the list is read is told again by the history.
        self.at = self.users.getProfile(userId="me").execute()["historyId"]
        found, _ = pages(self.users, self.users.messages().list(userId="me", includeSpamTrash=True, maxResults=7), "messages")
        for message in found:
            read = self.users.messages().get(userId="me", id=message["id"], format="minimal").execute()
            self.labels[message["id"]] = set(read.get("labelIds", []))
        return self

    def catch_up(self, size):
        call = self.users.history().list(userId="me", startHistoryId=self.at, maxResults=size)
        while call is not None:
            page = call.execute()
            for record in page.get("history", []):
                self.take(record)
            self.at = page["historyId"]
            call = self.users.history().list_next(call, page)

    def take(self, record):
        for change in record.get("messagesAdded", []):
            self.labels[change["message"]["id"]] = set(change["message"].get("labelIds", []))
        for change in record.get("labelsAdded", []):
            self.labels.setdefault(change["message"]["id"], set()).update(change["labelIds"])
        for change in record.get("labelsRemoved", []):
            self.labels.setdefault(change["message"]["id"], set()).difference_update(change["labelIds"])
        for change in record.get("messagesDeleted", []):
            self.labels.pop(change["message"]["id"], None)

    def refresh_added(self, before):
        """Messages that came are read for the labels they have, as their records need not tell them."""
        for name in set(self.labels) - before:
            read = self.users.messages().get(userId="me", id=name, format="minimal").execute()
            self.labels[name] = set(read.get("labelIds", []))


class History(Case):
    @classmethod
    def setUpClass(cls):
        cls.token = new_user(ADDRESS)
        cls.users = mail(cls.token)
        cls.messages = cls.users.messages()

    def now(self):
        return self.answer(self.users.getProfile(userId="me"))["historyId"]

    def insert(self, subject, *labels):
        body = {**raw(letter(subject)), "labelIds": list(labels)}
        return self.answer(self.messages.insert(userId="me", body=body))

    def records(self, start, **parameters):
        call = self.users.history().list(userId="me", startHistoryId=start, **parameters)
        self.answer(call)
        return pages(self.users, call, "history")[0]

    def test_kinds_of_change(self):
        start = self.now()
        made = self.insert("changes", "INBOX")
        name = {"id": made["id"], "threadId": made["threadId"]}
        body = {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]}
        self.answer(self.messages.modify(userId="me", id=made["id"], body=body))
        self.answer(self.messages.delete(userId="me", id=made["id"]))
        records = self.records(start)
        told = [(kind, change) for record in records for kind in KINDS for change in record.get(kind, [])]
        self.assertEqual([kind for kind, _ in told], ["messagesAdded", "labelsAdded", "labelsRemoved", "messagesDeleted"])
        for kind, change in told:
            self.assertEqual({key: change["message"][key] for key in name}, name, kind)
        self.assertEqual((told[1][1]["labelIds"], told[2][1]["labelIds"]), (["STARRED"], ["INBOX"]))
        for record in records:
            self.assertEqual([message["id"] for message in record["messages"]], [made["id"]])
        numbers = [int(start)] + [int(record["id"]) for record in records] + [int(self.now()) + 1]
        self.assertEqual(sorted(set(numbers)), numbers, "numbers grow")

    def test_filters(self):
        start = self.now()
        inbox, other = self.insert("filtered", "INBOX")["id"], self.insert("filtered", "SENT")["id"]
        for name in (inbox, other):
            self.answer(self.messages.modify(userId="me", id=name, body={"addLabelIds": ["STARRED"]}))
        for member, kind in KINDS.items():
            for record in self.records(start, historyTypes=[kind]):
                self.assertLessEqual(set(record) & set(KINDS), {member})
        self.assertEqual(len(self.records(start, historyTypes=["messageAdded", "labelAdded"])), 4)
        self.assertEqual(self.records(start, historyTypes=["labelRemoved"]), [])
        touched = {m["id"] for record in self.records(start, labelId="INBOX") for m in record["messages"]}
        self.assertEqual(touched, {inbox})

    def test_labels_that_are_gone(self):
        label = self.answer(self.users.labels().create(userId="me", body={"name": "gone"}))["id"]
        start = self.now()
        made = self.insert("labelled", label, "INBOX")["id"]
        self.answer(self.users.labels().delete(userId="me", id=label))
        told = [change for record in self.records(start, labelId=label) for change in record.get("labelsRemoved", [])]
        self.assertEqual([(change["message"]["id"], change["labelIds"]) for change in told], [(made, [label])])

    def test_pages(self):
        start = self.now()
        made = [self.insert(f"page {n}")["id"] for n in range(11)]
        for size in (1, 3, 11, 500):
            call = self.users.history().list(userId="me", startHistoryId=start, maxResults=size)
            records, sizes = pages(self.users, call, "history")
            self.assertEqual([record["messagesAdded"][0]["message"]["id"] for record in records], made)
            self.assertTrue(all(0 < filled <= size for filled in sizes), sizes)
        last = self.answer(self.users.history().list(userId="me", startHistoryId=self.now()))
        self.assertEqual(last, {"historyId": self.now()}, "nothing has changed since")

    def test_mistakes(self):
        history = self.users.history()
        self.insert("so that there is a history")
        for start in ("1", str(int(self.now()) + 10**9), "18446744073709551615"):
            with self.subTest(start=start), self.refused(404, start, reason="notFound", location="startHistoryId"):
                history.list(userId="me", startHistoryId=start).execute()
        for start in ("x", "-1", "1.5", "18446744073709551616"):
            with self.subTest(start=start), self.refused(404, "full sync", reason="notFound", location="startHistoryId"):
                history.list(userId="me", startHistoryId=start).execute()
        with self.refused(400, "pageToken"):
            history.list(userId="me", startHistoryId=self.now(), pageToken="nonsense").execute()
        with self.refused(400, "no label", location="labelId"):
            history.list(userId="me", startHistoryId=self.now(), labelId="no label").execute()
        with self.refused(403, "somebody@interop.example"):
            history.list(userId="somebody@interop.example", startHistoryId=self.now()).execute()
        with self.refused(401, reason="authError"):
            mail("no-such-token").history().list(userId="me", startHistoryId="1").execute()
        with self.refused(403):
            mail(new_token(ADDRESS, "mail.labels")).history().list(userId="me", startHistoryId="1").execute()

    def test_copies_stay_the_same_as_the_mailbox(self):
        chance = random.Random(8)
        label = self.answer(self.users.labels().create(userId="me", body={"name": "synchronised"}))["id"]
        choices = ["INBOX", "UNREAD", "STARRED", "IMPORTANT", label]
        self.insert("before", "INBOX")
        copies = [Copy(self.users).read_all() for _ in range(2)]
        living = list(copies[0].labels)
        for _ in range(12):
            for _ in range(chance.randrange(1, 6)):
                self.change(chance, living, choices)
            for copy in copies:
                before = set(copy.labels)
                copy.catch_up(chance.choice([1, 2, 5, 100]))
                copy.refresh_added(before)
            whole = Copy(self.users).read_all()
            for copy in copies:
                self.assertEqual((copy.labels, copy.at), (whole.labels, whole.at))

    def test_copies_miss_nothing_while_others_write(self):
        failures = []

        def write(seed):
            chance, messages, made = random.Random(seed), mail(self.token).messages(), []
            try:
                for n in range(25):
                    body = {**raw(letter(f"writer {seed}, {n}")), "labelIds": ["UNREAD"]}
                    made.append(messages.insert(userId="me", body=body).execute()["id"])
                    body = {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]}
                    messages.modify(userId="me", id=chance.choice(made), body=body).execute()
                    if n % 3 == 0:
                        messages.delete(userId="me", id=made.pop(chance.randrange(len(made)))).execute()
            except Exception as failure:
                failures.append(failure)

        copy = Copy(self.users).read_all()
        before = set(copy.labels)
        writers = [threading.Thread(target=write, args=(seed,)) for seed in range(3)]
        for writer in writers:
            writer.start()
        while any(writer.is_alive() for writer in writers):
            copy.catch_up(3)
        for writer in writers:
            writer.join()
        copy.catch_up(3)
        copy.refresh_added(before)
        self.assertEqual(failures, [])
        whole = Copy(self.users).read_all()
        self.assertEqual((copy.labels, copy.at), (whole.labels, whole.at))

    def change(self, chance, living, choices):
        step = chance.random()
        if step < 0.3 or len(living) < 3:
            living.append(self.insert("random", *chance.sample(choices, 2))["id"])
        elif step < 0.6:
            body = {"addLabelIds": [choices[chance.randrange(2)]], "removeLabelIds": [choices[chance.randrange(2, 5)]]}
            self.messages.modify(userId="me", id=chance.choice(living), body=body).execute()
        elif step < 0.8:
            body = {"ids": chance.sample(living, 2), "addLabelIds": [chance.choice(choices)]}
            self.messages.batchModify(userId="me", body=body).execute()
        elif step < 0.9:
            self.messages.trash(userId="me", id=chance.choice(living)).execute()
        else:
            self.messages.delete(userId="me", id=living.pop(chance.randrange(len(living)))).execute()


if __name__ == "__main__":
    unittest.main()
