//! Sequences short enough to be worked out by hand; the reason for every number stands beside it.

use super::*;

/// Clock of 100 MHz, so a cycle is 10 ns. Reads take 50 ns, then 20 ns for each further word; writes 30 and 20 ns.
const CLOCK_HZ: u64 = 100_000_000;
/// Cycles to the first word of a line; the whole line has four words.
const WORD: u32 = 5;
const LINE: u32 = 5 + 3 * 2;

fn latency(cached: Cached) -> Latency {
    let (read_first_ns, read_next_ns, write_first_ns, write_next_ns) = (50.0, 20.0, 30.0, 20.0);
    Latency { read_first_ns, read_next_ns, write_first_ns, write_next_ns, bus_bytes: 4, cached }
}

fn memories() -> Vec<Timed> {
    let timed =
        |name: &str, base, cached| Timed { name: name.into(), base, size_bytes: 0x1_0000, latency: latency(cached) };
    vec![timed("ram", 0, Cached::Yes), timed("table", 0x1_0000, Cached::Mini), timed("device", 0x2_0000, Cached::No)]
}

/// A cache with two sets of two ways and lines of 16 bytes; addresses 32 bytes apart share a set.
fn small(replacement: Replacement) -> CacheData {
    CacheData {
        size_bytes: 64,
        line_bytes: 16,
        ways: 2,
        replacement,
        write: WritePolicy::Back,
        write_allocate: false,
        locked: Vec::new(),
        seed: 1,
    }
}

fn system(data: CachesData) -> Hierarchy {
    Hierarchy::new(&data, &memories(), CLOCK_HZ).unwrap()
}

fn with_dcache(dcache: CacheData) -> Hierarchy {
    system(CachesData { dcache: Some(dcache), ..CachesData::default() })
}

/// Loads from one address after another, each long after the one before; returns `true` for each hit.
fn hits(system: &mut Hierarchy, addresses: &[u32]) -> Vec<bool> {
    static START: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let start = START.fetch_add(1 << 32, std::sync::atomic::Ordering::Relaxed);
    let at = |index: usize| start + 1000 * index as u64;
    addresses.iter().enumerate().map(|(i, &address)| system.load(address, 4, at(i)) == HIT).collect()
}

#[test]
fn a_line_is_fetched_once_and_then_hits_at_every_byte() {
    let mut system = with_dcache(small(Replacement::Lru));
    assert_eq!(system.load(0x104, 4, 0), Delay { stall: LINE, latency: 0 });
    for address in 0x100..0x110 {
        assert_eq!(system.load(address, 4, 100), HIT);
    }
    assert_eq!(system.load(0x110, 4, 200).stall, LINE);
    let [_, counts, _] = system.cache_counts();
    assert_eq!((counts.reads, counts.read_misses, counts.hits()), (18, 2, 16));
    let counters = system.take_counters().unwrap();
    assert_eq!((counters.dcache_accesses, counters.dcache_misses), (18, 2));
    assert_eq!(counters.stall_cycles, u64::from(2 * LINE));
    assert_eq!(system.take_counters(), Some(MemoryCounters::default()));
}

#[test]
fn lru_lets_go_what_was_used_longest_ago() {
    // All in set 0. After 00 20 00 the line 20 is the older one, so 40 replaces it.
    let mut system = with_dcache(small(Replacement::Lru));
    let seen = hits(&mut system, &[0x00, 0x20, 0x00, 0x40, 0x00, 0x20, 0x40]);
    assert_eq!(seen, [false, false, true, false, true, false, false]);
}

#[test]
fn round_robin_lets_go_by_turns_whatever_was_used() {
    // The pointer goes 0, 1, 0, 1: 40 replaces 00 although that was used last, then 00 replaces 20.
    let mut system = with_dcache(small(Replacement::RoundRobin));
    let seen = hits(&mut system, &[0x00, 0x20, 0x00, 0x40, 0x20, 0x00, 0x20, 0x40]);
    assert_eq!(seen, [false, false, true, false, true, false, false, false]);
}

#[test]
fn random_replacement_depends_on_the_seed_alone() {
    let walk: Vec<u32> = (0..64).map(|i| i * 7 % 5 * 0x20).collect();
    let run = |seed| hits(&mut with_dcache(CacheData { seed, ..small(Replacement::Random) }), &walk);
    assert_eq!(run(3), run(3));
    assert!((0..8).any(|seed| run(seed) != run(3)));
    // An empty way is taken before any line goes.
    assert_eq!(hits(&mut with_dcache(small(Replacement::Random)), &[0, 0x20, 0, 0x20]), [false, false, true, true]);
}

#[test]
fn sets_do_not_disturb_one_another() {
    let mut system = with_dcache(small(Replacement::RoundRobin));
    let seen = hits(&mut system, &[0x00, 0x10, 0x20, 0x30, 0x00, 0x10, 0x20, 0x30]);
    assert_eq!(seen, [false, false, false, false, true, true, true, true]);
}

#[test]
fn a_dirty_line_is_written_back_when_it_goes_and_a_clean_one_is_not() {
    let mut system = with_dcache(small(Replacement::RoundRobin));
    system.load(0x00, 4, 0);
    assert_eq!(system.store(0x08, 4, 100), HIT);
    system.load(0x20, 4, 200);
    // 40 replaces 00, dirty: without a write buffer the core waits for the read of four words and the write of
    // four more, 30 + 3 x 20 ns.
    assert_eq!(system.load(0x40, 4, 300).stall, LINE + 9);
    // 60 replaces 20, clean.
    assert_eq!(system.load(0x60, 4, 400).stall, LINE);
    assert_eq!(system.take_counters().unwrap().dcache_writebacks, 1);
}

#[test]
fn a_store_that_misses_takes_no_line_in_unless_told_to() {
    let mut system = with_dcache(small(Replacement::Lru));
    assert_eq!(system.store(0x00, 4, 0).stall, 3);
    assert_eq!(system.load(0x00, 4, 100).stall, LINE);
    let [_, counts, _] = system.cache_counts();
    assert_eq!((counts.writes, counts.write_misses, system.take_counters().unwrap().writes_past), (1, 1, 1));

    let mut system = with_dcache(CacheData { write_allocate: true, ..small(Replacement::Lru) });
    assert_eq!(system.store(0x00, 4, 0).stall, LINE);
    assert_eq!(system.load(0x04, 4, 100), HIT);
    system.load(0x20, 4, 200);
    assert_eq!(system.load(0x40, 4, 300).stall, LINE + 9);
}

#[test]
fn write_through_writes_every_time_and_leaves_nothing_dirty() {
    let mut system = with_dcache(CacheData { write: WritePolicy::Through, ..small(Replacement::Lru) });
    system.load(0x00, 4, 0);
    assert_eq!(system.store(0x00, 4, 100).stall, 3);
    assert_eq!(system.load(0x00, 4, 200), HIT);
    system.load(0x20, 4, 300);
    assert_eq!(system.load(0x40, 4, 400).stall, LINE);
    assert_eq!(system.take_counters().unwrap().dcache_writebacks, 0);
}

#[test]
fn locked_lines_stay_and_the_others_share_what_is_left() {
    let locked = vec![Locked { base: 0x00, size_bytes: 16 }];
    let mut system = with_dcache(CacheData { locked: locked.clone(), ..small(Replacement::RoundRobin) });
    // Way 0 of set 0 is locked: 20 and 40 drive each other out of way 1.
    let seen = hits(&mut system, &[0x00, 0x20, 0x40, 0x20, 0x00]);
    assert_eq!(seen, [true, false, false, false, true]);
    system.flush();
    assert_eq!(hits(&mut system, &[0x00, 0x20]), [true, false]);
    let all = vec![Locked { base: 0x00, size_bytes: 64 }];
    let refused =
        CachesData { dcache: Some(CacheData { locked: all, ..small(Replacement::Lru) }), ..CachesData::default() };
    assert!(Hierarchy::new(&refused, &memories(), CLOCK_HZ).is_err());
}

#[test]
fn the_minicache_takes_what_its_region_says_and_both_are_searched() {
    let mini = CacheData { size_bytes: 32, ways: 2, ..small(Replacement::Lru) };
    let mut system = system(CachesData {
        dcache: Some(small(Replacement::RoundRobin)),
        minicache: Some(mini),
        ..CachesData::default()
    });
    // One set of two ways for the tables: the third line drives the first one out, and no line of the RAM.
    let seen = hits(&mut system, &[0x00, 0x1_0000, 0x1_0010, 0x1_0020, 0x1_0000, 0x1_0020, 0x00]);
    assert_eq!(seen, [false, false, false, false, false, true, true]);
    let [_, data, mini] = system.cache_counts();
    assert_eq!((data.reads, data.read_misses), (2, 1));
    assert_eq!((mini.reads, mini.read_misses), (5, 4));
    assert_eq!(system.store(0x1_0020, 4, 1 << 50), HIT);
    assert_eq!(system.cache_counts()[2].writes, 1);
}

#[test]
fn what_is_not_cached_is_read_and_written_each_time() {
    let mut system = with_dcache(small(Replacement::Lru));
    assert_eq!(system.load(0x2_0000, 4, 0).stall, WORD);
    assert_eq!(system.load(0x2_0000, 4, 100).stall, WORD);
    assert_eq!(system.store(0x2_0000, 4, 200).stall, 3);
    let counters = system.take_counters().unwrap();
    assert_eq!((counters.uncached_accesses, counters.writes_past, counters.dcache_accesses), (3, 1, 0));
}

#[test]
fn without_caches_every_access_waits_for_memory() {
    let mut system = system(CachesData::default());
    assert_eq!(system.fetch(0, 0), WORD);
    assert_eq!(system.fetch(4, 5), WORD);
    assert_eq!(system.load(8, 4, 10).stall, WORD);
    assert!(!system.has_caches());
}

#[test]
fn instructions_and_data_have_caches_of_their_own_or_share_one() {
    let cache = small(Replacement::Lru);
    let mut split =
        system(CachesData { icache: Some(cache.clone()), dcache: Some(cache.clone()), ..CachesData::default() });
    assert_eq!(split.fetch(0, 0), LINE);
    assert_eq!(split.load(0, 4, 100).stall, LINE);
    assert_eq!(split.fetch(4, 200), 0);
    let counters = split.take_counters().unwrap();
    assert_eq!((counters.icache_accesses, counters.icache_misses, counters.dcache_accesses), (2, 1, 1));

    let mut unified = system(CachesData { unified: Some(cache), ..CachesData::default() });
    assert_eq!(unified.fetch(0, 0), LINE);
    assert_eq!(unified.load(0, 4, 100), HIT);
    assert_eq!(unified.fetch(4, 200), 0);
    assert_eq!(unified.take_counters().unwrap().dcache_accesses, 3);
}

#[test]
fn the_word_asked_for_may_come_first_and_the_others_follow() {
    let fill = FillData { critical_word_first: true, resume_at_word: true, outstanding: 0 };
    let data = CachesData { dcache: Some(small(Replacement::Lru)), fill, ..CachesData::default() };
    let mut critical = system(data.clone());
    // Words come in the order 2, 3, 0, 1, at the cycles 5, 7, 9, 11.
    assert_eq!(critical.load(0x08, 4, 0).stall, 5);
    assert_eq!(critical.load(0x0c, 4, 5).stall, 2);
    assert_eq!(critical.load(0x04, 4, 7).stall, 4);
    assert_eq!(critical.load(0x00, 4, 11), HIT);

    let fill = FillData { critical_word_first: false, ..fill };
    let mut in_order = system(CachesData { fill, ..data.clone() });
    assert_eq!(in_order.load(0x08, 4, 0).stall, 9);
    assert_eq!(in_order.load(0x0c, 4, 9).stall, 2);
    // The bus is busy with the first line until 11.
    let mut busy = system(data);
    busy.load(0x00, 4, 0);
    assert_eq!(busy.load(0x20, 4, 6).stall, (11 - 6) + 5);
}

#[test]
fn loads_that_do_not_block_wait_for_their_value_and_for_a_free_place() {
    let fill = FillData { critical_word_first: true, resume_at_word: true, outstanding: 2 };
    let mut system = system(CachesData { dcache: Some(small(Replacement::Lru)), fill, ..CachesData::default() });
    assert_eq!(system.load(0x00, 4, 0), Delay { stall: 0, latency: 5 });
    // The bus is free again at 11; the line comes from 16 to 22.
    assert_eq!(system.load(0x10, 4, 1), Delay { stall: 0, latency: 15 });
    // A third one waits until the first is there at 11; its word comes at 22 + 5.
    assert_eq!(system.load(0x20, 4, 2), Delay { stall: 9, latency: 16 });
    // A hit on a line on its way costs no stall.
    assert_eq!(system.load(0x10, 4, 12), Delay { stall: 0, latency: 4 });
}

fn buffered(entries: u32, merge: Merge) -> Hierarchy {
    let write_buffer = Some(WriteBufferData { entries, entry_bytes: 16, merge });
    system(CachesData { dcache: Some(small(Replacement::Lru)), write_buffer, ..CachesData::default() })
}

#[test]
fn the_write_buffer_hides_stores_until_it_is_full() {
    // A write takes 3 cycles. At 0 the first one starts at once, or rather before cycle 1; two more wait.
    let mut system = buffered(3, Merge::Multiple);
    for (now, address) in [(0, 0x00), (1, 0x10), (2, 0x20)] {
        assert_eq!(system.store(address, 4, now), HIT);
    }
    // Entries: one under way until 3, then 10 (3 to 6) and 20. At 2 all three are taken, at 3 one is free.
    assert_eq!(system.store(0x30, 4, 2).stall, 1);
    assert_eq!(system.take_counters().unwrap().writes_past, 4);
}

#[test]
fn stores_join_an_entry_that_waits() {
    // One entry: the first store is under way from 0 to 3 and keeps it.
    let mut system = buffered(2, Merge::All);
    system.store(0x100, 4, 0);
    assert_eq!(system.store(0x00, 4, 1), HIT);
    assert_eq!(system.store(0x04, 4, 2), HIT);
    // The joined entry is written from 3 on, 30 + 20 ns: a load that needs the bus waits until 8.
    assert_eq!(system.load(0x20, 4, 4).stall, (8 - 4) + LINE);

    let mut system = buffered(2, Merge::Multiple);
    system.store(0x100, 4, 0);
    system.store(0x00, 4, 1);
    assert_eq!(system.store_on(0x04, 4, 2), HIT);
    assert_eq!(system.store(0x08, 4, 2).stall, 1);
}

#[test]
fn a_read_goes_before_waiting_writes_but_not_before_those_of_its_own_line() {
    let mut system = buffered(8, Merge::Multiple);
    system.store(0x00, 4, 0);
    system.store(0x100, 4, 0);
    // The first write is under way until 3; the second has not begun and lets the load go first.
    assert_eq!(system.load(0x20, 4, 2).stall, 1 + LINE);
    let mut system = buffered(8, Merge::Multiple);
    system.store(0x00, 4, 0);
    system.store(0x100, 4, 0);
    assert_eq!(system.load(0x104, 4, 2).stall, 1 + 3 + LINE);
}

#[test]
fn a_full_buffer_behind_a_read_waits_for_both() {
    let fill = FillData { critical_word_first: true, resume_at_word: true, outstanding: 2 };
    let write_buffer = Some(WriteBufferData { entries: 1, entry_bytes: 16, merge: Merge::Multiple });
    let mut system =
        system(CachesData { dcache: Some(small(Replacement::Lru)), write_buffer, fill, ..CachesData::default() });
    system.load(0x20, 4, 0);
    // The line is on its way until 11; the first store waits for the bus in the only entry until 11 + 3.
    assert_eq!(system.store(0x100, 4, 1), HIT);
    assert_eq!(system.store(0x200, 4, 2).stall, 14 - 2);
}

#[test]
fn dirty_parts_leave_through_the_buffer() {
    let write_buffer = Some(WriteBufferData { entries: 2, entry_bytes: 8, merge: Merge::Multiple });
    let mut system =
        system(CachesData { dcache: Some(small(Replacement::RoundRobin)), write_buffer, ..CachesData::default() });
    system.load(0x00, 4, 0);
    system.store(0x0c, 4, 100);
    system.load(0x20, 4, 200);
    // Half of the line is dirty: it goes into the buffer, and the core waits for the new line alone.
    assert_eq!(system.load(0x40, 4, 300).stall, LINE);
    // The write of two words, 30 + 20 ns, begins when the line is there, at 311.
    assert_eq!(system.load(0x10, 4, 312).stall, (316 - 312) + LINE);
}

#[test]
fn only_the_clock_turns_nanoseconds_into_cycles() {
    let data = CachesData { dcache: Some(small(Replacement::Lru)), ..CachesData::default() };
    let stall = |clock_hz| Hierarchy::new(&data, &memories(), clock_hz).unwrap().load(0, 4, 0).stall;
    // 50 + 3 x 20 = 110 ns.
    assert_eq!(stall(100_000_000), 11);
    assert_eq!(stall(200_000_000), 22);
    assert_eq!(stall(400_000_000), 44);
    assert_eq!(stall(1_000_000_000), 110);
    // 110 ns x 133 MHz = 14.63, rounded up once.
    assert_eq!(stall(133_000_000), 15);
}

#[test]
fn flushed_caches_are_cold() {
    let mut system = with_dcache(small(Replacement::Lru));
    system.load(0, 4, 1000);
    assert_eq!(system.load(0, 4, 2000), HIT);
    system.flush();
    assert_eq!(system.load(0, 4, 0).stall, LINE);
}

#[test]
fn impossible_caches_are_refused() {
    let refused = |data: CachesData| Hierarchy::new(&data, &memories(), CLOCK_HZ).err().map(|e| e.to_string());
    let dcache = |data: CacheData| CachesData { dcache: Some(data), ..CachesData::default() };
    let good = small(Replacement::Lru);
    assert_eq!(refused(dcache(good.clone())), None);
    for bad in [
        CacheData { line_bytes: 24, ..good.clone() },
        CacheData { size_bytes: 48, ways: 1, ..good.clone() },
        CacheData { ways: 0, ..good.clone() },
        CacheData { ways: 3, ..good.clone() },
    ] {
        assert!(refused(dcache(bad.clone())).is_some(), "{bad:?}");
    }
    let both = CachesData { unified: Some(good.clone()), ..dcache(good.clone()) };
    assert!(refused(both).unwrap().contains("unified"));
    let alone = CachesData { minicache: Some(good), ..CachesData::default() };
    assert!(refused(alone).unwrap().contains("minicache"));
}

/// Compares a long random walk with a minimal cache model: every access hits in both or in neither.
#[test]
fn a_long_walk_hits_where_a_plain_cache_hits() {
    let (line_bytes, sets, ways) = (32_u32, 4_u32, 8_usize);
    for replacement in [Replacement::Lru, Replacement::RoundRobin] {
        let data = CacheData {
            size_bytes: line_bytes * sets * ways as u32,
            line_bytes,
            ways: ways as u32,
            ..small(replacement)
        };
        let mut system = with_dcache(data);
        let mut plain: Vec<Vec<u32>> = vec![Vec::new(); sets as usize];
        let mut state = 12345_u32;
        let mut missed = 0;
        for step in 0..20_000_u64 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let address = (state >> 8) % 0x1000;
            let line = address / line_bytes;
            let set = &mut plain[(line % sets) as usize];
            let found = set.iter().position(|&held| held == line);
            match (found, replacement) {
                (Some(place), Replacement::Lru) => {
                    set.remove(place);
                    set.push(line);
                }
                (Some(_), _) => {}
                (None, _) => {
                    if set.len() == ways {
                        set.remove(0);
                    }
                    set.push(line);
                    missed += 1;
                }
            }
            assert_eq!(system.load(address, 4, step * 1000) == HIT, found.is_some(), "{replacement:?} {step}");
        }
        assert!(missed > 1000);
        assert_eq!(system.take_counters().unwrap().dcache_misses, missed);
    }
}
