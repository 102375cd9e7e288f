//! What the test programs share.

pub(crate) mod files;
pub(crate) mod games;
