// PropertiesService, CacheService, LockService and Session.
(function (kit) {
  const { call, text } = kit;

  const texts = (record, what) =>
    Object.fromEntries(Object.entries(record ?? kit.fail(`${what} is missing`)).map(([key, value]) => [key, text(value, key)]));

  class Properties extends kit.PlatformObject {
    #scope;
    constructor(scope) { super(); this.#scope = scope; }
    #call(method, values) { return call("properties", method, { scope: this.#scope, ...values }); }
    getProperty(key) { return this.#call("get", { key: text(key, "the key") }); }
    getProperties() { return this.#call("get_all"); }
    getKeys() { return Object.keys(this.#call("get_all")); }
    setProperty(key, value) {
      return this.setProperties({ [text(key, "the key")]: text(value, "the value") });
    }
    setProperties(properties, deleteAllOthers = false) {
      this.#call("set_all", { properties: texts(properties, "the properties"), delete_others: Boolean(deleteAllOthers) });
      return this;
    }
    deleteProperty(key) { this.#call("delete", { key: text(key, "the key") }); return this; }
    deleteAllProperties() { this.#call("delete_all"); return this; }
  }
  class PropertiesService extends kit.PlatformObject {
    getScriptProperties() { return new Properties("script"); }
    getUserProperties() { return new Properties("user"); }
    getDocumentProperties() { return null; }
  }
  kit.define("PropertiesService", new PropertiesService());

  class Cache extends kit.PlatformObject {
    #scope;
    constructor(scope) { super(); this.#scope = scope; }
    #call(method, values) { return call("cache", method, { scope: this.#scope, ...values }); }
    get(key) {
      const name = text(key, "the key");
      const found = this.getAll([name]);
      return Object.hasOwn(found, name) ? found[name] : null;
    }
    getAll(keys) { return this.#call("get_all", { keys: Array.from(keys, (key) => text(key, "a key")) }); }
    put(key, value, seconds) { this.putAll({ [text(key, "the key")]: value }, seconds); }
    putAll(values, seconds = 600) {
      const time = Math.trunc(Number(seconds));
      if (!(time >= 1 && time <= 21_600)) kit.fail("a cached value must expire after 1 to 21600 seconds");
      this.#call("put_all", { values: texts(values, "the values"), seconds: time });
    }
    remove(key) { this.removeAll([key]); }
    removeAll(keys) { this.#call("remove_all", { keys: Array.from(keys, (key) => text(key, "a key")) }); }
  }
  class CacheService extends kit.PlatformObject {
    getScriptCache() { return new Cache("script"); }
    getUserCache() { return new Cache("user"); }
    getDocumentCache() { return null; }
  }
  kit.define("CacheService", new CacheService());

  class Lock extends kit.PlatformObject {
    #scope;
    #held = false;
    constructor(scope) { super(); this.#scope = scope; }
    tryLock(milliseconds) {
      const time = Math.trunc(Number(milliseconds));
      if (!(time >= 0)) kit.fail("tryLock: the time must be a number of milliseconds");
      this.#held ||= call("locks", "acquire", { scope: this.#scope, milliseconds: time }) === true;
      return this.#held;
    }
    waitLock(milliseconds) {
      if (!this.tryLock(milliseconds)) kit.fail("Lock timeout: another process was holding the lock for too long.");
    }
    hasLock() { return this.#held; }
    releaseLock() {
      if (this.#held) call("locks", "release", { scope: this.#scope });
      this.#held = false;
    }
  }
  // Each scope has one lock, which is held by the run.
  const locks = { script: new Lock("script"), user: new Lock("user") };
  class LockService extends kit.PlatformObject {
    getScriptLock() { return locks.script; }
    getUserLock() { return locks.user; }
    getDocumentLock() { return null; }
  }
  kit.define("LockService", new LockService());

  class User extends kit.PlatformObject {
    #email;
    constructor(email) { super(); this.#email = email; }
    getEmail() { return this.#email; }
    getUserLoginId() { return this.#email; }
    toString() { return this.#email; }
  }
  let known;
  const session = () => (known ??= call("session", "get"));
  class Session extends kit.PlatformObject {
    getActiveUser() { return new User(session().active_user ?? ""); }
    getEffectiveUser() { return new User(session().effective_user ?? ""); }
    getActiveUserLocale() { return session().locale ?? "en"; }
    getTemporaryActiveUserKey() { return session().temporary_key ?? ""; }
    getScriptTimeZone() { return kit.program.timeZone; }
    getTimeZone() { return kit.program.timeZone; }
  }
  kit.define("Session", new Session());
})
