// What the other parts share. `kit` is not reachable for scripts. Whatever a script does to the prototypes of the
// engine it does to itself: nothing here outlives its run.
(function (kit) {
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const tag = uncurry(Object.prototype.toString);
  const slice = uncurry(String.prototype.slice);
  const setHas = uncurry(Set.prototype.has);
  const { parse, stringify } = JSON;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const native = kit.native;

  /** An object of the platform: no result of a run. */
  class PlatformObject {
    #brand = true;
    static is(value) {
      return #brand in value;
    }
    toString() {
      return this.constructor.name;
    }
  }
  kit.PlatformObject = PlatformObject;
  const isPlatformObject = PlatformObject.is;

  const refused = new Set([
    "Date", "RegExp", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "ArrayBuffer", "SharedArrayBuffer", "DataView",
    "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
    "BigInt64Array", "BigUint64Array", "Float16Array", "Float32Array", "Float64Array", "Generator", "AsyncGenerator",
    "Number", "String", "Boolean", "Symbol", "BigInt", "Promise",
  ]);

  /** Names the class of an object that is no record of values, otherwise returns "". */
  kit.classOf = (value) => {
    if (isPlatformObject(value)) return "a platform object";
    const name = slice(tag(value), 8, -1);
    return setHas(refused, name) ? "a " + name : "";
  };

  /** An error of the platform. */
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

  /** Defines a global that scripts may replace, as those of the language. What a script has replaced stays. */
  kit.define = (name, value) => {
    const getter = getters.get(name);
    if (getter !== undefined && getter !== getOwnPropertyDescriptor(globalThis, name)?.get) return;
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  };

  const load = (part) => native.part(part)(kit);
  /** Has a part evaluated when a script first needs one of the globals that it defines. */
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
  defer("utilities", "Utilities");
  defer("services", "PropertiesService", "CacheService", "LockService", "Session");
  defer("triggers", "ScriptApp");
  defer("html", "HtmlService", "ContentService");
  defer("calendar", "CalendarApp");
  defer("mail", "GmailApp", "MailApp");

  /** An enumeration: each value is its name. */
  kit.names = (...names) => Object.freeze(Object.fromEntries(names.map((name) => [name, name])));

  kit.text = (value, what) =>
    value === undefined || value === null ? kit.fail(`${what} is missing`) : String(value);
  kit.date = (value, what) => {
    const time = value instanceof Date ? value.getTime() : NaN;
    return Number.isNaN(time) ? kit.fail(`${what} is not a valid Date`) : value;
  };

  kit.program = { timeZone: "UTC", scriptId: "", pages: {} };
  kit.begin = (timeZone, scriptId, pages) => {
    kit.program = { timeZone: timeZone || "UTC", scriptId, pages };
    const offset = native.zoneOffset(0, kit.program.timeZone);
    if (offset === undefined || offset === null) kit.fail(`unknown time zone ${timeZone}`);
    if (["UTC", "GMT", "Etc/UTC", "Etc/GMT"].includes(kit.program.timeZone)) return;
    load("date");
    kit.useLocalDates();
  };

  /** Midnight of a day in the time zone of the program. */
  kit.localDate = (year, month, day) => {
    const utc = Date.UTC(year, month - 1, day);
    const offset = (time) => (native.zoneOffset(time, kit.program.timeZone) ?? 0) * 60_000;
    return new Date(utc - offset(utc - offset(utc)));
  };

  /** The record of what a web app returns; replaced where pages are known. */
  kit.webOutput = (value) => value;
})
