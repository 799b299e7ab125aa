// CalendarApp.newRecurrence: recurrence rules of a series (RFC 5545).
(function (kit) {
  const months = [
    "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
  ];
  const weekdays = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

  const list = (value) => (Array.isArray(value) ? value : [value]);
  const whole = (value, what, from, to) => {
    const number = Number(value);
    const fits = Number.isInteger(number) && number >= from && number <= to;
    return fits ? number : kit.fail(`${what} must be an integer from ${from} to ${to}`);
  };
  const day = (value) =>
    weekdays.includes(value) ? value.slice(0, 2) : kit.fail("a day of the week must be a value of CalendarApp.Weekday");
  const month = (value) =>
    months.includes(value) ? months.indexOf(value) + 1 : kit.fail("a month must be a value of CalendarApp.Month");

  /** Formats a date for a line of a recurrence: in UTC, or as the day in the time zone of the program. */
  const stamp = (date, isTimed) =>
    isTimed
      ? date.toISOString().replace(/[-:]|\.\d+/g, "")
      : Utilities.formatDate(date, kit.program.timeZone, "yyyyMMdd");

  /** Common base of a recurrence and its rules: new rules are added to the recurrence. */
  class EventRecurrence extends kit.PlatformObject {
    #lines;
    #zone = null;
    constructor(lines = []) { super(); this.#lines = lines; }
    #rule(frequency) {
      const parts = { FREQ: frequency };
      this.#lines.push((isTimed) => `RRULE:${Object.entries(parts).map(([name, value]) => `${name}=${show(value, isTimed)}`).join(";")}`);
      return new RecurrenceRule(this.#lines, parts);
    }
    addDailyRule() { return this.#rule("DAILY"); }
    addWeeklyRule() { return this.#rule("WEEKLY"); }
    addMonthlyRule() { return this.#rule("MONTHLY"); }
    addYearlyRule() { return this.#rule("YEARLY"); }
    #date(name, date) {
      kit.date(date, "the date");
      this.#lines.push((isTimed) => `${name}${isTimed ? "" : ";VALUE=DATE"}:${stamp(date, isTimed)}`);
      return this;
    }
    addDate(date) { return this.#date("RDATE", date); }
    addDateExclusion(date) { return this.#date("EXDATE", date); }
    static lines(recurrence, isTimed) { return recurrence.#lines.map((line) => line(isTimed)); }
  }
  const show = (value, isTimed) => (kit.isDate(value) ? stamp(value, isTimed) : String(value));

  class RecurrenceRule extends EventRecurrence {
    #parts;
    constructor(lines, parts) { super(lines); this.#parts = parts; }
    #set(name, value) { this.#parts[name] = value; return this; }
    interval(number) { return this.#set("INTERVAL", whole(number, "the interval", 1, 1000)); }
    times(number) { return this.#set("COUNT", whole(number, "the number of times", 1, 10_000)); }
    until(date) { return this.#set("UNTIL", kit.date(date, "the end")); }
    onlyOnWeekday(value) { return this.onlyOnWeekdays([value]); }
    onlyOnWeekdays(values) { return this.#set("BYDAY", list(values).map(day).join()); }
    onlyOnMonthDay(value) { return this.onlyOnMonthDays([value]); }
    onlyOnMonthDays(values) {
      return this.#set("BYMONTHDAY", list(values).map((one) => whole(one, "the day of the month", -31, 31)).join());
    }
    onlyInMonth(value) { return this.onlyInMonths([value]); }
    onlyInMonths(values) { return this.#set("BYMONTH", list(values).map(month).join()); }
    onlyOnWeek(value) { return this.onlyOnWeeks([value]); }
    onlyOnWeeks(values) { return this.#set("BYWEEKNO", list(values).map((one) => whole(one, "the week", -53, 53)).join()); }
    onlyOnYearDay(value) { return this.onlyOnYearDays([value]); }
    onlyOnYearDays(values) {
      return this.#set("BYYEARDAY", list(values).map((one) => whole(one, "the day of the year", -366, 366)).join());
    }
    weekStartsOn(value) { return this.#set("WKST", day(value)); }
  }

  kit.newRecurrence = () => new EventRecurrence();
  /** Returns the lines of a recurrence for the API. */
  kit.recurrence = (recurrence, isTimed) =>
    recurrence instanceof EventRecurrence
      ? EventRecurrence.lines(recurrence, isTimed)
      : kit.fail("the recurrence must be created by CalendarApp.newRecurrence()");
})
