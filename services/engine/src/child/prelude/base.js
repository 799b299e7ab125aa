// What the other parts share. `kit` is not reachable for scripts; what a part needs of the engine it takes before any
// script can replace it.
(function (kit) {
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const tag = uncurry(Object.prototype.toString);
  const slice = uncurry(String.prototype.slice);
  const setHas = uncurry(Set.prototype.has);

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
})
