// Calendars and mail, asked by the public Node.js client.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { google } from "googleapis";

import { auth, command, options, refused } from "./common.mjs";

const OWNER = "nora@node.example";
const GUEST = "otto@node.example";
const SECOND = "second@node.example";

const calendarOf = (address, scope = "calendar") => google.calendar({ version: "v3", ...options(auth(address, scope)) });

const at = (day, hour, timeZone = "UTC") => ({
  dateTime: `2027-05-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00`,
  timeZone,
});
const event = (day, summary, members = {}) => ({ summary, start: at(day, 9), end: at(day, 10), ...members });

before(() => {
  for (const address of [OWNER, GUEST]) command("users", "add", address);
  command("calendars", "add", "Second", "--id", SECOND, "--user", OWNER);
});

describe("calendar", () => {
  let calendar;
  const primary = { calendarId: "primary" };
  const insert = async (requestBody, more = {}) => (await calendar.events.insert({ ...primary, ...more, requestBody })).data;
  const get = async (eventId, more = {}) => (await calendar.events.get({ ...primary, ...more, eventId })).data;
  before(() => {
    calendar = calendarOf(OWNER);
  });

  test("insert, get, update, patch and delete", async () => {
    const made = await insert(event(3, "Grüße"));
    assert.deepEqual(await get(made.id), made);
    const requestBody = { ...made, summary: "Later", location: "Roof" };
    const updated = (await calendar.events.update({ ...primary, eventId: made.id, requestBody })).data;
    assert.equal(updated.summary, "Later");
    const patch = { ...primary, eventId: made.id, requestBody: { location: null, description: "new" } };
    const patched = (await calendar.events.patch(patch)).data;
    assert.deepEqual([patched.location, patched.description], [undefined, "new"]);
    const stale = calendar.events.patch(patch, { headers: { "If-Match": made.etag } });
    await refused(412, stale, { reason: "conditionNotMet" });
    assert.equal((await calendar.events.delete({ ...primary, eventId: made.id })).status, 204);
    assert.equal((await get(made.id)).status, "cancelled");
    await refused(410, calendar.events.delete({ ...primary, eventId: made.id }), { reason: "deleted" });
    await refused(404, get("nothingofthatname"), { reason: "notFound" });
  });

  test("what is unchanged is a 304", async () => {
    const made = await insert(event(4, "Unchanged"));
    const read = calendar.events.get({ ...primary, eventId: made.id }, {
      headers: { "If-None-Match": made.etag },
      validateStatus: (status) => status === 304,
    });
    assert.equal((await read).status, 304);
  });

  test("wrong events name the member", async () => {
    await refused(400, insert({ ...event(4, "Ends early"), end: at(1, 1) }), { mentions: /"end.dateTime"/ });
    await refused(400, insert({ summary: "No time" }), { mentions: /start/ });
    await refused(400, insert(event(4, "Rule", { recurrence: ["RRULE:FREQ=NEVER"] })), { mentions: /recurrence/ });
    await refused(400, insert(event(4, "Name", { id: "UPPER" })), { mentions: /"id"/ });
  });

  test("lists of pages, in the order of time", async () => {
    for (const day of [14, 11, 13, 12]) await insert(event(day, `Day ${day}`, { description: "paged" }));
    const window = { timeMin: "2027-05-11T00:00:00Z", timeMax: "2027-05-15T00:00:00Z", q: "paged" };
    const found = [];
    for (let pageToken; ; ) {
      const asked = { ...primary, ...window, singleEvents: true, orderBy: "startTime", maxResults: 3, pageToken };
      const { data } = await calendar.events.list(asked);
      found.push(...data.items.map((item) => item.summary));
      pageToken = data.nextPageToken;
      if (!pageToken) break;
    }
    assert.deepEqual(found, ["Day 11", "Day 12", "Day 13", "Day 14"]);
    const fields = "items(summary,start/dateTime)";
    const part = (await calendar.events.list({ ...primary, ...window, maxResults: 1, fields })).data;
    assert.deepEqual(Object.keys(part.items[0]).sort(), ["start", "summary"]);
  });

  test("a series, its instances and its exceptions", async () => {
    const times = { start: at(3, 9, "Europe/Berlin"), end: at(3, 10, "Europe/Berlin") };
    const made = await insert({ summary: "Weekly", ...times, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4"] });
    const instances = async (more = {}) =>
      (await calendar.events.instances({ ...primary, eventId: made.id, ...more })).data.items;
    const [, second, third] = await instances();
    await calendar.events.patch({ ...primary, eventId: second.id, requestBody: { summary: "Other" } });
    await calendar.events.delete({ ...primary, eventId: third.id });
    assert.deepEqual((await instances()).map((item) => item.summary), ["Weekly", "Other", "Weekly"]);
    const gone = (await instances({ showDeleted: true })).filter((item) => item.status === "cancelled");
    assert.deepEqual(gone.map((item) => item.id), [third.id]);
  });

  test("import and move", async () => {
    const uid = `${Date.now()}@elsewhere.example`;
    const requestBody = event(20, "Imported", { iCalUID: uid, organizer: { email: "owner@elsewhere.example" } });
    const imported = (await calendar.events.import({ ...primary, requestBody })).data;
    assert.deepEqual([imported.iCalUID, imported.organizer.email], [uid, "owner@elsewhere.example"]);
    const made = await insert(event(20, "Moves"));
    const moved = (await calendar.events.move({ ...primary, eventId: made.id, destination: SECOND })).data;
    assert.deepEqual([moved.id, moved.organizer.email], [made.id, SECOND]);
    await refused(404, calendar.events.move({ calendarId: SECOND, eventId: made.id, destination: "nowhere@node.example" }));
  });

  test("guests answer", async () => {
    const made = await insert(event(21, "Meeting", { attendees: [{ email: GUEST }] }));
    const guest = calendarOf(GUEST);
    const attendees = [{ email: GUEST, responseStatus: "accepted" }];
    await guest.events.patch({ ...primary, eventId: made.id, requestBody: { attendees } });
    assert.equal((await get(made.id)).attendees[0].responseStatus, "accepted");
    const mine = guest.events.patch({ ...primary, eventId: made.id, requestBody: { summary: "Mine" } });
    await refused(403, mine, { reason: "forbiddenForNonOrganizer" });
  });

  test("a conference is made", async () => {
    const createRequest = { requestId: "one", conferenceSolutionKey: { type: "hangoutsMeet" } };
    let made = await insert(event(22, "Call", { conferenceData: { createRequest } }), { conferenceDataVersion: 1 });
    for (let left = 200; left && made.conferenceData.createRequest.status.statusCode === "pending"; left--) {
      await setTimeout(100);
      made = await get(made.id);
    }
    assert.equal(made.conferenceData.createRequest.status.statusCode, "success");
  });

  test("an incremental synchronisation", async () => {
    const read = async (asked) => {
      const items = [];
      for (let pageToken; ; ) {
        const { data } = await calendar.events.list({ calendarId: SECOND, maxResults: 2, ...asked, pageToken });
        items.push(...(data.items ?? []));
        if (!data.nextPageToken) return [items, data.nextSyncToken];
        pageToken = data.nextPageToken;
      }
    };
    const [, first] = await read({});
    const made = await insert(event(23, "New"), { calendarId: SECOND });
    const gone = await insert(event(24, "Gone"), { calendarId: SECOND });
    await calendar.events.delete({ calendarId: SECOND, eventId: gone.id });
    const [changes, second] = await read({ syncToken: first });
    assert.deepEqual(new Map(changes.map((item) => [item.id, item.status])), new Map([[made.id, "confirmed"], [gone.id, "cancelled"]]));
    assert.deepEqual((await read({ syncToken: second }))[0], []);
    await refused(410, read({ syncToken: "forged" }), { reason: "fullSyncRequired" });
  });

  test("quick additions", async () => {
    const text = "Dentist on 2027-05-26 15:30 for 45 min";
    const added = (await calendar.events.quickAdd({ ...primary, text })).data;
    assert.deepEqual([added.summary, added.start.dateTime, added.end.dateTime], ["Dentist", "2027-05-26T15:30:00Z", "2027-05-26T16:15:00Z"]);
  });

  test("a guest who may modify an event does not cancel it", async () => {
    const made = await insert(event(26, "Ours", { attendees: [{ email: GUEST }], guestsCanModify: true }));
    const guest = calendarOf(GUEST).events;
    await guest.patch({ ...primary, eventId: made.id, requestBody: { location: "Roof" } });
    await guest.delete({ ...primary, eventId: made.id });
    const seen = await get(made.id);
    assert.deepEqual([seen.status, seen.location, seen.attendees[0].responseStatus], ["confirmed", "Roof", "declined"]);
    const hidden = (await guest.list({ ...primary, iCalUID: made.iCalUID, showHiddenInvitations: true })).data.items;
    assert.deepEqual(hidden.map((item) => item.id), [made.id]);
  });

  test("who is away declines", async () => {
    const outOfOfficeProperties = { autoDeclineMode: "declineOnlyNewConflictingInvitations", declineMessage: "At sea" };
    const requestBody = event(27, "Away", { eventType: "outOfOffice", outOfOfficeProperties });
    await calendarOf(GUEST).events.insert({ ...primary, requestBody });
    const made = await insert(event(27, "Meeting", { attendees: [{ email: GUEST }] }));
    assert.deepEqual([made.attendees[0].responseStatus, made.attendees[0].comment], ["declined", "At sea"]);
  });

  test("changes are announced until the channel is stopped", async (t) => {
    const waiting = [];
    const said = [];
    const hook = createServer((request, response) => {
      const { "x-goog-message-number": number, "x-goog-resource-state": state, "x-goog-channel-token": token } = request.headers;
      response.writeHead(204).end();
      const notification = [number, state, token];
      waiting.length ? waiting.shift()(notification) : said.push(notification);
    });
    await new Promise((listening) => hook.listen(0, "127.0.0.1", listening));
    t.after(() => hook.close());
    const next = () => (said.length ? said.shift() : new Promise((arrived) => waiting.push(arrived)));
    const address = `http://127.0.0.1:${hook.address().port}/`;
    const requestBody = { id: `node-${Date.now()}`, type: "web_hook", address, token: "secret" };
    const watched = await calendar.events.watch({ ...primary, requestBody }).catch((error) => error);
    if (JSON.stringify(watched.response?.data ?? "").includes("push.webhookUrlNotHttps")) {
      return t.skip("the services need --allow-loopback-callbacks");
    }
    const channel = watched.data;
    assert.deepEqual([channel.kind, channel.id], ["api#channel", requestBody.id]);
    assert.deepEqual(await next(), ["1", "sync", "secret"]);
    await insert(event(28, "Announced"));
    assert.deepEqual(await next(), ["2", "exists", "secret"]);
    await refused(400, calendar.events.watch({ ...primary, requestBody }), { reason: "channelIdNotUnique" });
    const { id, resourceId } = channel;
    assert.equal((await calendar.channels.stop({ requestBody: { id, resourceId } })).status, 204);
    await refused(404, calendar.channels.stop({ requestBody: { id, resourceId } }), { reason: "notFound" });
  });

  test("who may", async () => {
    await refused(403, calendarOf(OWNER, "calendar.readonly").events.insert({ ...primary, requestBody: event(25, "No") }));
    await refused(404, calendarOf(GUEST).events.list({ calendarId: SECOND }), { reason: "notFound" });
  });
});

describe("mail", () => {
  test("labels, messages and their history", async () => {
    const gmail = google.gmail({ version: "v1", ...options(auth(OWNER, "mail")) });
    const me = { userId: "me" };
    const label = (await gmail.users.labels.create({ ...me, requestBody: { name: "Node" } })).data;
    const start = (await gmail.users.getProfile(me)).data.historyId;
    const raw = Buffer.from("Subject: Hello\r\n\r\nText.\r\n").toString("base64url");
    const made = (await gmail.users.messages.insert({ ...me, requestBody: { raw, labelIds: ["INBOX"] } })).data;
    const changed = { addLabelIds: [label.id], removeLabelIds: ["INBOX"] };
    await gmail.users.messages.modify({ ...me, id: made.id, requestBody: changed });
    const history = (await gmail.users.history.list({ ...me, startHistoryId: start })).data.history;
    assert.ok(history.some((record) => record.messagesAdded?.[0].message.id === made.id));
    assert.ok(history.some((record) => record.labelsAdded?.[0].labelIds.includes(label.id)));
    const read = (await gmail.users.messages.get({ ...me, id: made.id, format: "raw" })).data;
    assert.equal(Buffer.from(read.raw, "base64url").toString(), "Subject: Hello\r\n\r\nText.\r\n");
    await gmail.users.messages.delete({ ...me, id: made.id });
    await refused(404, gmail.users.messages.get({ ...me, id: made.id }), { reason: "notFound" });
  });
});
