// Utilities and blobs.
(function (kit) {
  const { native } = kit;

  /** Returns the bytes of a string, of a byte array, or of a blob. */
  const bytesOf = (value, what = "the value") => {
    // Includes blobs of libraries, and objects with a blob, such as attachments of mail.
    if (kit.PlatformObject.is(value) && typeof value.getBytes === "function") return value.getBytes();
    if (ArrayBuffer.isView(value)) return Array.from(new Int8Array(value.buffer, value.byteOffset, value.byteLength));
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
    setContentTypeFromExtension() {
      const extension = /\.([^.]+)$/.exec(this.#name ?? "")?.[1].toLowerCase();
      return this.setContentType(extensions[extension] ?? null);
    }
    getAs(type) { return new Blob(this.#bytes, type, this.#name); }
    isGoogleType() { return false; }
  }

  const MimeType = Object.freeze({
    BMP: "image/bmp", CSS: "text/css", CSV: "text/csv", GIF: "image/gif", HTML: "text/html",
    JAVASCRIPT: "text/javascript", JPEG: "image/jpeg", JSON: "application/json",
    MICROSOFT_EXCEL: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    MICROSOFT_POWERPOINT: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    MICROSOFT_WORD: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    PDF: "application/pdf", PLAIN_TEXT: "text/plain", PNG: "image/png", RTF: "application/rtf", SVG: "image/svg+xml",
    ZIP: "application/zip",
  });
  const extensions = {
    bmp: MimeType.BMP, css: MimeType.CSS, csv: MimeType.CSV, gif: MimeType.GIF, htm: MimeType.HTML, html: MimeType.HTML,
    ics: "text/calendar", jpeg: MimeType.JPEG, jpg: MimeType.JPEG, js: MimeType.JAVASCRIPT, json: MimeType.JSON,
    gz: "application/x-gzip", pdf: MimeType.PDF, png: MimeType.PNG, svg: MimeType.SVG, txt: MimeType.PLAIN_TEXT,
    xml: "text/xml", zip: MimeType.ZIP,
  };

  /** Formats like printf: %s, %d, %f, %e, %x, %o, %c, %j and %%, with flags, width and precision. */
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
    if (String(delimiter).length !== 1) kit.fail("parseCsv: the delimiter must be one character");
    const rows = [];
    let row = [], cell = "", index = 0, quoted = false;
    const endCell = () => { row.push(cell); cell = ""; quoted = false; };
    const endRow = () => { endCell(); rows.push(row); row = []; };
    while (index < source.length) {
      const one = source[index];
      if (one === '"' && cell === "" && !quoted) {
        quoted = true;
        for (index++; index < source.length; index++) {
          if (source[index] === '"' && source[index + 1] === '"') index++;
          else if (source[index] === '"') break;
          cell += source[index];
        }
        if (index >= source.length) kit.fail("parseCsv: unterminated quoted cell");
      } else if (one === delimiter) endCell();
      else if (one === "\n" || one === "\r") {
        if (one === "\r" && source[index + 1] === "\n") index++;
        endRow();
      } else cell += one;
      index++;
    }
    if (cell !== "" || quoted || row.length > 0) endRow();
    return rows;
  };

  /** Units of a date by the letters of a pattern; `hour12` and `pm` together make an hour. */
  const units = {
    y: "year", M: "month", L: "month", d: "day", H: "hour", k: "hour", h: "hour12", K: "hour12", m: "minute", s: "second",
    S: "millisecond", a: "pm", E: "weekday", X: "offset", Z: "offset", z: "offset",
  };
  const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

  /** Parses one unit of a date at the start of a text: returns its length and its value. */
  const readUnit = (unit, length, rest, isBeforeDigits) => {
    const isName = (unit === "month" && length > 2) || unit === "weekday";
    const pattern = unit === "offset" ? /^(?:Z|(?:GMT|UTC)?[+-]\d\d?:?\d\d|GMT|UTC)/i
      : unit === "pm" ? /^[ap]m/i
      : isName ? /^[a-z]+/i
      : isBeforeDigits ? new RegExp(`^\\d{1,${length}}`) : /^\d+/;
    const text = pattern.exec(rest)?.[0];
    if (text === undefined) return undefined;
    if (unit === "offset") {
      const [, sign, hours, minutes] = /([+-])(\d\d?):?(\d\d)$/.exec(text) ?? [, "+", 0, 0];
      return [text.length, (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))];
    }
    if (unit === "pm") return [text.length, /^p/i.test(text)];
    if (unit === "weekday") return [text.length, null];
    if (isName) {
      const month = months.indexOf(text.slice(0, 3).toLowerCase()) + 1;
      return month === 0 ? undefined : [text.length, month];
    }
    const number = Number(text);
    return [text.length, unit === "year" && length === 2 ? (number < 70 ? 2000 : 1900) + number : number];
  };

  /** Parses a date by a pattern, in the format of formatDate. */
  const parseDate = (text, zone, format) => {
    const fail = () => kit.fail(`parseDate: ${text} is not a date of the form ${format}`);
    const tokens = format.match(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+/g) ?? [];
    const found = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
    let rest = text;
    tokens.forEach((token, at) => {
      const unit = units[token[0]];
      if (!/^[A-Za-z]/.test(token)) {
        const literal = token[0] === "'" ? (token.slice(1, -1).replaceAll("''", "'") || "'") : token;
        if (!rest.startsWith(literal)) fail();
        rest = rest.slice(literal.length);
        return;
      }
      if (unit === undefined) kit.fail(`parseDate: unknown letter ${token[0]}`);
      const [length, value] = readUnit(unit, token.length, rest, /^[yMdHhkKmsS]/.test(tokens[at + 1] ?? "")) ?? fail();
      found[unit] = value;
      rest = rest.slice(length);
    });
    if (found.hour12 !== undefined) found.hour = (found.hour12 % 12) + (found.pm ? 12 : 0);
    const { year, month, day, hour, minute, second, millisecond } = found;
    const local = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
    if (found.offset !== undefined) return new Date(local - found.offset * 60_000);
    const offset = (time) => (native.zoneOffset(time, zone) ?? kit.fail(`unknown time zone ${zone}`)) * 60_000;
    return new Date(local - offset(local - offset(local)));
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
      if (!(time >= 0 && time <= 300_000)) kit.fail("sleep: the time must be from 0 to 300000 milliseconds");
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
    parseDate(text, timeZone, format) {
      return parseDate(kit.text(text, "the text"), kit.text(timeZone, "the time zone"), kit.text(format, "the format"));
    }
    gzip(blob, name) {
      return new Blob(native.gzip(bytesOf(blob)), "application/x-gzip", name ?? `${blob?.getName?.() ?? "archive"}.gz`);
    }
    ungzip(blob) {
      const bytes = native.ungzip(bytesOf(blob)) ?? kit.fail("ungzip: the data is not gzip, or too long");
      return new Blob(bytes, null, String(blob?.getName?.() ?? "").replace(/\.gz$/i, "")).setContentTypeFromExtension();
    }
    jsonParse(text) { return JSON.parse(text); }
    jsonStringify(value) { return JSON.stringify(value); }
  }
  kit.define("Utilities", new Utilities());
  kit.define("MimeType", MimeType);
})
