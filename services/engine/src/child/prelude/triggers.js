// ScriptApp.
(function (kit) {
  const { call, text } = kit;
  const whole = (value, what, from, to) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < from || number > to) kit.fail(`${what} must be an integer from ${from} to ${to}`);
    return number;
  };

  class Trigger extends kit.PlatformObject {
    #trigger;
    constructor(trigger) { super(); this.#trigger = trigger; }
    getUniqueId() { return this.#trigger.id; }
    getHandlerFunction() { return this.#trigger.function; }
    getEventType() { return "CLOCK"; }
    getTriggerSource() { return "CLOCK"; }
    getTriggerSourceId() { return null; }
  }

  class ClockTriggerBuilder extends kit.PlatformObject {
    #function;
    #schedule = {};
    constructor(name) { super(); this.#function = name; }
    #set(values) { Object.assign(this.#schedule, values); return this; }
    // The host has the clock of the services.
    after(milliseconds) { return this.#set({ after: whole(milliseconds, "the delay", 0, 1e12) }); }
    at(date) { return this.#set({ at: kit.date(date, "the time of the trigger").getTime() }); }
    atDate(year, month, day) {
      return this.at(kit.localDate(whole(year, "the year", 1970, 9999), whole(month, "the month", 1, 12), whole(day, "the day", 1, 31)));
    }
    atHour(hour) { return this.#set({ hour: whole(hour, "the hour", 0, 23) }); }
    nearMinute(minute) { return this.#set({ minute: whole(minute, "the minute", 0, 59) }); }
    everyMinutes(n) {
      return [1, 5, 10, 15, 30].includes(n) ? this.#set({ every_minutes: n }) : kit.fail("everyMinutes: must be 1, 5, 10, 15 or 30");
    }
    everyHours(n) { return this.#set({ every_hours: whole(n, "the number of hours", 1, 24) }); }
    everyDays(n) { return this.#set({ every_days: whole(n, "the number of days", 1, 365) }); }
    everyWeeks(n) { return this.#set({ every_weeks: whole(n, "the number of weeks", 1, 52) }); }
    onWeekDay(day) {
      return WeekDay[day] ? this.#set({ weekday: day }) : kit.fail("onWeekDay: must be a value of ScriptApp.WeekDay");
    }
    onMonthDay(day) { return this.#set({ month_day: whole(day, "the day of the month", 1, 31) }); }
    inTimezone(zone) { return this.#set({ time_zone: text(zone, "the time zone") }); }
    create() {
      const schedule = { time_zone: kit.program.timeZone, ...this.#schedule };
      const kinds = ["at", "after", "every_minutes", "every_hours", "every_days", "weekday", "month_day"];
      if (kinds.filter((kind) => kind in schedule).length !== 1) kit.fail("a time-based trigger requires exactly one kind of schedule");
      return new Trigger(call("triggers", "create", { function: this.#function, schedule }));
    }
  }

  class TriggerBuilder extends kit.PlatformObject {
    #function;
    constructor(name) { super(); this.#function = name; }
    timeBased() { return new ClockTriggerBuilder(this.#function); }
  }

  /** Web app of the script. */
  class Service extends kit.PlatformObject {
    getUrl() { return call("session", "web_app_url"); }
    isEnabled() { return this.getUrl() !== null; }
  }

  const WeekDay = kit.names("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY");
  class ScriptApp extends kit.PlatformObject {
    WeekDay = WeekDay;
    AuthMode = kit.names("CUSTOM_FUNCTION", "FULL", "LIMITED", "NONE");
    EventType = kit.names("CLOCK");
    TriggerSource = kit.names("CLOCK");
    newTrigger(name) { return new TriggerBuilder(text(name, "the function")); }
    getProjectTriggers() { return call("triggers", "list").map((trigger) => new Trigger(trigger)); }
    getUserTriggers() { return this.getProjectTriggers(); }
    deleteTrigger(trigger) { call("triggers", "delete", { id: trigger.getUniqueId() }); }
    getService() { return new Service(); }
    getScriptId() { return kit.program.scriptId; }
  }
  kit.define("ScriptApp", new ScriptApp());
})
