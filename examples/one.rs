#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used)]
use grundy::game::*;
use grundy::generate::*;
use grundy::simd::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u32 = a[1].parse().unwrap();
    let rule: Rule = a[2].parse().unwrap();
    let lv: Level = a[3].parse().unwrap();
    let g = Strip::new(rule, n, None).unwrap();
    let mut m = memmap2::MmapMut::map_anon(1 << n).unwrap();
    generate(
        &Game::from(g),
        Method::Layered,
        Settings { level: lv, threads: std::num::NonZeroUsize::new(1) },
        &mut m,
        &(),
    )
    .unwrap();
    println!("{}", m[m.len() - 2]);
}
