mod markers;
mod plans;
