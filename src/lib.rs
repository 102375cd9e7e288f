//! Complete tables of Grundy values for games on a strip of cells and for the stones game.

pub mod experiment;
pub mod game;
pub mod generate;
pub mod simd;
pub mod solve;
pub mod table;
pub mod verify;
