//! The shells of the x86-64 instruction sets: the only place that names their instructions.
//!
//! `unsafe` stands here for two duties only. Of an instruction: the processor has it. The run functions
//! ask for [`Found`], which exists only where it was detected, and vectors are used only by kernels
//! inlined into them. Of a load or store: the bytes are there. Each is made from a slice whose length
//! was checked, or an array.

#![expect(unsafe_code, reason = "instructions of one processor, and loads from checked slices")]

mod avx2;
mod avx512;
mod shared;
mod sse42;

use super::Kernel;
use super::level::Found;

pub(super) fn has_sse42() -> bool {
    is_x86_feature_detected!("sse4.2")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("popcnt")
}

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
}

pub(super) fn run_sse42<K: Kernel>(_: Found, kernel: K) -> K::Output {
    #[target_feature(enable = "sse4.2,ssse3,popcnt")]
    fn shell<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<sse42::Sse42>()
    }
    // SAFETY: `Found` exists only where the instruction set was detected.
    unsafe { shell(kernel) }
}

pub(super) fn run_avx2<K: Kernel>(_: Found, kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn shell<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<avx2::Avx2>()
    }
    // SAFETY: `Found` exists only where the instruction set was detected.
    unsafe { shell(kernel) }
}

pub(super) fn run_avx512<K: Kernel>(_: Found, kernel: K) -> K::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn shell<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<avx512::Avx512>()
    }
    // SAFETY: `Found` exists only where the instruction set was detected.
    unsafe { shell(kernel) }
}
