// Numbers and dates in the format of the United States: the engine has no data of other locales.
(function (kit) {
  const { native } = kit;
  const define = (target, name, value) =>
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  const signs = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥" };
  const { abs, max } = Math;

  const digits = (value, { minimumFractionDigits, maximumFractionDigits, useGrouping = true }, usual) => {
    const least = minimumFractionDigits ?? usual[0];
    const text = value.toFixed(maximumFractionDigits ?? max(least, usual[1]));
    // A number that is too long for digits stays unchanged.
    if (!/^[\d.]+$/.test(text)) return text;
    let [whole, fraction = ""] = text.split(".");
    while (fraction.length > least && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
    if (useGrouping) whole = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
    return fraction === "" ? whole : `${whole}.${fraction}`;
  };
  const formatNumber = (number, options = {}) => {
    const { style = "decimal", currency = "" } = options;
    if (Number.isNaN(number)) return "NaN";
    const value = abs(style === "percent" ? number * 100 : number);
    const cents = currency === "JPY" ? 0 : 2;
    const usual = style === "currency" ? [cents, cents] : [0, style === "percent" ? 0 : 3];
    const text = value === Infinity ? "∞" : digits(value, options, usual);
    const before = style === "currency" ? (signs[currency] ?? `${currency}\u00a0`) : "";
    return `${number < 0 ? "-" : ""}${before}${text}${style === "percent" ? "%" : ""}`;
  };

  const dateStyles = { full: "EEEE, MMMM d, yyyy", long: "MMMM d, yyyy", medium: "MMM d, yyyy", short: "M/d/yy" };
  const timeStyles = { full: "h:mm:ss a zzzz", long: "h:mm:ss a z", medium: "h:mm:ss a", short: "h:mm a" };
  const letters = (letter, width, long) =>
    width === "long" ? letter.repeat(4) : width === "short" ? letter.repeat(3) : width === "2-digit" ? letter.repeat(2) : long ?? letter;

  const datePattern = ({ weekday, year, month, day }) => {
    const name = weekday && letters("E", weekday, "EEE");
    const parts = { month: month && letters("M", month), day: day && letters("d", day), year: year && (year === "2-digit" ? "yy" : "yyyy") };
    const isNamed = month === "long" || month === "short";
    const monthAndDay = [parts.month, parts.day].filter(Boolean).join(isNamed ? " " : "/");
    const between = isNamed ? (parts.day ? ", " : " ") : "/";
    return [name, [monthAndDay, parts.year].filter(Boolean).join(between)].filter(Boolean).join(", ");
  };
  const timePattern = ({ hour, minute, second, hour12 = true, timeZoneName }) => {
    const parts = [hour && (hour12 ? letters("h", hour) : "HH"), minute && "mm", second && "ss"].filter(Boolean);
    return [parts.join(":"), hour && hour12 && "a", timeZoneName && "z"].filter(Boolean).join(" ");
  };
  const numeric = (...names) => Object.fromEntries(names.map((name) => [name, "numeric"]));
  const hasOne = (options, ...names) => names.some((name) => options[name] !== undefined);

  /** Formats a date; `date` and `time` are the parts shown by default if no options select any. */
  const formatDate = (date, given = {}, { date: withDate, time: withTime }) => {
    const time = date.getTime();
    if (Number.isNaN(time)) return "Invalid Date";
    const zone = given.timeZone ?? kit.program.timeZone;
    const styled = hasOne(given, "dateStyle", "timeStyle");
    let pattern;
    if (styled) {
      pattern = [dateStyles[given.dateStyle], timeStyles[given.timeStyle]].filter(Boolean).join(", ");
    } else {
      const hasDate = hasOne(given, "weekday", "year", "month", "day"), hasTime = hasOne(given, "hour", "minute", "second");
      const adds = (own, other) => own && !(withDate && withTime && other);
      const options = {
        ...(!hasDate && adds(withDate, hasTime) ? numeric("year", "month", "day") : {}),
        ...(!hasTime && adds(withTime, hasDate) ? numeric("hour", "minute", "second") : {}),
        ...given,
      };
      pattern = [datePattern(options), timePattern(options)].filter(Boolean).join(", ");
    }
    const text = native.formatDate(time, zone, pattern);
    if (text === undefined || text === null) throw new RangeError(`Invalid time zone specified: ${zone}`);
    return text;
  };

  const both = { date: true, time: true };
  define(Number.prototype, "toLocaleString", function toLocaleString(_, options) {
    return formatNumber(this.valueOf(), options);
  });
  define(Date.prototype, "toLocaleString", function toLocaleString(_, options) { return formatDate(this, options, both); });
  define(Date.prototype, "toLocaleDateString", function toLocaleDateString(_, options) {
    return formatDate(this, options, { date: true });
  });
  define(Date.prototype, "toLocaleTimeString", function toLocaleTimeString(_, options) {
    return formatDate(this, options, { time: true });
  });

  class NumberFormat {
    #options;
    constructor(_, options = {}) { this.#options = options; }
    format(number) { return formatNumber(Number(number), this.#options); }
    resolvedOptions() { return { locale: "en-US", numberingSystem: "latn", style: "decimal", ...this.#options }; }
  }
  class DateTimeFormat {
    #options;
    constructor(_, options = {}) { this.#options = options; }
    format(date = new Date()) { return formatDate(kit.isDate(date) ? date : new Date(date), this.#options, { date: true }); }
    resolvedOptions() {
      return { locale: "en-US", calendar: "gregory", numberingSystem: "latn", timeZone: kit.program.timeZone, ...this.#options };
    }
  }
  kit.define("Intl", { NumberFormat, DateTimeFormat });
})
