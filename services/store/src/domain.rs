//! What the operations of the traits mean, written once for both databases.
