mod marks;
mod plans;
