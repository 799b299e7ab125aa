// CalendarApp: events are those of the calendar API.
(function (kit) {
  const { text } = kit;
  const call = (method, values) => kit.call("calendar", method, values);
  const day = (date) => Utilities.formatDate(kit.date(date, "the day"), kit.program.timeZone, "yyyy-MM-dd");
  const time = (date, what) => ({ dateTime: kit.date(date, what).toISOString(), timeZone: kit.program.timeZone });
  const midnight = (text) => kit.localDate(...text.split("-").map(Number));
  const next = (date) => new Date(kit.date(date, "the day").getTime() + 86_400_000);
  const moment = (value) => (value.dateTime ? new Date(value.dateTime) : midnight(value.date));

  /** The options of a new event as fields of the API. */
  const details = (options = {}) => {
    const event = {};
    if (options.description !== undefined) event.description = String(options.description);
    if (options.location !== undefined) event.location = String(options.location);
    if (options.guests) event.attendees = String(options.guests).split(",").map((guest) => ({ email: guest.trim() }));
    return event;
  };

  class EventGuest extends kit.PlatformObject {
    #guest;
    constructor(guest) { super(); this.#guest = guest; }
    getEmail() { return this.#guest.email; }
    getName() { return this.#guest.displayName ?? ""; }
    getGuestStatus() {
      const known = { accepted: "YES", declined: "NO", tentative: "MAYBE" };
      return known[this.#guest.responseStatus] ?? "INVITED";
    }
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
    isRecurringEvent() { return this.#event.recurringEventId !== undefined; }
    setTime(start, end) {
      return this.#patch({ start: { ...time(start, "the start"), date: null }, end: { ...time(end, "the end"), date: null } });
    }
    setAllDayDate(date) {
      return this.#patch({ start: { date: day(date), dateTime: null }, end: { date: day(next(date)), dateTime: null } });
    }
    getColor() { return this.#event.colorId ?? ""; }
    setColor(color) { return this.#patch({ colorId: text(color, "the color") }); }
    getCreators() { return this.#event.creator ? [this.#event.creator.email] : []; }
    getGuestList() { return (this.#event.attendees ?? []).filter((one) => !one.organizer).map((one) => new EventGuest(one)); }
    addGuest(email) {
      const attendees = this.#event.attendees ?? [];
      return this.#patch({ attendees: [...attendees, { email: text(email, "the address") }] });
    }
    removeGuest(email) {
      return this.#patch({ attendees: (this.#event.attendees ?? []).filter((one) => one.email !== email) });
    }
    getDateCreated() { return new Date(this.#event.created); }
    getLastUpdated() { return new Date(this.#event.updated); }
    getTag(key) { return this.#event.extendedProperties?.shared?.[key] ?? null; }
    setTag(key, value) {
      return this.#patch({ extendedProperties: { shared: { [text(key, "the key")]: text(value, "the value") } } });
    }
    getOriginalCalendarId() { return this.#event.organizer?.email ?? this.#calendar; }
    deleteEvent() { call("events.delete", { calendar_id: this.#calendar, event_id: this.#event.id }); }
  }

  class Calendar extends kit.PlatformObject {
    #calendar;
    constructor(calendar) { super(); this.#calendar = calendar; }
    getId() { return this.#calendar.id; }
    getName() { return this.#calendar.summary ?? ""; }
    getTimeZone() { return this.#calendar.time_zone ?? kit.program.timeZone; }
    isMyPrimaryCalendar() { return this.#calendar.primary === true; }
    isOwnedByMe() { return this.#calendar.owned === true || this.isMyPrimaryCalendar(); }
    #insert(event, options) {
      const send = Boolean(options?.sendInvites);
      const made = call("events.insert", { calendar_id: this.getId(), event: { ...details(options), ...event }, send_invites: send });
      return new CalendarEvent(this.getId(), made);
    }
    createEvent(title, start, end, options) {
      return this.#insert({ summary: text(title, "the title"), start: time(start, "the start"), end: time(end, "the end") }, options);
    }
    createAllDayEvent(title, start, end, options) {
      const until = end instanceof Date ? end : next(start);
      const rest = end instanceof Date ? options : (options ?? end);
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
      const from = options.start ?? 0;
      const events = found.slice(from, options.max === undefined ? undefined : from + options.max);
      return events.map((event) => new CalendarEvent(this.getId(), event));
    }
    getEventsForDay(date, options) {
      const start = midnight(day(date));
      return this.getEvents(start, midnight(day(new Date(start.getTime() + 129_600_000))), options);
    }
    getEventById(id) {
      const event = call("events.get", { calendar_id: this.getId(), event_id: text(id, "the id").replace(/@.*$/, "") });
      return event === null ? null : new CalendarEvent(this.getId(), event);
    }
  }

  let all;
  const calendars = () => (all ??= call("calendars.list").map((calendar) => new Calendar(calendar)));
  class CalendarApp extends kit.PlatformObject {
    GuestStatus = kit.names("INVITED", "MAYBE", "NO", "OWNER", "YES");
    getAllCalendars() { return [...calendars()]; }
    getAllOwnedCalendars() { return calendars().filter((calendar) => calendar.isOwnedByMe()); }
    getDefaultCalendar() {
      return calendars().find((calendar) => calendar.isMyPrimaryCalendar()) ?? kit.fail("there is no default calendar");
    }
    getCalendarById(id) { return calendars().find((calendar) => calendar.getId() === String(id)) ?? null; }
    getOwnedCalendarById(id) { return this.getAllOwnedCalendars().find((calendar) => calendar.getId() === String(id)) ?? null; }
    getCalendarsByName(name) { return calendars().filter((calendar) => calendar.getName() === String(name)); }
    getOwnedCalendarsByName(name) { return this.getAllOwnedCalendars().filter((calendar) => calendar.getName() === String(name)); }
  }
  // The default calendar answers for itself as well.
  for (const name of Object.getOwnPropertyNames(Calendar.prototype)) {
    if (name === "constructor" || name in CalendarApp.prototype) continue;
    CalendarApp.prototype[name] = function (...values) {
      return this.getDefaultCalendar()[name](...values);
    };
  }
  kit.define("CalendarApp", new CalendarApp());
})
