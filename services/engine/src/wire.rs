//! Messages between the pool and its processes: length-prefixed JSON.
