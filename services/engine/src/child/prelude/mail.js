// GmailApp and MailApp.
(function (kit) {
  const { text } = kit;
  const call = (method, values) => kit.call("mail", method, values);
  const addresses = (value) => (Array.isArray(value) ? value.join(",") : String(value ?? ""));

  const optional = (value) => (value === undefined || value === null ? null : String(value));

  const file = (source, what, name) => {
    if (typeof source?.getBlob !== "function") kit.fail(`${what} is not a blob`);
    const blob = source.getBlob();
    return {
      name: blob.getName() ?? name, content_type: blob.getContentType() ?? "application/octet-stream",
      data_base64: Utilities.base64Encode(blob.getBytes()),
    };
  };
  const attachments = (list) => {
    if (!Array.isArray(list)) kit.fail("attachments is not a list of blobs");
    return list.map((source, at) => file(source, `the attachment ${at + 1}`, "attachment"));
  };
  /** Returns the images that HTML refers to as `cid:KEY`. */
  const inlineImages = (images, html) => {
    // Entries of maps and blobs are not properties and would be omitted.
    const prototype = typeof images === "object" ? Object.getPrototypeOf(images) : undefined;
    if (prototype !== null && prototype !== Object.prototype) kit.fail("inlineImages is not an object of blobs");
    const all = Object.entries(images);
    if (all.length > 0 && html === null) kit.fail("inlineImages requires an htmlBody that refers to them");
    return all.map(([key, source]) => ({ content_id: key, ...file(source, `the image ${key}`, key) }));
  };

  /** Returns a message to send, with the options of all sending methods. */
  const outgoing = (to, subject, body, options) => message(to, subject, body, options ?? {});
  const message = (to, subject, body, options) => ({
    to: addresses(to),
    cc: addresses(options.cc),
    bcc: addresses(options.bcc),
    reply_to: addresses(options.replyTo),
    from: optional(options.from),
    from_name: optional(options.name),
    subject: String(subject ?? ""),
    body: String(body ?? ""),
    html_body: optional(options.htmlBody),
    attachments: attachments(options.attachments ?? []),
    inline_images: inlineImages(options.inlineImages ?? {}, optional(options.htmlBody)),
    // Recipients would see the address of the user, which the script wants to hide.
    ...(options.noReply ? kit.fail("noReply cannot be set: this server has no address without replies") : {}),
  });

  class Attachment extends kit.PlatformObject {
    #blob;
    #key;
    constructor(part) {
      super();
      this.#key = part.content_id ?? null;
      this.#blob = Utilities.newBlob(Utilities.base64Decode(part.data_base64), part.content_type, part.name);
    }
    /** Returns the name by which HTML refers to an image; null for other attachments. */
    static keyOf(attachment) { return attachment.#key; }
    getName() { return this.#blob.getName(); }
    getContentType() { return this.#blob.getContentType(); }
    getBytes() { return this.#blob.getBytes(); }
    getDataAsString() { return this.#blob.getDataAsString(); }
    getSize() { return this.#blob.getBytes().length; }
    copyBlob() { return this.#blob.copyBlob(); }
    getBlob() { return this.#blob.copyBlob(); }
  }

  const isKey = (id) => /^[!-~]{1,200}$/.test(id) && !/[<>"\\]/.test(id);

  /** Returns the files of a forwarded message; images that its HTML refers to stay inline. */
  const forwardedFiles = (message) => {
    const files = { attachments: [], inlineImages: Object.create(null) };
    for (const one of message.getAttachments()) {
      const key = Attachment.keyOf(one);
      if (message.hasHtml() && key !== null && isKey(key) && !(key in files.inlineImages)) files.inlineImages[key] = one;
      else files.attachments.push(one);
    }
    return files;
  };

  /** Returns the contents of a forwarded message. */
  const forwarded = (message, options = {}) => {
    const head = [
      "---------- Forwarded message ---------", `From: ${message.getFrom()}`, `Date: ${message.getDate().toUTCString()}`,
      `Subject: ${message.getSubject()}`, `To: ${message.getTo()}`, "",
    ];
    return {
      body: `${[...head, message.getPlainBody()].join("\n")}`,
      htmlBody: message.hasHtml() ? `${head.map((line) => line.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`)).join("<br>")}<br>${message.getBody()}` : undefined,
      ...forwardedFiles(message),
      ...options,
    };
  };

  const modify = (kind, id, add, remove) => call(`${kind}.modify`, { id, add_labels: add, remove_labels: remove });

  class GmailMessage extends kit.PlatformObject {
    #message;
    constructor(message) { super(); this.#message = message; }
    #has(label) { return (this.#message.labels ?? []).includes(label); }
    #modify(add, remove) {
      modify("messages", this.getId(), add, remove);
      const kept = (this.#message.labels ?? []).filter((label) => !remove.includes(label));
      this.#message = { ...this.#message, labels: [...kept, ...add] };
      return this;
    }
    getId() { return this.#message.id; }
    getThread() { return new GmailThread(call("threads.get", { id: this.#message.thread_id })); }
    getFrom() { return this.#message.from ?? ""; }
    getTo() { return this.#message.to ?? ""; }
    getCc() { return this.#message.cc ?? ""; }
    getBcc() { return this.#message.bcc ?? ""; }
    getReplyTo() { return this.#message.reply_to ?? ""; }
    getSubject() { return this.#message.subject ?? ""; }
    getDate() { return new Date(this.#message.date); }
    getPlainBody() { return this.#message.body_plain ?? ""; }
    getBody() { return this.#message.body_html ?? this.getPlainBody(); }
    hasHtml() { return this.#message.body_html !== undefined && this.#message.body_html !== null; }
    getHeader(name) {
      const found = (this.#message.headers ?? []).find((one) => one.name.toLowerCase() === String(name).toLowerCase());
      return found?.value ?? "";
    }
    refresh() { this.#message = call("messages.get", { id: this.getId() }); return this; }
    getRawContent() { return call("messages.raw", { id: this.getId() }); }
    getAttachments(options) {
      let parts = this.#message.attachments ?? [];
      // Messages of a thread come without attachment data.
      if (parts.some((part) => part.data_base64 === undefined)) {
        parts = call("messages.get", { id: this.#message.id }).attachments ?? [];
      }
      const wanted = (part) => (part.content_id ? options?.includeInlineImages : options?.includeAttachments) ?? true;
      return parts.filter(wanted).map((part) => new Attachment(part));
    }
    isUnread() { return this.#has("UNREAD"); }
    isStarred() { return this.#has("STARRED"); }
    isDraft() { return this.#has("DRAFT"); }
    isInTrash() { return this.#has("TRASH"); }
    isInInbox() { return this.#has("INBOX"); }
    isInChats() { return this.#has("CHAT"); }
    markRead() { return this.#modify([], ["UNREAD"]); }
    markUnread() { return this.#modify(["UNREAD"], []); }
    star() { return this.#modify(["STARRED"], []); }
    unstar() { return this.#modify([], ["STARRED"]); }
    moveToTrash() { call("messages.trash", { id: this.getId() }); return this; }
    #respond(method, to, body, options) {
      const subject = /^re:/i.test(this.getSubject()) ? this.getSubject() : `Re: ${this.getSubject()}`;
      const mail = outgoing(to, options?.subject ?? subject, body, options);
      return call(method, { ...mail, reply_to_message: this.getId(), thread_id: this.#message.thread_id });
    }
    #sender() { return this.getReplyTo() || this.getFrom(); }
    /** Returns all participants except the user. */
    #all(list) {
      const own = Session.getEffectiveUser().getEmail().toLowerCase();
      const address = (one) => (/<([^>]*)>/.exec(one)?.[1] ?? one).trim().toLowerCase();
      // A comma in quotes is part of a name.
      const each = list.match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? [];
      return each.map((one) => one.trim()).filter((one) => one !== "" && address(one) !== own).join(", ");
    }
    #toAll() { return [this.#sender(), this.#all(this.getTo())].filter((one) => one !== ""); }
    reply(body, options) { this.#respond("send", this.#sender(), body, options); return this; }
    replyAll(body, options) {
      this.#respond("send", this.#toAll(), body, { cc: this.#all(this.getCc()), ...options });
      return this;
    }
    createDraftReply(body, options) { return new GmailDraft(this.#respond("drafts.create", this.#sender(), body, options)); }
    createDraftReplyAll(body, options) {
      return new GmailDraft(this.#respond("drafts.create", this.#toAll(), body, { cc: this.#all(this.getCc()), ...options }));
    }
    forward(to, options) {
      const all = forwarded(this, options);
      const subject = all.subject ?? (/^fwd?:/i.test(this.getSubject()) ? this.getSubject() : `Fwd: ${this.getSubject()}`);
      call("send", outgoing(to, subject, all.body, all));
      return this;
    }
  }

  class GmailThread extends kit.PlatformObject {
    #thread;
    constructor(thread) { super(); this.#thread = thread; }
    #messages() {
      if (!this.#thread.messages) this.#thread = call("threads.get", { id: this.#thread.id });
      return this.#thread.messages;
    }
    #has(label) { return this.#messages().some((message) => (message.labels ?? []).includes(label)); }
    #modify(add, remove) {
      modify("threads", this.getId(), add, remove);
      this.#thread = { id: this.#thread.id };
      return this;
    }
    getId() { return this.#thread.id; }
    refresh() { this.#thread = { id: this.#thread.id }; return this; }
    getMessages() { return this.#messages().map((message) => new GmailMessage(message)); }
    getMessageCount() { return this.#messages().length; }
    getFirstMessageSubject() { return this.#messages()[0]?.subject ?? ""; }
    getLastMessageDate() { return new Date(this.#messages().at(-1)?.date); }
    getLabels() { return call("threads.labels", { id: this.getId() }).map((label) => new GmailLabel(label)); }
    isUnread() { return this.#has("UNREAD"); }
    isImportant() { return this.#has("IMPORTANT"); }
    isInInbox() { return this.#has("INBOX"); }
    isInTrash() { return this.#has("TRASH"); }
    isInSpam() { return this.#has("SPAM"); }
    isInChats() { return this.#has("CHAT"); }
    hasStarredMessages() { return this.#has("STARRED"); }
    markRead() { return this.#modify([], ["UNREAD"]); }
    markUnread() { return this.#modify(["UNREAD"], []); }
    markImportant() { return this.#modify(["IMPORTANT"], []); }
    markUnimportant() { return this.#modify([], ["IMPORTANT"]); }
    moveToArchive() { return this.#modify([], ["INBOX"]); }
    moveToInbox() { return this.#modify(["INBOX"], []); }
    moveToSpam() { return this.#modify(["SPAM"], ["INBOX"]); }
    moveToTrash() { call("threads.trash", { id: this.getId() }); return this.refresh(); }
    addLabel(label) { return this.#modify([label.getId()], []); }
    removeLabel(label) { return this.#modify([], [label.getId()]); }
    reply(body, options) { this.getMessages().at(-1)?.reply(body, options); return this; }
    replyAll(body, options) { this.getMessages().at(-1)?.replyAll(body, options); return this; }
    createDraftReply(body, options) { return this.getMessages().at(-1).createDraftReply(body, options); }
    createDraftReplyAll(body, options) { return this.getMessages().at(-1).createDraftReplyAll(body, options); }
  }

  const search = (query, start = 0, max = 100) => {
    const [from, most] = [Math.trunc(Number(start)), Math.trunc(Number(max))];
    if (!(from >= 0 && most >= 0 && most <= 500)) kit.fail("search: start must be at least 0, max from 0 to 500");
    return call("threads.list", { query, start: from, max: most }).map((thread) => new GmailThread(thread));
  };

  class GmailLabel extends kit.PlatformObject {
    #label;
    constructor(label) { super(); this.#label = label; }
    getId() { return this.#label.id; }
    getName() { return this.#label.name; }
    getThreads(start, max) { return search(`label:"${this.#label.name}"`, start, max); }
    getUnreadCount() { return call("unread_count", { query: `label:"${this.#label.name}"` }); }
    addToThread(thread) { thread.addLabel(this); return this; }
    removeFromThread(thread) { thread.removeLabel(this); return this; }
    addToThreads(threads) { threads.forEach((thread) => thread.addLabel(this)); return this; }
    removeFromThreads(threads) { threads.forEach((thread) => thread.removeLabel(this)); return this; }
    deleteLabel() { call("labels.delete", { id: this.#label.id }); }
  }

  class GmailDraft extends kit.PlatformObject {
    #draft;
    constructor(draft) { super(); this.#draft = draft; }
    getId() { return this.#draft.id; }
    getMessageId() { return this.#draft.message_id; }
    getMessage() { return new GmailMessage(call("messages.get", { id: this.#draft.message_id })); }
    send() { return new GmailMessage(call("drafts.send", { id: this.#draft.id })); }
    update(to, subject, body, options) {
      this.#draft = call("drafts.update", { ...outgoing(to, subject, body, options), id: this.#draft.id });
      return this;
    }
    deleteDraft() { call("drafts.delete", { id: this.#draft.id }); }
  }

  class GmailApp extends kit.PlatformObject {
    sendEmail(to, subject, body, options) {
      call("send", outgoing(text(to, "the recipient"), subject, body, options));
      return this;
    }
    createDraft(to, subject, body, options) { return new GmailDraft(call("drafts.create", outgoing(to, subject, body, options))); }
    getDrafts() { return call("drafts.list").map((draft) => new GmailDraft(draft)); }
    getDraft(id) { return new GmailDraft(call("drafts.get", { id: text(id, "the id") })); }
    getDraftMessages() { return this.getDrafts().map((draft) => draft.getMessage()); }
    getAliases() { return []; }
    search(query, start, max) { return search(text(query, "the query"), start, max); }
    getInboxThreads(start, max) { return search("in:inbox", start, max); }
    getSpamThreads(start, max) { return search("in:spam", start, max); }
    getTrashThreads(start, max) { return search("in:trash", start, max); }
    getStarredThreads(start, max) { return search("is:starred", start, max); }
    getInboxUnreadCount() { return call("unread_count", { query: "in:inbox" }); }
    getSpamUnreadCount() { return call("unread_count", { query: "in:spam" }); }
    getStarredUnreadCount() { return call("unread_count", { query: "is:starred" }); }
    getThreadById(id) { return new GmailThread(call("threads.get", { id: text(id, "the id") })); }
    getMessageById(id) { return new GmailMessage(call("messages.get", { id: text(id, "the id") })); }
    getMessagesForThread(thread) { return thread.getMessages(); }
    getMessagesForThreads(threads) { return threads.map((thread) => thread.getMessages()); }
    getUserLabels() { return call("labels.list").map((label) => new GmailLabel(label)); }
    getUserLabelByName(name) { return this.getUserLabels().find((label) => label.getName() === String(name)) ?? null; }
    createLabel(name) { return new GmailLabel(call("labels.create", { name: text(name, "the name") })); }
    deleteLabel(label) { label.deleteLabel(); return this; }
    refreshThread(thread) { thread.refresh(); return this; }
    refreshThreads(threads) { threads.forEach((thread) => thread.refresh()); return this; }
    refreshMessage(message) { message.refresh(); return this; }
  }
  // Methods on one thread or message, and on several of them.
  const threads = {
    markThreadRead: "markRead", markThreadUnread: "markUnread", markThreadImportant: "markImportant",
    markThreadUnimportant: "markUnimportant", moveThreadToArchive: "moveToArchive", moveThreadToInbox: "moveToInbox",
    moveThreadToSpam: "moveToSpam", moveThreadToTrash: "moveToTrash",
  };
  const messages = {
    markMessageRead: "markRead", markMessageUnread: "markUnread", starMessage: "star", unstarMessage: "unstar",
    moveMessageToTrash: "moveToTrash",
  };
  for (const [name, method] of Object.entries({ ...threads, ...messages })) {
    GmailApp.prototype[name] = function (one) { one[method](); return this; };
    GmailApp.prototype[name.replace(/Thread|Message/, "$&s")] = function (all) {
      all.forEach((one) => one[method]());
      return this;
    };
  }
  kit.define("GmailApp", new GmailApp());

  class MailApp extends kit.PlatformObject {
    sendEmail(to, subject, body, options) {
      let one = typeof to === "object" && to !== null ? to : { ...options, to, subject, body };
      // Four strings are the recipient, the reply-to address, the subject and the body.
      if (typeof options === "string") one = { to, replyTo: subject, subject: body, body: options };
      call("send", outgoing(text(one.to, "the recipient"), one.subject, one.body, one));
    }
    // There is no quota here; this is the quota of users in organizations elsewhere.
    getRemainingDailyQuota() { return 1500; }
  }
  kit.define("MailApp", new MailApp());
})
