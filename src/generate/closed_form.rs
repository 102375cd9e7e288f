//! x
use super::{GenerateError, Observer, Settings};
use crate::game::Strip;
pub(super) fn strip(
    _: Strip,
    _: Settings,
    _: &mut [u8],
    _: &dyn Observer,
) -> Result<usize, GenerateError> {
    todo!()
}
