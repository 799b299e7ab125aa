//! One suite for both databases.
