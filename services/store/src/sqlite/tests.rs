mod markers;
mod plans;
mod tables;
