// CalendarApp, on the events of the calendar API.
(function (kit) {
  const { text } = kit;
  kit.load("recurrence");
  const call = (method, values) => kit.call("calendar", method, values);
  const day = (date) => Utilities.formatDate(kit.date(date, "the day"), kit.program.timeZone, "yyyy-MM-dd");
  const time = (date, what) => ({ dateTime: kit.date(date, what).toISOString(), timeZone: kit.program.timeZone });
  const midnight = (text) => kit.localDate(...text.split("-").map(Number));
  const next = (date) => new Date(kit.date(date, "the day").getTime() + 86_400_000);
  const moment = (value) => (value.dateTime ? new Date(value.dateTime) : midnight(value.date));

  /** Converts the options of a new event to fields of the API. */
  const details = (options = {}) => {
    const event = {};
    if (options.description !== undefined) event.description = String(options.description);
    if (options.location !== undefined) event.location = String(options.location);
    if (options.guests) event.attendees = String(options.guests).split(",").map((guest) => ({ email: guest.trim() }));
    return event;
  };

  const statuses = { INVITED: "needsAction", MAYBE: "tentative", NO: "declined", YES: "accepted" };
  /** Converts the response of an attendee to CalendarApp.GuestStatus. */
  const statusOf = (guest) => {
    if (guest?.organizer) return "OWNER";
    return Object.keys(statuses).find((name) => statuses[name] === guest?.responseStatus) ?? "INVITED";
  };
  const isSame = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();
  const oneOf = (names, value, what) =>
    Object.hasOwn(names, value) ? String(value) : kit.fail(`${what} must be one of ${Object.keys(names).join(", ")}`);
  const Visibility = kit.names("CONFIDENTIAL", "DEFAULT", "PRIVATE", "PUBLIC");
  const EventTransparency = kit.names("OPAQUE", "TRANSPARENT");
  const minutes = (value) => {
    const number = Number(value);
    return Number.isInteger(number) && number >= 0 && number <= 40_320 ? number : kit.fail("a reminder must be 0 to 40320 minutes before the event");
  };

  class EventGuest extends kit.PlatformObject {
    #guest;
    constructor(guest) { super(); this.#guest = guest; }
    getEmail() { return this.#guest.email; }
    getName() { return this.#guest.displayName ?? ""; }
    getAdditionalGuests() { return this.#guest.additionalGuests ?? 0; }
    getGuestStatus() { return statusOf(this.#guest); }
  }

  class CalendarEvent extends kit.PlatformObject {
    #calendar;
    #event;
    constructor(calendar, event) { super(); this.#calendar = calendar; this.#event = event; }
    #patch(event) {
      this.#event = call("events.patch", { calendar_id: this.#calendar, event_id: this.#event.id, event });
      return this;
    }
    getId() { return this.#event.id; }
    getTitle() { return this.#event.summary ?? ""; }
    setTitle(title) { return this.#patch({ summary: text(title, "the title") }); }
    getDescription() { return this.#event.description ?? ""; }
    setDescription(description) { return this.#patch({ description: text(description, "the description") }); }
    getLocation() { return this.#event.location ?? ""; }
    setLocation(location) { return this.#patch({ location: text(location, "the location") }); }
    getStartTime() { return moment(this.#event.start); }
    getEndTime() { return moment(this.#event.end); }
    getAllDayStartDate() { return this.getStartTime(); }
    getAllDayEndDate() { return this.getEndTime(); }
    isAllDayEvent() { return this.#event.start.date !== undefined; }
    isRecurringEvent() { return this.#event.recurringEventId !== undefined || this.#event.recurrence !== undefined; }
    getEventSeries() {
      const id = this.#event.recurringEventId ?? this.#event.id;
      return new CalendarEventSeries(this.#calendar, call("events.get", { calendar_id: this.#calendar, event_id: id }));
    }
    setTime(start, end) {
      return this.#patch({ start: { ...time(start, "the start"), date: null }, end: { ...time(end, "the end"), date: null } });
    }
    setAllDayDates(start, end) {
      return this.#patch({ start: { date: day(start), dateTime: null }, end: { date: day(end), dateTime: null } });
    }
    setAllDayDate(date) {
      return this.#patch({ start: { date: day(date), dateTime: null }, end: { date: day(next(date)), dateTime: null } });
    }
    getColor() { return this.#event.colorId ?? ""; }
    setColor(color) { return this.#patch({ colorId: text(color, "the color") }); }
    getCreators() { return this.#event.creator ? [this.#event.creator.email] : []; }
    getGuestList(includeOwner = false) {
      const guests = (this.#event.attendees ?? []).filter((one) => includeOwner || !one.organizer);
      return guests.map((one) => new EventGuest(one));
    }
    getGuestByEmail(email) {
      const found = (this.#event.attendees ?? []).find((one) => isSame(one.email, email));
      return found === undefined ? null : new EventGuest(found);
    }
    addGuest(email) {
      const attendees = this.#event.attendees ?? [];
      const address = text(email, "the address");
      if (attendees.some((one) => isSame(one.email, address))) return this;
      return this.#patch({ attendees: [...attendees, { email: address }] });
    }
    removeGuest(email) {
      return this.#patch({ attendees: (this.#event.attendees ?? []).filter((one) => !isSame(one.email, email)) });
    }
    getMyStatus() {
      const own = (this.#event.attendees ?? []).find((one) => one.self);
      return own === undefined ? (this.isOwnedByMe() ? "OWNER" : null) : statusOf(own);
    }
    setMyStatus(status) {
      const responseStatus = statuses[oneOf(statuses, status, "the status")];
      const attendees = this.#event.attendees ?? [];
      if (!attendees.some((one) => one.self)) kit.fail("setMyStatus: the user is not a guest of the event");
      return this.#patch({ attendees: attendees.map((one) => (one.self ? { ...one, responseStatus } : one)) });
    }
    isOwnedByMe() { return (this.#event.organizer ?? this.#event.creator)?.self === true; }
    guestsCanInviteOthers() { return this.#event.guestsCanInviteOthers ?? true; }
    setGuestsCanInviteOthers(may) { return this.#patch({ guestsCanInviteOthers: Boolean(may) }); }
    guestsCanModify() { return this.#event.guestsCanModify ?? false; }
    setGuestsCanModify(may) { return this.#patch({ guestsCanModify: Boolean(may) }); }
    guestsCanSeeGuests() { return this.#event.guestsCanSeeOtherGuests ?? true; }
    setGuestsCanSeeGuests(may) { return this.#patch({ guestsCanSeeOtherGuests: Boolean(may) }); }
    anyoneCanAddSelf() { return this.#event.anyoneCanAddSelf ?? false; }
    setAnyoneCanAddSelf(may) { return this.#patch({ anyoneCanAddSelf: Boolean(may) }); }
    getVisibility() { return (this.#event.visibility ?? "default").toUpperCase(); }
    setVisibility(visibility) {
      return this.#patch({ visibility: oneOf(Visibility, visibility, "the visibility").toLowerCase() });
    }
    getTransparency() { return (this.#event.transparency ?? "opaque").toUpperCase(); }
    setTransparency(transparency) {
      return this.#patch({ transparency: oneOf(EventTransparency, transparency, "the transparency").toLowerCase() });
    }
    getEventType() { return (this.#event.eventType ?? "default").replace(/[A-Z]/g, "_$&").toUpperCase(); }
    #reminders(method) {
      return (this.#event.reminders?.overrides ?? []).filter((one) => one.method === method).map((one) => one.minutes);
    }
    #remind(overrides) { return this.#patch({ reminders: { useDefault: false, overrides } }); }
    getPopupReminders() { return this.#reminders("popup"); }
    getEmailReminders() { return this.#reminders("email"); }
    addPopupReminder(before) {
      return this.#remind([...(this.#event.reminders?.overrides ?? []), { method: "popup", minutes: minutes(before) }]);
    }
    addEmailReminder(before) {
      return this.#remind([...(this.#event.reminders?.overrides ?? []), { method: "email", minutes: minutes(before) }]);
    }
    removeAllReminders() { return this.#remind([]); }
    resetRemindersToDefault() { return this.#patch({ reminders: { useDefault: true, overrides: null } }); }
    getDateCreated() { return new Date(this.#event.created); }
    getLastUpdated() { return new Date(this.#event.updated); }
    getAllTagKeys() { return Object.keys(this.#event.extendedProperties?.shared ?? {}); }
    getTag(key) {
      const tags = this.#event.extendedProperties?.shared ?? {};
      return Object.hasOwn(tags, key) ? tags[key] : null;
    }
    deleteTag(key) { return this.#patch({ extendedProperties: { shared: { [text(key, "the key")]: null } } }); }
    setTag(key, value) {
      return this.#patch({ extendedProperties: { shared: { [text(key, "the key")]: text(value, "the value") } } });
    }
    getOriginalCalendarId() { return this.#event.organizer?.email ?? this.#calendar; }
    deleteEvent() { call("events.delete", { calendar_id: this.#calendar, event_id: this.#event.id }); }
    /** Replaces fields of an event, for derived classes. */
    static patch(event, members) { return event.#patch(members); }
  }

  /** Series of events. */
  class CalendarEventSeries extends CalendarEvent {
    deleteEventSeries() { this.deleteEvent(); }
    setRecurrence(recurrence, start, end) {
      const isTimed = end !== undefined;
      const times = isTimed
        ? { start: { ...time(start, "the start"), date: null }, end: { ...time(end, "the end"), date: null } }
        : { start: { date: day(start), dateTime: null }, end: { date: day(next(start)), dateTime: null } };
      return CalendarEvent.patch(this, { ...times, recurrence: kit.recurrence(recurrence, isTimed) });
    }
  }

  class Calendar extends kit.PlatformObject {
    #calendar;
    constructor(calendar) { super(); this.#calendar = calendar; }
    getId() { return this.#calendar.id; }
    getName() { return this.#calendar.summary ?? ""; }
    getTimeZone() { return this.#calendar.time_zone ?? kit.program.timeZone; }
    isMyPrimaryCalendar() { return this.#calendar.primary === true; }
    isOwnedByMe() { return this.#calendar.owned === true || this.isMyPrimaryCalendar(); }
    getDescription() { return this.#calendar.description ?? ""; }
    #insert(event, options, Kind = CalendarEvent) {
      const send = Boolean(options?.sendInvites);
      const made = call("events.insert", { calendar_id: this.getId(), event: { ...details(options), ...event }, send_invites: send });
      return new Kind(this.getId(), made);
    }
    createEventSeries(title, start, end, recurrence, options) {
      const event = {
        summary: text(title, "the title"), start: time(start, "the start"), end: time(end, "the end"),
        recurrence: kit.recurrence(recurrence, true),
      };
      return this.#insert(event, options, CalendarEventSeries);
    }
    createAllDayEventSeries(title, start, recurrence, options) {
      const event = {
        summary: text(title, "the title"), start: { date: day(start) }, end: { date: day(next(start)) },
        recurrence: kit.recurrence(recurrence, false),
      };
      return this.#insert(event, options, CalendarEventSeries);
    }
    createEvent(title, start, end, options) {
      return this.#insert({ summary: text(title, "the title"), start: time(start, "the start"), end: time(end, "the end") }, options);
    }
    createAllDayEvent(title, start, end, options) {
      const until = kit.isDate(end) ? end : next(start);
      const rest = kit.isDate(end) ? options : (options ?? end);
      return this.#insert({ summary: text(title, "the title"), start: { date: day(start) }, end: { date: day(until) } }, rest);
    }
    createEventFromDescription(description) {
      const made = call("events.quick_add", { calendar_id: this.getId(), text: text(description, "the description") });
      return new CalendarEvent(this.getId(), made);
    }
    getEvents(start, end, options = {}) {
      const found = call("events.list", {
        calendar_id: this.getId(), time_min: time(start, "the start").dateTime, time_max: time(end, "the end").dateTime,
        query: options.search === undefined ? null : String(options.search),
      });
      const { author, statusFilters, start: from = 0, max } = options;
      const fits = (event) =>
        (author === undefined || isSame(event.getCreators()[0], author)) &&
        (statusFilters === undefined || statusFilters.includes(event.getMyStatus()));
      const events = found.map((event) => new CalendarEvent(this.getId(), event)).filter(fits);
      return events.slice(from, max === undefined ? undefined : from + max);
    }
    getEventsForDay(date, options) {
      const start = midnight(day(date));
      return this.getEvents(start, midnight(day(new Date(start.getTime() + 129_600_000))), options);
    }
    #find(id, Kind) {
      const event = call("events.get", { calendar_id: this.getId(), event_id: text(id, "the id").replace(/@.*$/, "") });
      return event === null ? null : new Kind(this.getId(), event);
    }
    getEventById(id) { return this.#find(id, CalendarEvent); }
    getEventSeriesById(id) { return this.#find(id, CalendarEventSeries); }
  }

  let all;
  const calendars = () => (all ??= call("calendars.list").map((calendar) => new Calendar(calendar)));
  class CalendarApp extends kit.PlatformObject {
    GuestStatus = kit.names("INVITED", "MAYBE", "NO", "OWNER", "YES");
    Visibility = Visibility;
    EventTransparency = EventTransparency;
    EventColor = Object.freeze({
      PALE_BLUE: "1", PALE_GREEN: "2", MAUVE: "3", PALE_RED: "4", YELLOW: "5", ORANGE: "6", CYAN: "7", GRAY: "8", BLUE: "9",
      GREEN: "10", RED: "11",
    });
    EventType = kit.names("DEFAULT", "BIRTHDAY", "FOCUS_TIME", "FROM_GMAIL", "OUT_OF_OFFICE", "WORKING_LOCATION");
    Month = kit.names(
      "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
    );
    Weekday = kit.names("SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY");
    newRecurrence() { return kit.newRecurrence(); }
    getAllCalendars() { return [...calendars()]; }
    getAllOwnedCalendars() { return calendars().filter((calendar) => calendar.isOwnedByMe()); }
    getDefaultCalendar() {
      return calendars().find((calendar) => calendar.isMyPrimaryCalendar()) ?? kit.fail("no default calendar found");
    }
    getCalendarById(id) { return calendars().find((calendar) => calendar.getId() === String(id)) ?? null; }
    getOwnedCalendarById(id) { return this.getAllOwnedCalendars().find((calendar) => calendar.getId() === String(id)) ?? null; }
    getCalendarsByName(name) { return calendars().filter((calendar) => calendar.getName() === String(name)); }
    getOwnedCalendarsByName(name) { return this.getAllOwnedCalendars().filter((calendar) => calendar.getName() === String(name)); }
  }
  // The methods of the default calendar are also on CalendarApp.
  for (const name of Object.getOwnPropertyNames(Calendar.prototype)) {
    if (name === "constructor" || name in CalendarApp.prototype) continue;
    CalendarApp.prototype[name] = function (...values) {
      return this.getDefaultCalendar()[name](...values);
    };
  }
  kit.define("CalendarApp", new CalendarApp());
})
