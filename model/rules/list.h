/* SPDX-License-Identifier: MIT
 *
 * One line a rule, in the order of the questions a reader asks: findings of equal weight come in
 * this order, so a new rule goes to its place: growing, window_too_short, no_work_in_window,
 * load_driven, plateau_at_cap, doubling_arena, shapes, retained_after_free, file_cache_growth,
 * restart_split, many_small, peaks_added, books_exceed_memory, books_incomplete,
 * shared_counted_twice, outside_processes, value_above_ram, impossible_value, rss_hides_footprint,
 * sources, unit_suspect, swap_nearly_full, free_percent_misleads, compressor_exhausted, watchdog,
 * kernel_zone_exhausted, not_memory, no_panic_record, process_table_absent, report_written_later,
 * kill_explained, kills_counted, victim_largest_grower, per_process_limit, critical_exit,
 * limit_passed, observation_gap, unordered_evidence, fix. Included by model/rules.c with RULE defined; no guard.
 */
RULE(growing)
RULE(window_too_short)
RULE(work)
RULE(doubling_arena)
RULE(shapes)
RULE(plateau_at_cap)
RULE(retained_after_free)
RULE(file_cache_growth)
RULE(restart_split)
RULE(many_small)
RULE(peaks_added)
RULE(books_exceed_memory)
RULE(books_incomplete)
RULE(shared_counted_twice)
RULE(outside_processes)
RULE(value_above_ram)
RULE(impossible_value)
RULE(rss_hides_footprint)
RULE(sources)
RULE(unit_suspect)
RULE(swap_nearly_full)
RULE(free_percent_misleads)
RULE(compressor_exhausted)
RULE(watchdog)
RULE(kernel_zone_exhausted)
RULE(not_memory)
RULE(no_panic_record)
RULE(process_table_absent)
RULE(report_written_later)
RULE(kill_explained)
RULE(kills_counted)
RULE(victim_largest_grower)
RULE(per_process_limit)
RULE(critical_exit)
RULE(limit_passed)
RULE(observation_gap)
RULE(unordered_evidence)
RULE(fix)
