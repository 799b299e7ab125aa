// Shared helpers of the other parts. `kit` is not reachable for scripts. Changes that a script makes to the prototypes
// of the engine affect only itself: nothing here outlives its run.
(function (kit) {
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const tag = uncurry(Object.prototype.toString);
  const slice = uncurry(String.prototype.slice);
  const setHas = uncurry(Set.prototype.has);
  const { parse, stringify } = JSON;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const native = kit.native;
  const readTime = uncurry(Date.prototype.getTime);

  // A program and its libraries have separate globals and exchange objects, so their classes share one base.
  /** Object of the platform, which cannot be the result of a run. */
  const PlatformObject = (kit.shared.PlatformObject ??= class PlatformObject {
    #record = null;
    static is(value) {
      return typeof value === "object" && value !== null && #record in value;
    }
    /** Marks the record of an object as the output of a web app. */
    static output(object, record) {
      object.#record = record;
    }
    /** Returns the record of a web app's output, and any other value unchanged. */
    static webOutput(value) {
      return PlatformObject.is(value) && value.#record !== null ? { $output: value.#record() } : value;
    }
    toString() {
      return this.constructor.name;
    }
  });
  kit.PlatformObject = PlatformObject;
  const { is: isPlatformObject, output, webOutput } = PlatformObject;
  kit.output = output;
  kit.webOutput = webOutput;

  const refused = new Set([
    "Date", "RegExp", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "ArrayBuffer", "SharedArrayBuffer", "DataView",
    "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
    "BigInt64Array", "BigUint64Array", "Float16Array", "Float32Array", "Float64Array", "Generator", "AsyncGenerator",
    "Number", "String", "Boolean", "Symbol", "BigInt", "Promise",
  ]);

  /** Returns the class name of an object that is not a plain record, or "". */
  kit.classOf = (value) => {
    if (isPlatformObject(value)) return "a platform object";
    const name = slice(tag(value), 8, -1);
    return setHas(refused, name) ? "a " + name : "";
  };

  /** Error of the platform. */
  class Exception extends Error {}
  Object.defineProperty(Exception.prototype, "name", { value: "Exception", writable: true, configurable: true });
  kit.fail = (message) => {
    throw new Exception(message);
  };

  /** Calls the host. */
  kit.call = (service, method, values = {}) => {
    const result = parse(native.call(service, method, stringify(values)));
    if ("Err" in result) kit.fail(result.Err.message);
    return result.Ok;
  };

  const getters = new Map();

  /** Defines a global that scripts may replace, like those of the language. A replacement by a script stays. */
  kit.define = (name, value) => {
    const getter = getters.get(name);
    if (getter !== undefined && getter !== getOwnPropertyDescriptor(globalThis, name)?.get) return;
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  };

  const load = (part) => native.part(part)(kit);
  kit.load = load;
  /** Registers a part to be evaluated when a script first needs one of its globals. */
  const defer = (part, ...names) => {
    for (const name of names) {
      const get = () => {
        load(part);
        return globalThis[name];
      };
      const set = (value) =>
        defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
      getters.set(name, get);
      defineProperty(globalThis, name, { get, set, configurable: true, enumerable: false });
    }
  };
  defer("utilities", "Utilities", "MimeType");
  defer("services", "PropertiesService", "CacheService", "LockService", "Session");
  defer("triggers", "ScriptApp");
  defer("html", "HtmlService", "ContentService");
  defer("calendar", "CalendarApp");
  defer("mail", "GmailApp", "MailApp");
  defer("locale", "Intl");
  // Functions of the language that behave differently in the engine than scripts expect.
  const locales = [
    [Number.prototype, ["toLocaleString"]],
    [Date.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]],
  ];
  for (const [proto, names] of locales) {
    for (const name of names) {
      const first = { [name](...values) {
        load("locale");
        return proto[name].apply(this, values);
      } };
      defineProperty(proto, name, { value: first[name], writable: true, configurable: true, enumerable: false });
    }
  }

  /** Creates an enumeration: each value is its name. */
  kit.names = (...names) => Object.freeze(Object.fromEntries(names.map((name) => [name, name])));

  kit.text = (value, what) =>
    value === undefined || value === null ? kit.fail(`${what} is missing`) : String(value);
  /** Returns whether a value is a Date, including one of a library. */
  kit.isDate = (value) => {
    try {
      readTime(value);
      return true;
    } catch {
      return false;
    }
  };
  kit.date = (value, what) =>
    kit.isDate(value) && !Number.isNaN(readTime(value)) ? value : kit.fail(`${what} is not a valid Date`);

  kit.program = { timeZone: "UTC", scriptId: "", pages: {} };
  kit.begin = (timeZone, scriptId, pages, ahead) => {
    kit.program = { timeZone: timeZone || "UTC", scriptId, pages };
    if (ahead !== 0) {
      const now = Date.now;
      defineProperty(Date, "now", { value: () => now() + ahead, writable: true, configurable: true, enumerable: false });
    }
    const offset = native.zoneOffset(0, kit.program.timeZone);
    if (offset === undefined || offset === null) kit.fail(`unknown time zone ${timeZone}`);
    if (ahead === 0 && ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].includes(kit.program.timeZone)) return;
    load("date");
    kit.useLocalDates();
  };

  /** Returns midnight of a day in the time zone of the program. */
  kit.localDate = (year, month, day) => {
    const utc = Date.UTC(year, month - 1, day);
    const offset = (time) => (native.zoneOffset(time, kit.program.timeZone) ?? 0) * 60_000;
    return new Date(utc - offset(utc - offset(utc)));
  };
})
