// Dates in the time zone of the program; the engine itself only knows UTC.
(function (kit) {
  const { native } = kit;
  const Utc = Date;
  const proto = Utc.prototype;
  const { getTime, setTime } = proto;
  const now = Utc.now;
  const minute = 60_000;
  const offset = (time) => (native.zoneOffset(time, kit.program.timeZone) ?? 0) * minute;
  const toLocal = (time) => time + (Number.isNaN(time) ? 0 : offset(time));
  /** Returns the instant of a local time; in a gap, the time after it. */
  const toInstant = (local) => {
    if (!Number.isFinite(local)) return NaN;
    // The first of two instants has the offset from before the change, as does a time in a gap.
    const before = local - offset(local - 86_400_000);
    const after = local - offset(local + 86_400_000);
    return before + offset(before) !== local && after + offset(after) === local ? after : before;
  };

  const hasZone = /(?:Z|[+-]\d\d:?\d\d|\b(?:GMT|UTC?|[ECMP][SD]T))\s*(?:\([^)]*\))?$/i;
  const parse = (text) => {
    const time = Utc.parse(text);
    const isDate = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/.test(text);
    return isDate || hasZone.test(String(text).trim()) ? time : toInstant(time);
  };

  const patch = () => {
    for (const part of ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"]) {
      const [get, set] = [proto[`getUTC${part}`], proto[`setUTC${part}`]];
      proto[`get${part}`] = { [`get${part}`]() { return get.call(new Utc(toLocal(getTime.call(this)))); } }[`get${part}`];
      if (!set) continue;
      proto[`set${part}`] = {
        [`set${part}`](...values) {
          const local = new Utc(toLocal(getTime.call(this)));
          set.apply(local, values);
          return setTime.call(this, toInstant(getTime.call(local)));
        },
      }[`set${part}`];
    }
    const show = (pattern) =>
      function () {
        const time = getTime.call(this);
        return Number.isNaN(time) ? "Invalid Date" : native.formatDate(time, kit.program.timeZone, pattern);
      };
    const shown = {
      toString: "EEE MMM dd yyyy HH:mm:ss 'GMT'Z (z)", toDateString: "EEE MMM dd yyyy", toTimeString: "HH:mm:ss 'GMT'Z (z)",
    };
    for (const [name, pattern] of Object.entries(shown)) {
      Object.defineProperty(proto, name, { value: show(pattern), writable: true, configurable: true });
    }
    proto.getTimezoneOffset = function getTimezoneOffset() {
      const time = getTime.call(this);
      return Number.isNaN(time) ? NaN : -offset(time) / minute;
    };
    for (const name of Object.getOwnPropertyNames(proto)) {
      Object.defineProperty(proto, name, { enumerable: false });
    }
  };

  kit.useLocalDates = () => {
    patch();
    const Local = function Date(...values) {
      if (!new.target) return new Local().toString();
      // The clock of the services, which tests move, differs from the machine's.
      let args = values.length === 0 ? [now()] : values;
      if (values.length === 1 && typeof values[0] === "string") args = [parse(values[0])];
      if (values.length > 1) {
        const local = Utc.UTC(...values);
        args = [toInstant(local)];
      }
      return Reflect.construct(Utc, args, new.target);
    };
    Object.defineProperty(Local, "length", { value: 7 });
    Object.defineProperty(Local, "prototype", { value: proto, writable: false });
    for (const [name, value] of [["now", now], ["UTC", Utc.UTC], ["parse", parse]]) {
      Object.defineProperty(Local, name, { value, writable: true, configurable: true });
    }
    proto.constructor = Local;
    kit.define("Date", Local);
  };
})
