//! x
use super::{GenerateError, Observer, Settings};
use crate::game::Stones;
pub(super) fn layered(
    _: Stones,
    _: Settings,
    _: &mut [u8],
    _: &dyn Observer,
) -> Result<usize, GenerateError> {
    todo!()
}
