//! Commands of script projects.

use std::path::PathBuf;

use clap::Subcommand;
use wireform_script::schedule::Schedule;

use super::Listing;
use crate::settings::{script, value};

#[derive(Subcommand)]
pub enum Scripts {
    /// List the script projects.
    List {
        /// List only the projects of this user.
        #[arg(long, value_name = "ADDRESS")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change the title of a project.
    Rename {
        /// Identifier of the project.
        id: String,
        /// New title.
        title: String,
    },
    /// Share a project with a user.
    Share {
        /// Identifier of the project.
        id: String,
        /// User to share the project with.
        #[arg(long = "with", value_name = "ADDRESS")]
        user: String,
        /// Role of the user: reader, writer or owner; `none` ends the sharing.
        #[arg(long, value_parser = script::role)]
        role: script::ShareRole,
    },
    /// List the users that a project is shared with.
    Shares {
        /// Identifier of the project.
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// List the last executions of a project, latest first.
    Runs {
        /// Identifier of the project.
        id: String,
        /// Maximum number of executions.
        #[arg(long, default_value_t = 50, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        listing: Listing,
    },
    /// Cancel an execution that runs or waits. Its caller gets an error, and its status is CANCELED.
    Cancel {
        /// Identifier of the project.
        id: String,
        /// Number of the execution, as listed by `scripts runs`.
        number: i64,
    },
    /// Print the log of the executions of a project.
    Logs {
        /// Identifier of the project.
        id: String,
        /// Print only the log of this execution, by its number in `scripts runs`.
        #[arg(long, value_name = "NUMBER")]
        execution: Option<i64>,
        /// Keep printing new log lines until the command is stopped.
        #[arg(long)]
        follow: bool,
        /// Maximum number of lines: the last ones of a project, or the first ones of an execution.
        #[arg(long, default_value_t = 1000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// Replace the files of a project by those of a folder whose `.clasp.json` names the project.
    Push {
        /// Folder of the project.
        folder: PathBuf,
        /// User who acts.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
    },
    /// Write the files of a project to a folder.
    Pull {
        /// Identifier of the project.
        id: String,
        /// Folder of the project.
        folder: PathBuf,
        /// User who acts.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// Replace files that were changed in the folder as well.
        #[arg(long)]
        overwrite: bool,
    },
    /// Push the files of a folder to its project whenever they change, until the command is stopped.
    Watch {
        /// Folder of the project.
        folder: PathBuf,
        /// User who acts.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
    },
    /// Run a function of the last saved content and print its result as JSON.
    Run {
        /// Identifier of the project.
        id: String,
        /// Name of the function.
        function: String,
        /// User who acts.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        /// Parameters of the function, as a JSON list.
        #[arg(long, value_parser = script::parameters, value_name = "JSON")]
        parameters: Option<script::Parameters>,
        /// Type of the execution: EDITOR, SIMPLE_TRIGGER, TRIGGER, MENU, ADD_ON or BATCH_TASK.
        #[arg(long, default_value = "EDITOR", value_parser = script::kind, value_name = "KIND")]
        kind: script::Kind,
    },
    /// List the triggers of a project.
    Triggers {
        /// Identifier of the project.
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Add a trigger, which runs a function of the last saved content at certain times.
    Schedule {
        /// Identifier of the project.
        id: String,
        /// Name of the function.
        function: String,
        /// User who acts.
        #[arg(long, value_name = "ADDRESS")]
        user: String,
        #[command(flatten)]
        times: Box<Times>,
        /// Time zone of the cron expression (default: that of the manifest).
        #[arg(long, value_parser = value::time_zone, value_name = "ZONE", requires = "cron")]
        time_zone: Option<String>,
    },
    /// Remove a trigger.
    Unschedule {
        /// Identifier of the project.
        id: String,
        /// Identifier of the trigger, as listed by `scripts triggers`.
        trigger: String,
    },
    /// Enable or disable executions. Those that begin while disabled are recorded as EXECUTION_DISABLED.
    Executions {
        /// `on` or `off`.
        #[arg(value_parser = script::on_or_off)]
        state: script::Switch,
    },
    /// Set how long executions are kept, such as 30d. Metrics are kept regardless.
    Retention {
        /// Duration.
        #[arg(value_parser = value::duration)]
        time: std::time::Duration,
    },
    /// Remove a project with all that belongs to it.
    Remove {
        /// Identifier of the project.
        id: String,
    },
}

/// Schedule of a trigger.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Times {
    /// Run in intervals such as 10m, 6h or 7d.
    #[arg(long, value_parser = script::every, value_name = "TIME")]
    every: Option<Schedule>,
    /// Run by a cron expression of minute, hour, day of the month, month and day of the week, such as "0 9 * *
    /// MON-FRI".
    #[arg(long, value_parser = script::cron, value_name = "EXPRESSION")]
    cron: Option<Schedule>,
    /// Run once, at a time such as 2026-01-05T09:00:00Z.
    #[arg(long, value_parser = script::at, value_name = "TIME")]
    at: Option<Schedule>,
}

impl Times {
    /// Returns the schedule, in the given time zone if there is one.
    pub fn schedule(self, time_zone: Option<&str>) -> Schedule {
        // clap ensures that exactly one of them is given.
        let schedule = self.every.or(self.cron).or(self.at).unwrap_or_default();
        match time_zone {
            Some(zone) => schedule.in_time_zone(zone),
            None => schedule,
        }
    }
}
