// HtmlService and ContentService.
(function (kit) {
  const { text } = kit;
  // Code of templates runs in the global scope, like the files of the program.
  const evaluate = globalThis.eval;
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const escape = (value) => String(value).replace(/[&<>"']/g, (one) => escapes[one]);

  const page = (name) => {
    const key = text(name, "the name of the file").replace(/\.html$/, "");
    const source = kit.program.pages[key];
    return source ?? kit.fail(`No HTML file named ${key} was found.`);
  };

  class HtmlOutputMetaTag extends kit.PlatformObject {
    #tag;
    constructor(tag) { super(); this.#tag = tag; }
    getName() { return this.#tag.name; }
    getContent() { return this.#tag.content; }
  }

  class HtmlOutput extends kit.PlatformObject {
    #content;
    #title = null;
    #meta = [];
    #frame = "DEFAULT";
    #sizes = {};
    constructor(content) {
      super();
      this.#content = String(content ?? "");
      kit.output(this, () => ({
        kind: "html", content: this.#content, mime_type: "text/html", title: this.#title, meta: this.#meta,
        x_frame: this.#frame,
      }));
    }
    append(text) { this.#content += String(text); return this; }
    appendUntrusted(text) { this.#content += escape(text); return this; }
    setContent(text) { this.#content = String(text); return this; }
    getContent() { return this.#content; }
    clear() { this.#content = ""; return this; }
    setTitle(title) { this.#title = String(title); return this; }
    getTitle() { return this.#title; }
    getMetaTags() { return this.#meta.map((tag) => new HtmlOutputMetaTag(tag)); }
    addMetaTag(name, content) { this.#meta.push({ name: String(name), content: String(content) }); return this; }
    setXFrameOptionsMode(mode) { this.#frame = String(mode); return this; }
    setSandboxMode() { return this; }
    // These are for dialogs and tabs, which do not exist here.
    setWidth(width) { this.#sizes.width = width; return this; }
    getWidth() { return this.#sizes.width ?? null; }
    setHeight(height) { this.#sizes.height = height; return this; }
    getHeight() { return this.#sizes.height ?? null; }
    setFaviconUrl(url) { this.#sizes.icon = String(url); return this; }
    getFaviconUrl() { return this.#sizes.icon ?? null; }
    asTemplate() { return new HtmlTemplate(this.#content); }
    getBlob() { return Utilities.newBlob(this.#content, "text/html"); }
    getAs(type) { return Utilities.newBlob(this.#content, type); }
  }

  /** Returns the expression of a scriptlet without a trailing semicolon: `<?= name; ?>`. */
  const expression = (code) => code.replace(/[\s;]+$/, "");

  /** Returns the function body of a template and the names that it may use. */
  const compile = (source) => {
    const parts = source.split(/(<\?(?:!=|=)?[\s\S]*?\?>)/);
    return parts.map((part) => {
      if (part.startsWith("<?!=")) return `__write(${expression(part.slice(4, -2))}\n);`;
      if (part.startsWith("<?=")) return `__write(__escape(${expression(part.slice(3, -2))}\n));`;
      if (part.startsWith("<?")) return `${part.slice(2, -2)}\n`;
      return `__write(${JSON.stringify(part)});`;
    }).join("");
  };

  class HtmlTemplate extends kit.PlatformObject {
    #source;
    constructor(source) { super(); this.#source = source; }
    getRawContent() { return this.#source; }
    getCode() { return compile(this.#source); }
    evaluate() {
      const names = Object.keys(this);
      const code = `(function (__write, __escape, __values) { with (__values) { ${compile(this.#source)} } })`;
      const values = Object.assign(Object.create(null), ...names.map((name) => ({ [name]: this[name] })));
      let content = "";
      evaluate(code)((value) => { content += String(value ?? ""); }, (value) => escape(value ?? ""), values);
      return new HtmlOutput(content);
    }
  }

  class HtmlService extends kit.PlatformObject {
    SandboxMode = kit.names("EMULATED", "IFRAME", "NATIVE");
    XFrameOptionsMode = kit.names("ALLOWALL", "DEFAULT");
    createHtmlOutput(source) { return new HtmlOutput(source?.getDataAsString?.() ?? source); }
    createHtmlOutputFromFile(name) { return new HtmlOutput(page(name)); }
    createTemplate(source) { return new HtmlTemplate(String(source?.getDataAsString?.() ?? text(source, "the template"))); }
    createTemplateFromFile(name) { return new HtmlTemplate(page(name)); }
    getUserAgent() { return null; }
  }
  kit.define("HtmlService", new HtmlService());

  const MimeType = kit.names("ATOM", "CSV", "ICAL", "JAVASCRIPT", "JSON", "RSS", "TEXT", "VCARD", "XML");
  const types = {
    ATOM: "application/atom+xml", CSV: "text/csv", ICAL: "text/calendar", JAVASCRIPT: "text/javascript",
    JSON: "application/json", RSS: "application/rss+xml", TEXT: "text/plain", VCARD: "text/vcard", XML: "text/xml",
  };
  class TextOutput extends kit.PlatformObject {
    #content;
    #type = "TEXT";
    #file = null;
    constructor(content) {
      super();
      this.#content = String(content ?? "");
      const record = () =>
        ({ kind: "text", content: this.#content, mime_type: types[this.#type], file_name: this.#file });
      kit.output(this, record);
    }
    append(text) { this.#content += String(text); return this; }
    clear() { this.#content = ""; return this; }
    setContent(text) { this.#content = String(text); return this; }
    getContent() { return this.#content; }
    setMimeType(type) {
      if (!(type in types)) kit.fail("setMimeType: must be a value of ContentService.MimeType");
      this.#type = type;
      return this;
    }
    getMimeType() { return this.#type; }
    downloadAsFile(name) { this.#file = String(name); return this; }
    getFileName() { return this.#file; }
  }
  class ContentService extends kit.PlatformObject {
    MimeType = MimeType;
    createTextOutput(content) { return new TextOutput(content); }
  }
  kit.define("ContentService", new ContentService());
})
