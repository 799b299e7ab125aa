//! Small documents, one for each part of the format.
