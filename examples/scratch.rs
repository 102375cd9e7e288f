#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used)]
use grundy::game::*;
use grundy::generate::*;
use grundy::simd::*;
use std::time::Instant;
fn contest(n: u32, out: &mut [u8]) {
    for x in 0..1usize << n {
        let mut seen = [0i32; 40];
        let mut last: i32 = -1;
        for i in 0..n {
            if x >> i & 1 == 1 {
                if last >= 0 {
                    let y = x ^ (1 << i) ^ (1 << last);
                    seen[out[y] as usize] = 1;
                }
            } else {
                last = i as i32;
            }
        }
        let mut v = 0;
        while seen[v] == 1 {
            v += 1;
        }
        out[x] = v as u8;
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u32 = a[1].parse().unwrap();
    let rule: Rule = a[2].parse().unwrap();
    let reach: Option<u32> = a[3].parse().ok();
    let th: usize = a[4].parse().unwrap();
    let lv: Level = a[5].parse().unwrap();
    let g = Strip::new(rule, n, reach).unwrap();
    let game = Game::from(g);
    let mut m = memmap2::MmapMut::map_anon(1 << n).unwrap();
    m.advise(memmap2::Advice::HugePage).unwrap();
    let s = Settings { level: lv, threads: std::num::NonZeroUsize::new(th) };
    let mut best = vec![];
    let reps = if n <= 22 {
        60
    } else if n <= 26 {
        10
    } else {
        5
    };
    for _ in 0..reps {
        let t = Instant::now();
        generate(&game, Method::Layered, s, &mut m, &()).unwrap();
        best.push(t.elapsed().as_secs_f64() * 1e9 / (1u64 << n) as f64);
    }
    best.sort_by(f64::total_cmp);
    println!("{game} {lv} t{th}: min {:.3} med {:.3} ns/entry", best[0], best[best.len() / 2]);
    if n <= 24 {
        let mut r = memmap2::MmapMut::map_anon(1 << n).unwrap();
        for _ in 0..2 {
            let t = Instant::now();
            generate(&game, Method::Naive, s, &mut r, &()).unwrap();
            let d = t.elapsed().as_secs_f64() * 1e9 / (1u64 << n) as f64;
            println!("naive {d:.2} ratio {:.0}", d / best[best.len() / 2]);
        }
        if r[..] != m[..] {
            let i = (0..1 << n).find(|&i| r[i] != m[i]).unwrap();
            println!("DIFF at {i} {i:b}: naive {} got {}", r[i], m[i]);
        }
        if rule == Rule::Chess {
            for _ in 0..2 {
                let t = Instant::now();
                contest(n, &mut r);
                let d = t.elapsed().as_secs_f64() * 1e9 / (1u64 << n) as f64;
                println!("contest {d:.2} ratio {:.0}", d / best[best.len() / 2]);
            }
        }
    }
}
