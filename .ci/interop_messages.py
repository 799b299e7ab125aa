"""Messages, asked by the public Python client."""

import email.message
import random
import unittest

from interop_common import Case, is_name, letter, mail, new_token, new_user, pages, raw, unraw

ADDRESS = "messages@interop.example"


class Messages(Case):
    @classmethod
    def setUpClass(cls):
        cls.token = new_user(ADDRESS)
        cls.users = mail(cls.token)
        cls.messages = cls.users.messages()

    def insert(self, message, **body):
        return self.answer(self.messages.insert(userId="me", body={**raw(message), **body}))

    def get(self, name, **parameters):
        return self.answer(self.messages.get(userId="me", id=name, **parameters))

    def test_insert_and_get(self):
        message = letter("Grüße", "Liebe Leute,\nbis morgen.\n", X_Note="first")
        made = self.insert(message, labelIds=["INBOX", "UNREAD"])
        self.assertTrue(is_name(made["id"]) and is_name(made["threadId"]), made)
        self.assertEqual(sorted(made["labelIds"]), ["INBOX", "UNREAD"])
        full = self.get(made["id"])
        self.assertEqual(full, self.get(made["id"], format="full"))
        self.assertEqual(full["snippet"], "Liebe Leute, bis morgen.")
        self.assertEqual((full["id"], full["threadId"]), (made["id"], made["threadId"]))
        self.assertLessEqual(
            {"id", "threadId", "labelIds", "snippet", "historyId", "internalDate", "sizeEstimate", "payload"}, set(full)
        )
        payload = full["payload"]
        self.assertEqual((payload["partId"], payload["mimeType"], payload["filename"]), ("", "text/plain", ""))
        headers = {header["name"]: header["value"] for header in payload["headers"]}
        self.assertEqual((headers["X-Note"], headers["From"]), ("first", "Ada <ada@example.org>"))
        self.assertEqual(unraw(payload["body"]["data"]).decode(), message.get_content())
        self.assertEqual(payload["body"]["size"], len(unraw(payload["body"]["data"])))
        self.assertNotIn("raw", full)

    def test_formats(self):
        message = letter("formats", "Some text.", Reply_To="c@example.org")
        made = self.insert(message)["id"]
        minimal = self.get(made, format="minimal")
        self.assertFalse({"payload", "raw"} & set(minimal))
        self.assertEqual(minimal["snippet"], "Some text.")
        sent = self.get(made, format="raw")
        self.assertEqual(unraw(sent["raw"]), bytes(message))
        self.assertNotIn("payload", sent)
        metadata = self.get(made, format="metadata")
        self.assertNotIn("body", metadata["payload"])
        self.assertNotIn("parts", metadata["payload"])
        self.assertIn("Reply-To", [header["name"] for header in metadata["payload"]["headers"]])
        chosen = self.get(made, format="metadata", metadataHeaders=["subject", "REPLY-TO", "X-None"])
        self.assertEqual({header["name"] for header in chosen["payload"]["headers"]}, {"Subject", "Reply-To"})
        part = self.messages.get(userId="me", id=made, fields="id,payload/headers(name)").execute()
        self.assertEqual(set(part), {"id", "payload"})
        self.assertEqual({key for header in part["payload"]["headers"] for key in header}, {"name"})

    def test_parts(self):
        message = letter("parts", "plain")
        message.add_alternative("<p>rich &amp; <b>bold</b></p>", subtype="html")
        message.add_attachment(bytes(range(256)), maintype="application", subtype="octet-stream", filename="ä.bin")
        full = self.get(self.insert(message)["id"])
        outer = full["payload"]
        self.assertEqual(outer["mimeType"], "multipart/mixed")
        self.assertEqual([part["partId"] for part in outer["parts"]], ["0", "1"])
        self.assertEqual([part["mimeType"] for part in outer["parts"][0]["parts"]], ["text/plain", "text/html"])
        self.assertEqual([part["partId"] for part in outer["parts"][0]["parts"]], ["0.0", "0.1"])
        attached = outer["parts"][1]
        self.assertEqual((attached["filename"], attached["body"]["size"]), ("ä.bin", 256))
        attachment = {"messageId": full["id"], "id": attached["body"]["attachmentId"]}
        found = self.messages.attachments().get(userId="me", **attachment).execute()
        self.assertEqual((found["size"], unraw(found["data"])), (256, bytes(range(256))))

    def test_drafts_are_sent_and_threads_read(self):
        message = letter("Draft", sender=ADDRESS)
        message.replace_header("To", ADDRESS)
        drafts, threads = self.users.drafts(), self.users.threads()
        draft = self.answer(drafts.create(userId="me", body={"message": raw(message)}))
        self.assertEqual(self.answer(drafts.get(userId="me", id=draft["id"]))["message"]["labelIds"], ["DRAFT"])
        self.assertIn(draft["id"], [one["id"] for one in self.answer(drafts.list(userId="me"))["drafts"]])
        draft = self.answer(drafts.update(userId="me", id=draft["id"], body={"message": raw(message)}))
        sent = self.answer(drafts.send(userId="me", body={"id": draft["id"]}))
        self.assertEqual(sent["labelIds"], ["SENT"])
        again = self.answer(self.messages.send(userId="me", body={**raw(message), "threadId": sent["threadId"]}))
        thread = self.answer(threads.get(userId="me", id=sent["threadId"], format="minimal"))
        self.assertLessEqual({sent["id"], again["id"]}, {one["id"] for one in thread["messages"]})
        self.assertIn(thread["id"], [one["id"] for one in self.answer(threads.list(userId="me"))["threads"]])
        self.answer(self.messages.batchDelete(userId="me", body={"ids": [sent["id"], again["id"]]}))
        with self.refused(404, reason="notFound"):
            self.get(sent["id"])
        other = self.answer(drafts.create(userId="me", body={"message": raw(message)}))
        self.answer(drafts.delete(userId="me", id=other["id"]))

    def test_any_bytes_are_mail(self):
        for content in (b"no headers at all", b"\xff\xfe\x00", b"Subject: x\r\nContent-Type: multipart/mixed\r\n\r\n--"):
            made = self.insert(content)["id"]
            self.assertEqual(unraw(self.get(made, format="raw")["raw"]), content)
            self.get(made)

    def test_sizes(self):
        # What cannot be compressed, as the client takes an answer for an attack that is much longer than it was.
        content = b"Subject: large\r\n\r\n" + random.Random(5).randbytes(20 << 20)
        made = self.insert(content)["id"]
        self.assertEqual(self.get(made, format="minimal")["sizeEstimate"], len(content))
        self.assertEqual(unraw(self.get(made, format="raw")["raw"]), content)
        # The client looks at an answer when all of its body is out.
        with self.refused(413):
            self.insert(content * 2)

    def test_dates(self):
        old = letter("old", date=1_200_000_000)
        by_header = self.messages.insert(userId="me", internalDateSource="dateHeader", body=raw(old))
        self.assertEqual(self.get(self.answer(by_header)["id"])["internalDate"], "1200000000000")
        received = self.get(self.insert(old)["id"])
        self.assertGreater(int(received["internalDate"]), 1_700_000_000_000)
        imported = self.answer(self.messages.import_(userId="me", body=raw(old)))
        self.assertEqual(self.get(imported["id"])["internalDate"], "1200000000000")

    def test_threads(self):
        first = self.insert(letter("thread", Message_ID="<one@interop.example>"))
        reply = self.insert(letter("Re: thread", Message_ID="<two@interop.example>", In_Reply_To="<one@interop.example>"))
        self.assertEqual(reply["threadId"], first["threadId"])
        apart = self.insert(letter("thread"))
        self.assertNotEqual(apart["threadId"], first["threadId"])
        self.assertEqual(self.insert(letter("thread"), threadId=first["threadId"])["threadId"], first["threadId"])
        with self.refused(404, "7fffffffffffffff"):
            self.insert(letter("thread"), threadId="7fffffffffffffff")

    def test_modify(self):
        label = self.answer(self.users.labels().create(userId="me", body={"name": "modified"}))["id"]
        made = self.insert(letter("modify"), labelIds=["INBOX"])
        body = {"addLabelIds": [label, "STARRED"], "removeLabelIds": ["INBOX"]}
        changed = self.answer(self.messages.modify(userId="me", id=made["id"], body=body))
        self.assertEqual(sorted(changed["labelIds"]), sorted([label, "STARRED"]))
        again = self.answer(self.messages.modify(userId="me", id=made["id"], body=body))
        self.assertEqual(sorted(again["labelIds"]), sorted([label, "STARRED"]))
        for wrong, mention in (
            ({"addLabelIds": ["STARRED"], "removeLabelIds": ["STARRED"]}, "removeLabelIds"),
            ({"addLabelIds": ["Label_987654321"]}, "Label_987654321"),
            ({"addLabelIds": [f"L{n}" for n in range(101)]}, "addLabelIds"),
            ({"addLabelIds": "STARRED"}, "addLabelIds"),
        ):
            with self.subTest(body=wrong), self.refused(400, mention):
                self.messages.modify(userId="me", id=made["id"], body=wrong).execute()
        self.assertEqual(sorted(self.get(made["id"])["labelIds"]), sorted([label, "STARRED"]))

    def test_trash_and_delete(self):
        made = self.insert(letter("rubbish"), labelIds=["INBOX"])["id"]
        self.assertIn("TRASH", self.answer(self.messages.trash(userId="me", id=made))["labelIds"])
        self.assertNotIn(made, self.listed())
        self.assertIn(made, self.listed(includeSpamTrash=True))
        self.assertNotIn("TRASH", self.answer(self.messages.untrash(userId="me", id=made)).get("labelIds", []))
        self.assertIn(made, self.listed())
        self.answer(self.messages.delete(userId="me", id=made))
        self.assertNotIn(made, self.listed(includeSpamTrash=True))
        for call in (self.messages.get, self.messages.delete, self.messages.trash, self.messages.untrash):
            with self.refused(404, reason="notFound"):
                call(userId="me", id=made).execute()
        with self.refused(404, reason="notFound"):
            self.messages.modify(userId="me", id=made, body={"addLabelIds": ["STARRED"]}).execute()

    def listed(self, **parameters):
        found, _ = pages(self.users, self.messages.list(userId="me", **parameters), "messages")
        return [message["id"] for message in found]

    def test_batch_modify(self):
        made = [self.insert(letter(f"batch {n}"), labelIds=["INBOX"])["id"] for n in range(5)]
        body = {"ids": made, "addLabelIds": ["IMPORTANT"], "removeLabelIds": ["INBOX"]}
        self.answer(self.messages.batchModify(userId="me", body=body))
        for name in made:
            self.assertEqual(self.get(name, format="minimal")["labelIds"], ["IMPORTANT"])
        for wrong, mention in (
            ({"addLabelIds": ["STARRED"]}, "ids"),
            ({"ids": [], "addLabelIds": ["STARRED"]}, "ids"),
            ({"ids": [made[0]] * 1001, "addLabelIds": ["STARRED"]}, "ids"),
            ({"ids": made, "addLabelIds": ["Label_987654321"]}, "Label_987654321"),
            ({"ids": ["not hexadecimal"], "addLabelIds": ["STARRED"]}, "not hexadecimal"),
        ):
            with self.subTest(body=mention), self.refused(400, mention):
                self.messages.batchModify(userId="me", body=wrong).execute()

    def test_list(self):
        label = self.answer(self.users.labels().create(userId="me", body={"name": "listed"}))["id"]
        made = []
        for n in range(13):
            call = self.messages.insert(
                userId="me",
                internalDateSource="dateHeader",
                body={**raw(letter(f"listed {n}", date=1_500_000_000 + n)), "labelIds": [label] + ["STARRED"] * (n % 2)},
            )
            made.append(self.answer(call)["id"])
        self.answer(self.messages.list(userId="me", maxResults=2))
        for size in (1, 4, 13, 500):
            found, sizes = pages(self.users, self.messages.list(userId="me", labelIds=[label], maxResults=size), "messages")
            self.assertEqual([message["id"] for message in found], made[::-1], "the newest first")
            self.assertTrue(all(0 < filled <= size for filled in sizes), sizes)
        self.assertEqual(self.listed(labelIds=[label, "STARRED"]), made[1::2][::-1])
        self.assertEqual(self.listed(q="subject:\"listed 7\""), [made[7]])
        self.assertEqual(self.listed(q="label:listed -is:starred"), made[0::2][::-1])
        self.assertEqual(self.listed(q="label:listed nothing-has-this-word"), [])

    def test_page_tokens(self):
        for n in range(3):
            self.insert(letter(f"page {n}"))
        token = self.messages.list(userId="me", maxResults=1).execute()["nextPageToken"]
        for wrong in ("nonsense", token[:-2] + "AA", ""):
            with self.subTest(token=wrong), self.refused(400, "pageToken"):
                self.messages.list(userId="me", maxResults=1, pageToken=wrong).execute()
        with self.refused(400, "pageToken"):
            self.messages.list(userId="me", maxResults=1, q="other", pageToken=token).execute()

    def test_mistakes(self):
        for body, mention in (
            ({}, "raw"),
            ({"raw": ""}, "raw"),
            ({"raw": "***"}, "raw"),
            ({**raw(b"Subject: x\n\ny"), "labelIds": ["Label_987654321"]}, "Label_987654321"),
            ({**raw(b"Subject: x\n\ny"), "labelIds": "INBOX"}, "labelIds"),
        ):
            for call in (self.messages.insert, self.messages.import_):
                with self.subTest(body=body), self.refused(400, mention):
                    call(userId="me", body=body).execute()
        with self.refused(404, reason="notFound"):
            self.get("7fffffffffffffff")
        for name in ("not-a-name", "\u00e9"):
            with self.assertRaises(Exception) as caught:
                self.get(name)
            self.assertIn(caught.exception.resp.status, (400, 404))
            self.assert_error(caught.exception, caught.exception.resp.status)
        with self.refused(403, "somebody@interop.example"):
            self.messages.list(userId="somebody@interop.example").execute()
        with self.refused(400, "labelIds"):
            self.messages.list(userId="me", labelIds=["Label_987654321"]).execute()

    def test_import(self):
        message = email.message.EmailMessage()
        message["Subject"], message["From"] = "imported", "c@example.org"
        message.set_content("x")
        made = self.answer(self.messages.import_(userId="me", neverMarkSpam=True, body=raw(message)))
        self.assertEqual(unraw(self.get(made["id"], format="raw")["raw"]), bytes(message))

    def test_scopes(self):
        made = self.insert(letter("secret subject", "secret text"))["id"]
        users = mail(new_token(ADDRESS, "mail.metadata")).messages()
        metadata = self.answer(users.get(userId="me", id=made, format="metadata"))
        self.assertNotIn("secret text", str(metadata))
        for form in ("full", "raw"):
            with self.refused(403):
                users.get(userId="me", id=made, format=form).execute()
        self.answer(users.list(userId="me"))
        with self.refused(403):
            users.list(userId="me", q="secret").execute()
        users = mail(new_token(ADDRESS, "mail.insert")).messages()
        self.answer(users.insert(userId="me", body=raw(letter("by insertion"))))
        with self.refused(403):
            users.list(userId="me").execute()
        users = mail(new_token(ADDRESS, "mail.readonly")).messages()
        self.answer(users.get(userId="me", id=made))
        for call in (users.trash, users.untrash, users.delete):
            with self.refused(403):
                call(userId="me", id=made).execute()
        with self.refused(401, reason="authError"):
            mail("no-such-token").messages().get(userId="me", id=made).execute()


if __name__ == "__main__":
    unittest.main()
