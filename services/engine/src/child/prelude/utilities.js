// Utilities and blobs.
(function (kit) {
  const { native } = kit;

  /** Bytes of a text, of an array of bytes, or of a blob. */
  const bytesOf = (value, what = "the value") => {
    if (value instanceof Blob) return value.getBytes();
    if (Array.isArray(value)) return value.map((byte) => (Number(byte) << 24) >> 24);
    return native.toBytes(kit.text(value, what).toWellFormed());
  };
  kit.bytesOf = bytesOf;

  class Blob extends kit.PlatformObject {
    #bytes;
    #type;
    #name;
    constructor(data, type, name) {
      super();
      this.#bytes = bytesOf(data, "the data of the blob");
      this.#type = type ?? (typeof data === "string" ? "text/plain" : null);
      this.#name = name ?? null;
    }
    getBytes() { return [...this.#bytes]; }
    setBytes(bytes) { this.#bytes = bytesOf(bytes); return this; }
    getDataAsString() { return native.toText(this.#bytes); }
    setDataFromString(text) { this.#bytes = bytesOf(String(text)); return this; }
    getContentType() { return this.#type; }
    setContentType(type) { this.#type = type; return this; }
    getName() { return this.#name; }
    setName(name) { this.#name = name; return this; }
    copyBlob() { return new Blob(this.#bytes, this.#type, this.#name); }
    getBlob() { return this; }
    isGoogleType() { return false; }
  }

  /** Formats as printf: %s, %d, %f, %e, %x, %o, %c, %j and %%, with flags, width and precision. */
  const formatString = (template, ...values) =>
    String(template).replace(/%(?:%|([-+0 ]*)(\d+)?(?:\.(\d+))?([sdifeExXocj]))/g, (whole, flags, width, precision, kind) => {
      if (whole === "%%") return "%";
      if (values.length === 0) kit.fail(`formatString: no value for ${whole}`);
      const value = values.shift();
      const number = Number(value);
      let text;
      switch (kind) {
        case "d": case "i": text = Number.isFinite(number) ? Math.trunc(number).toString() : String(number); break;
        case "f": text = number.toFixed(Math.min(precision ?? 6, 100)); break;
        case "e": case "E": text = number.toExponential(Math.min(precision ?? 6, 100)); break;
        case "x": text = Math.trunc(number).toString(16); break;
        case "X": text = Math.trunc(number).toString(16).toUpperCase(); break;
        case "o": text = Math.trunc(number).toString(8); break;
        case "c": text = String.fromCodePoint(number); break;
        case "j": text = JSON.stringify(value); break;
        default: text = precision === undefined ? String(value) : String(value).slice(0, precision);
      }
      const numeric = "difeExXo".includes(kind);
      if (numeric && number >= 0 && flags.includes("+")) text = `+${text}`;
      else if (numeric && number >= 0 && flags.includes(" ")) text = ` ${text}`;
      if (flags.includes("-")) return text.padEnd(width ?? 0);
      if (!numeric || !flags.includes("0")) return text.padStart(width ?? 0);
      const sign = /^[-+ ]/.test(text) ? text[0] : "";
      return sign + text.slice(sign.length).padStart((width ?? 0) - sign.length, "0");
    });

  const parseCsv = (text, delimiter = ",") => {
    const source = kit.text(text, "the text");
    if (String(delimiter).length !== 1) kit.fail("parseCsv: the delimiter is one character");
    const rows = [];
    let row = [], cell = "", index = 0;
    const endCell = () => { row.push(cell); cell = ""; };
    const endRow = () => { endCell(); rows.push(row); row = []; };
    while (index < source.length) {
      const one = source[index];
      if (one === '"' && cell === "") {
        for (index++; index < source.length; index++) {
          if (source[index] === '"' && source[index + 1] === '"') index++;
          else if (source[index] === '"') break;
          cell += source[index];
        }
        if (index >= source.length) kit.fail("parseCsv: a quoted cell has no end");
      } else if (one === delimiter) endCell();
      else if (one === "\n" || one === "\r") {
        if (one === "\r" && source[index + 1] === "\n") index++;
        endRow();
      } else cell += one;
      index++;
    }
    if (cell !== "" || row.length > 0) endRow();
    return rows;
  };

  const decode = (text, webSafe) =>
    native.base64Decode(kit.text(text, "the text").toWellFormed(), webSafe) ?? kit.fail("the text is not valid base64");
  const hmac = (algorithm, value, key) =>
    native.hmac(String(algorithm), bytesOf(key, "the key"), bytesOf(value)) ?? kit.fail(`unknown algorithm ${algorithm}`);

  class Utilities extends kit.PlatformObject {
    Charset = kit.names("US_ASCII", "UTF_8");
    DigestAlgorithm = kit.names("MD5", "SHA_1", "SHA_224", "SHA_256", "SHA_384", "SHA_512");
    MacAlgorithm = kit.names("HMAC_MD5", "HMAC_SHA_1", "HMAC_SHA_256", "HMAC_SHA_384", "HMAC_SHA_512");
    sleep(milliseconds) {
      const time = Number(milliseconds);
      if (!(time >= 0 && time <= 300_000)) kit.fail("sleep: the time is 0 to 300000 milliseconds");
      native.sleep(time);
    }
    formatDate(date, timeZone, format) {
      const time = kit.date(date, "the date").getTime();
      const text = native.formatDate(time, kit.text(timeZone, "the time zone"), kit.text(format, "the format"));
      return text ?? kit.fail(`unknown time zone ${timeZone}`);
    }
    formatString(template, ...values) { return formatString(template, ...values); }
    base64Encode(value) { return native.base64Encode(bytesOf(value), false); }
    base64EncodeWebSafe(value) { return native.base64Encode(bytesOf(value), true); }
    base64Decode(text) { return decode(text, false); }
    base64DecodeWebSafe(text) { return decode(text, true); }
    computeDigest(algorithm, value) {
      return native.digest(String(algorithm), bytesOf(value)) ?? kit.fail(`unknown algorithm ${algorithm}`);
    }
    computeHmacSignature(algorithm, value, key) { return hmac(algorithm, value, key); }
    computeHmacSha256Signature(value, key) { return hmac("HMAC_SHA_256", value, key); }
    getUuid() { return native.uuid(); }
    newBlob(data, contentType, name) { return new Blob(data, contentType, name); }
    parseCsv(text, delimiter) { return parseCsv(text, delimiter); }
    parseDate(text) { return kit.date(new Date(text), "the text"); }
    jsonParse(text) { return JSON.parse(text); }
    jsonStringify(value) { return JSON.stringify(value); }
  }
  kit.define("Utilities", new Utilities());
})
