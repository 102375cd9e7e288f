//! How much memory a run may still fill: what the machine has, and what the groups of this process allow.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The bytes available, where the system says so.
pub(super) fn available() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = HIERARCHIES.iter().flat_map(|hierarchy| {
        let folders = hierarchy.folders(&groups);
        folders.into_iter().filter_map(|folder| hierarchy.room(&folder))
    });
    groups.chain(machine).min()
}

fn of_machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Where the kernel shows the groups that limit memory, and what it calls their files.
struct Hierarchy {
    root: &'static str,
    controller: &'static str,
    limit: &'static str,
    usage: &'static str,
    cached: [&'static str; 2],
}

const HIERARCHIES: [Hierarchy; 2] = [
    Hierarchy {
        root: "/sys/fs/cgroup",
        controller: "",
        limit: "memory.max",
        usage: "memory.current",
        cached: ["inactive_file", "active_file"],
    },
    // Control groups of the first version, which some systems still have.
    Hierarchy {
        root: "/sys/fs/cgroup/memory",
        controller: "memory",
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        cached: ["total_inactive_file", "total_active_file"],
    },
];

impl Hierarchy {
    /// The group of this process and those around it: each has its limit. `groups` is /proc/self/cgroup.
    fn folders(&self, groups: &str) -> Vec<PathBuf> {
        let path = groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let mut controllers = parts.next()?.split(',');
            controllers.any(|name| name == self.controller).then(|| parts.next())?
        });
        // In a container the path may be that of the host, which is not shown: the root is its own group then.
        let inner = Path::new(path.unwrap_or("/"));
        inner
            .ancestors()
            .map(|group| Path::new(self.root).join(group.strip_prefix("/").unwrap_or(group)))
            .collect()
    }

    /// The bytes that a group leaves. What it holds of files is given up when memory is asked for.
    fn room(&self, folder: &Path) -> Option<u64> {
        let number = |name| read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        // Without a limit it is `max`, which is no number.
        let (limit, usage) = (number(self.limit)?, number(self.usage)?);
        let stat = read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cached = self.cached.iter().filter_map(|name| field(&stat, name)).sum();
        Some(limit.saturating_sub(usage.saturating_sub(cached)))
    }
}

fn field(stat: &str, name: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read_in_bytes() {
        let text = "MemTotal: 9 kB\nMemFree:  1 kB\nMemAvailable:   24149012 kB\n";
        assert_eq!(of_machine(text), Some(24_149_012 << 10));
        for text in
            ["", "MemAvailable: 3", "MemAvailable: x kB", "MemAvailable: 99999999999999999999 kB"]
        {
            assert_eq!(of_machine(text), None, "{text}");
        }
    }

    #[test]
    fn the_group_and_those_around_it_are_asked() {
        let groups = "4:cpu,memory:/job/one\n3:cpuset:/other\n0::/slice/run\n";
        let shown = |hierarchy: &Hierarchy| {
            let folders = hierarchy.folders(groups).into_iter();
            folders.map(|folder| folder.display().to_string()).collect::<Vec<_>>()
        };
        let [second, first] = &HIERARCHIES;
        assert_eq!(
            shown(second),
            ["/sys/fs/cgroup/slice/run", "/sys/fs/cgroup/slice", "/sys/fs/cgroup/"]
        );
        assert_eq!(
            shown(first),
            [
                "/sys/fs/cgroup/memory/job/one",
                "/sys/fs/cgroup/memory/job",
                "/sys/fs/cgroup/memory/"
            ]
        );
        assert_eq!(first.folders("").len(), 1);
    }

    #[test]
    fn a_group_leaves_its_limit_less_what_is_not_cache() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
        let room = || HIERARCHIES[0].room(folder.path());
        assert_eq!(room(), None);
        put("memory.current", "700\n").expect("written");
        put("memory.max", "max\n").expect("written");
        assert_eq!(room(), None, "no limit");
        put("memory.max", "1000\n").expect("written");
        assert_eq!(room(), Some(300));
        let stat = "anon 50\ninactive_file 400\nactive_file 200\nactive_file_of_another 9\n";
        put("memory.stat", stat).expect("written");
        assert_eq!(room(), Some(900));
        put("memory.current", "5000\n").expect("written");
        assert_eq!(room(), Some(0), "beyond its limit");
    }
}
