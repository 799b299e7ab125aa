//! The commands of script projects.

use std::path::PathBuf;

use clap::Subcommand;
use wireform_script::schedule::Schedule;

use super::Listing;
use crate::settings::{script, value};

#[derive(Subcommand)]
pub enum Scripts {
    /// List the script projects.
    List {
        /// Only those of a user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change the title of a project.
    Rename {
        /// Its identifier.
        id: String,
        /// The title.
        title: String,
    },
    /// Share a project with a user.
    Share {
        /// Its identifier.
        id: String,
        /// With whom.
        #[arg(long = "with", value_name = "ADDRESS")]
        user: String,
        /// What they may do: reader, writer or owner; `none` ends it.
        #[arg(long, value_parser = script::role)]
        role: script::ShareRole,
    },
    /// List the users that a project is shared with.
    Shares {
        /// Its identifier.
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// List the last executions of a project, the latest first.
    Runs {
        /// Its identifier.
        id: String,
        /// How many.
        #[arg(long, default_value_t = 50, value_name = "NUMBER")]
        limit: u32,
        #[command(flatten)]
        listing: Listing,
    },
    /// Write what the executions of a project log.
    Logs {
        /// Its identifier.
        id: String,
        /// Only of an execution, by the number that `scripts runs` tells.
        #[arg(long, value_name = "NUMBER")]
        execution: Option<i64>,
        /// Go on with what is logged from now on, until the command is stopped.
        #[arg(long)]
        follow: bool,
        /// How many lines, the last ones; of an execution the first ones.
        #[arg(long, default_value_t = 1000, value_name = "NUMBER")]
        limit: u32,
    },
    /// Replace the files of a project by those of a folder, whose `.clasp.json` names the project.
    Push {
        /// The folder.
        folder: PathBuf,
        /// As whom.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
    },
    /// Write the files of a project to a folder.
    Pull {
        /// The identifier of the project.
        id: String,
        /// The folder.
        folder: PathBuf,
        /// As whom.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// Replace files that were changed in the folder as well.
        #[arg(long)]
        overwrite: bool,
    },
    /// Replace the files of a project by those of a folder whenever these change, until the command is stopped.
    Watch {
        /// The folder.
        folder: PathBuf,
        /// As whom.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
    },
    /// Run a function of what was saved last, and write what came of it as JSON.
    Run {
        /// The identifier of the project.
        id: String,
        /// The function.
        function: String,
        /// As whom.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// The parameters, as a JSON list.
        #[arg(long, value_parser = script::parameters, value_name = "JSON")]
        parameters: Option<script::Parameters>,
        /// What starts it: EDITOR, SIMPLE_TRIGGER, TRIGGER, MENU, ADD_ON or BATCH_TASK.
        #[arg(long, default_value = "EDITOR", value_parser = script::kind, value_name = "KIND")]
        kind: script::Kind,
    },
    /// List the triggers of a project.
    Triggers {
        /// Its identifier.
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Add a trigger, which runs a function of what was saved last by time.
    Schedule {
        /// The identifier of the project.
        id: String,
        /// The function.
        function: String,
        /// As whom.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        #[command(flatten)]
        times: Box<Times>,
        /// The time zone of an expression of cron; that of the manifest otherwise.
        #[arg(long, value_parser = value::time_zone, value_name = "ZONE", requires = "cron")]
        time_zone: Option<String>,
    },
    /// Remove a trigger.
    Unschedule {
        /// The identifier of the project.
        id: String,
        /// The trigger, as `scripts triggers` tells it.
        trigger: String,
    },
    /// Let scripts run, or not: what begins while they may not is recorded as EXECUTION_DISABLED.
    Executions {
        /// `on` or `off`.
        #[arg(value_parser = script::on_or_off)]
        state: script::Switch,
    },
    /// Say how long executions are remembered, such as 30d. Metrics are kept whatever is said here.
    Retention {
        /// The time.
        #[arg(value_parser = value::duration)]
        time: std::time::Duration,
    },
    /// Remove a project with all that belongs to it.
    Remove {
        /// Its identifier.
        id: String,
    },
}

/// When a trigger fires.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Times {
    /// Each time such a time has passed, such as 10m, 6h or 7d.
    #[arg(long, value_parser = script::every, value_name = "TIME")]
    every: Option<Schedule>,
    /// By the clock: minute, hour, day of the month, month and day of the week, such as "0 9 * * MON-FRI".
    #[arg(long, value_parser = script::cron, value_name = "EXPRESSION")]
    cron: Option<Schedule>,
    /// Once, at a time such as 2026-01-05T09:00:00Z.
    #[arg(long, value_parser = script::at, value_name = "TIME")]
    at: Option<Schedule>,
}

impl Times {
    /// Returns the schedule, in a time zone where one is given.
    pub fn schedule(self, time_zone: Option<&str>) -> Schedule {
        // One of them is given.
        let schedule = self.every.or(self.cron).or(self.at).unwrap_or_default();
        match time_zone {
            Some(zone) => schedule.within(zone),
            None => schedule,
        }
    }
}
