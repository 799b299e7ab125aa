//! Native functions of the platform.

mod bytes;
mod dates;

use std::collections::BTreeSet;
use std::time::Duration;

use rquickjs::context::EvalOptions;
use rquickjs::object::Filter;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value as Js};

use super::channel::Channel;
use super::exception::PLATFORM;
use crate::{FileKind, HostCall, HostError, HostService, LogLevel, LogLine, Program};

/// Parts of the platform in JavaScript that are evaluated before a script.
const EAGER_PARTS: [&str; 2] = ["base", "console"];

/// All parts. Most are evaluated when a script first needs them, because each run starts a process.
const PARTS: &[(&str, &str)] = &[
    ("base", include_str!("../prelude/base.js")),
    ("console", include_str!("../prelude/console.js")),
    ("locale", include_str!("../prelude/locale.js")),
    ("date", include_str!("../prelude/date.js")),
    ("utilities", include_str!("../prelude/utilities.js")),
    ("services", include_str!("../prelude/services.js")),
    ("triggers", include_str!("../prelude/triggers.js")),
    ("html", include_str!("../prelude/html.js")),
    ("recurrence", include_str!("../prelude/recurrence.js")),
    ("calendar", include_str!("../prelude/calendar.js")),
    ("mail", include_str!("../prelude/mail.js")),
];

/// References to the installed globals of the platform, out of reach of scripts.
#[derive(Clone)]
pub(super) struct Platform {
    kit: Persistent<Object<'static>>,
}

impl Platform {
    /// Installs the globals of the platform.
    ///
    /// Those of a library recognize the objects of the program through `shared`.
    pub(super) fn install(ctx: &Ctx<'_>, channel: &Channel, shared: Option<&Self>) -> Result<Self> {
        let kit = Object::new(ctx.clone())?;
        kit.set("native", native_functions(ctx, channel)?)?;
        kit.set(
            "shared",
            match shared {
                Some(program) => program.kit.clone().restore(ctx)?.get::<_, Object<'_>>("shared")?,
                None => Object::new(ctx.clone())?,
            },
        )?;
        for name in EAGER_PARTS {
            evaluate_part(ctx.clone(), name.to_owned())?.call::<_, ()>((kit.clone(),))?;
        }
        Ok(Self { kit: Persistent::save(ctx, kit) })
    }

    /// Passes the program that is about to run to the platform, and the offset of the clock of the services.
    pub(super) fn begin(&self, ctx: &Ctx<'_>, program: &Program, ahead: i64) -> Result<()> {
        let pages = Object::new(ctx.clone())?;
        for file in program.files.iter().filter(|file| file.kind == FileKind::Html) {
            pages.set(file.name.as_str(), file.source.as_str())?;
        }
        let begin = self.function(ctx, "begin")?;
        #[expect(clippy::cast_precision_loss, reason = "a time that JavaScript knows has fewer than 2^53 milliseconds")]
        begin.call((program.time_zone.as_str(), program.script_id.as_str(), pages, ahead as f64))
    }

    /// Returns the function that names the class of an object that is not a plain record, or returns an empty text.
    pub(super) fn class_of<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>> {
        self.function(ctx, "classOf")
    }

    /// Returns the record of a page or text that a web app returned, and any other value unchanged.
    pub(super) fn web_output<'js>(&self, ctx: &Ctx<'js>, value: Js<'js>) -> Result<Js<'js>> {
        self.function(ctx, "webOutput")?.call((value,))
    }

    /// Returns the function of this name that the platform's JavaScript parts have put into the kit.
    fn function<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Function<'js>> {
        self.kit.clone().restore(ctx)?.get(name)
    }
}

/// Evaluates a part of the platform, which is a function that installs it.
#[expect(clippy::needless_pass_by_value, reason = "a function for the engine owns its arguments")]
fn evaluate_part<'js>(ctx: Ctx<'js>, name: String) -> Result<Function<'js>> {
    let source = PARTS.iter().find_map(|(part, source)| (*part == name).then_some(*source)).unwrap_or_default();
    let mut options = EvalOptions::default();
    options.filename = Some(format!("{PLATFORM}{name}"));
    ctx.eval_with_options(source, options)
}

/// Returns the native functions, which JavaScript cannot implement.
fn native_functions<'js>(ctx: &Ctx<'js>, channel: &Channel) -> Result<Object<'js>> {
    let native = Object::new(ctx.clone())?;
    let host = channel.clone();
    native.set(
        "call",
        Function::new(ctx.clone(), move |service: String, method: String, arguments: String| {
            call_host(&host, &service, method, &arguments)
        })?,
    )?;
    let log = channel.clone();
    native.set(
        "log",
        Function::new(ctx.clone(), move |level: String, message: String| {
            let level = match level.as_str() {
                "debug" => LogLevel::Debug,
                "warning" => LogLevel::Warning,
                "error" => LogLevel::Error,
                _ => LogLevel::Info,
            };
            log.log(LogLine { level, message });
        })?,
    )?;
    native.set(
        "sleep",
        Function::new(ctx.clone(), |milliseconds: f64| {
            if let Ok(duration) = Duration::try_from_secs_f64(milliseconds / 1000.0) {
                std::thread::sleep(duration);
            }
        })?,
    )?;
    native.set("uuid", Function::new(ctx.clone(), || uuid::Uuid::new_v4().to_string())?)?;
    native.set("part", Function::new(ctx.clone(), evaluate_part)?)?;
    bytes::install(ctx, &native)?;
    dates::install(ctx, &native)?;
    Ok(native)
}

/// Calls the host and returns the JSON of its result.
fn call_host(host: &Channel, service: &str, method: String, arguments: &str) -> String {
    let service = serde_json::from_value::<HostService>(service.into());
    let result = match service.and_then(|service| Ok((service, serde_json::from_str(arguments)?))) {
        Ok((service, arguments)) => host.call(HostCall { service, method, arguments }),
        Err(error) => Err(HostError::new(format!("invalid arguments: {error}"))),
    };
    serde_json::to_string(&result).unwrap_or_default()
}

/// Returns the names of all globals.
pub(super) fn global_names(ctx: &Ctx<'_>) -> Result<BTreeSet<String>> {
    ctx.globals().own_keys::<String>(Filter::new().string()).collect()
}

/// Returns the functions and variables that a library added to its global scope.
pub(super) fn exports<'js>(ctx: &Ctx<'js>, before: &BTreeSet<String>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    for name in global_names(ctx)?.difference(before) {
        exports.set(name.as_str(), ctx.globals().get::<_, Js<'js>>(name.as_str())?)?;
    }
    Ok(exports)
}
