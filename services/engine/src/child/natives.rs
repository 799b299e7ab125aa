//! Functions of the platform.

use std::collections::BTreeSet;

use rquickjs::context::EvalOptions;
use rquickjs::object::Filter;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value as Js};

use super::channel::Channel;
use super::exception::PLATFORM;

/// The part of the platform that is written in JavaScript.
const PRELUDE: &[(&str, &str)] = &[("base", include_str!("prelude/base.js"))];

/// What the platform keeps of the globals that it installed, out of reach of scripts.
#[derive(Clone)]
pub(super) struct Platform {
    class_of: Persistent<Function<'static>>,
}

impl Platform {
    /// Installs the globals of the platform.
    pub(super) fn install(ctx: &Ctx<'_>, _channel: &Channel) -> Result<Self> {
        let kit = Object::new(ctx.clone())?;
        for (name, source) in PRELUDE {
            let mut options = EvalOptions::default();
            options.filename = Some(format!("{PLATFORM}{name}"));
            let part: Function<'_> = ctx.eval_with_options(*source, options)?;
            part.call::<_, ()>((kit.clone(),))?;
        }
        Ok(Self { class_of: Persistent::save(ctx, kit.get::<_, Function<'_>>("classOf")?) })
    }

    /// The function that names the class of an object that is no record of values; otherwise it returns an empty text.
    pub(super) fn class_of<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>> {
        self.class_of.clone().restore(ctx)
    }
}

/// The names of all globals.
pub(super) fn global_names(ctx: &Ctx<'_>) -> Result<BTreeSet<String>> {
    ctx.globals().own_keys::<String>(Filter::new().string()).collect()
}

/// The functions and variables that a library added to its global scope.
pub(super) fn exports<'js>(ctx: &Ctx<'js>, before: &BTreeSet<String>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    for name in global_names(ctx)?.difference(before) {
        exports.set(name.as_str(), ctx.globals().get::<_, Js<'js>>(name.as_str())?)?;
    }
    Ok(exports)
}
