// console and Logger.
(function (kit) {
  const { native } = kit;
  const lines = [];

  /** Replaces values that JSON cannot represent, for a log. */
  const replace = (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function") return `[Function: ${value.name || "anonymous"}]`;
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set) return [...value];
    if (value instanceof Error) return String(value);
    return value;
  };

  /** Formats a value for a line of a log. */
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Map || value instanceof Set) return `${value.constructor.name} ${show(replace("", value))}`;
    if (typeof value === "function") return `[Function: ${value.name || "anonymous"}]`;
    if (value instanceof Error) return value.stack ? `${value}\n${value.stack}`.trimEnd() : String(value);
    if (typeof value === "object" && value !== null && !kit.classOf(value)) {
      try {
        return JSON.stringify(value, replace) ?? String(value);
      } catch {
        return "[Circular]";
      }
    }
    return String(value);
  };

  /** Formats values, the first of which may be a format string (%s, %d, %i, %f, %j, %o). */
  const format = (values) => {
    let [first, ...rest] = values;
    if (typeof first === "string" && rest.length > 0) {
      first = first.replace(/%([sdifjoO%])/g, (whole, kind) => {
        if (kind === "%") return "%";
        if (rest.length === 0) return whole;
        const value = rest.shift();
        if (kind === "d" || kind === "i") return String(Math.trunc(Number(value)));
        if (kind === "f") return String(Number(value));
        return show(value);
      });
    }
    return values.length === 0 ? "" : [first, ...rest].map(show).join(" ");
  };

  const write = (level) => (...values) => native.log(level, format(values).toWellFormed());
  const timers = new Map();
  const counts = new Map();
  const debug = write("debug");
  kit.define("console", {
    debug,
    log: write("info"),
    info: write("info"),
    warn: write("warning"),
    error: write("error"),
    trace: write("debug"),
    dir: (value) => write("info")(value),
    table: (value) => write("info")(value),
    group: write("info"),
    groupCollapsed: write("info"),
    groupEnd: () => {},
    clear: () => {},
    assert: (holds, ...values) => holds || native.log("error", `Assertion failed: ${format(values)}`.toWellFormed()),
    time: (label = "default") => void timers.set(label, Date.now()),
    timeEnd: (label = "default") => {
      if (timers.has(label)) debug(`${label}: ${Date.now() - timers.get(label)}ms`);
      timers.delete(label);
    },
    timeLog: (label = "default", ...values) => {
      if (timers.has(label)) debug(`${label}: ${Date.now() - timers.get(label)}ms`, ...values);
    },
    countReset: (label = "default") => void counts.delete(label),
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      debug(`${label}: ${counts.get(label)}`);
    },
  });

  class Logger extends kit.PlatformObject {
    log(...values) {
      const line = format(values).toWellFormed();
      native.log("info", line);
      lines.push(line);
      return this;
    }
    getLog() {
      return lines.map((line) => `${line}\n`).join("");
    }
    clear() {
      lines.length = 0;
    }
  }
  kit.define("Logger", new Logger());
})
