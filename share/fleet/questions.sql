-- SPDX-License-Identifier: MIT
--
-- Questions to a whole fleet, for DuckDB. Run it where lines/ (of the map step) and audits/ (of the
-- reduce step) are:   duckdb < questions.sql
--
-- The lines say what was read; the audits say what it proves. SQL over lines ranks millions of lives
-- in seconds; a verdict (is it growth beyond the rounding, is it a warm-up, did it work at all) is
-- taken from the audits.

CREATE VIEW line AS
SELECT * FROM read_json('lines/*.ndjson', format = 'newline_delimited', columns = {
    type: 'VARCHAR', host: 'VARCHAR', boot: 'VARCHAR', name: 'VARCHAR', pid: 'BIGINT',
    started: 'TIMESTAMPTZ', source: 'VARCHAR', record: 'BIGINT', "row": 'BIGINT', uuid: 'VARCHAR',
    metric: 'VARCHAR', category: 'VARCHAR', "at": 'TIMESTAMPTZ', value_bytes: 'BIGINT',
    resolution_bytes: 'BIGINT', os: 'VARCHAR', model: 'VARCHAR', killed: 'BOOLEAN',
    reason: 'VARCHAR', kind: 'VARCHAR', "of": 'VARCHAR',
    books: 'STRUCT(sum_bytes BIGINT, complete BOOLEAN)',
    figures: 'STRUCT(ram BIGINT, managed BIGINT, used BIGINT, compressor BIGINT,
                     swap_used BIGINT, swap_total BIGINT)'});

-- One life of one process of one build (the UUID of its program's file changes with each build).
CREATE VIEW life AS
SELECT
    r.host, r.boot, r.name, r.pid, w.uuid AS build,
    count(*) AS readings,
    date_diff('second', min(r."at"), max(r."at")) / 3600.0 AS hours,
    arg_min(r.value_bytes, r."at") AS first_bytes,
    arg_max(r.value_bytes, r."at") AS last_bytes,
    max(r.resolution_bytes) AS step_bytes,
    regr_slope(r.value_bytes, epoch(r."at")) * 3600 AS bytes_per_hour,
    corr(r.value_bytes, epoch(r."at")) AS straightness
FROM line r
JOIN line w ON w.type = 'row' AND w.host = r.host AND w.source = r.source AND w."row" = r."row"
WHERE r.type = 'reading' AND r.metric = 'phys_footprint' AND r.category IS NULL
GROUP BY ALL;

-- 1. Which builds leak? Those whose lives rise on most hosts, beyond the step of the readings.
SELECT
    'leaking builds' AS question, name, build, count(*) AS lives, count(DISTINCT host) AS hosts,
    round(avg((last_bytes - first_bytes > 2 * step_bytes)::INT), 2) AS share_that_rose,
    round(median(bytes_per_hour) / 1048576, 2) AS mib_per_hour,
    round(median(straightness), 3) AS straightness
FROM life
WHERE readings >= 4 AND hours >= 1
GROUP BY name, build
HAVING share_that_rose >= 0.9 AND median(straightness) > 0.9
ORDER BY mib_per_hour DESC, name, build
LIMIT 20;

-- 2. Which hosts are near their limit? Books beside memory, and how much of it the compressor holds.
SELECT
    'hosts near their limit' AS question, host,
    round(max(books.sum_bytes / coalesce(figures.ram, figures.managed)), 3) AS books_of_memory,
    round(max(figures.used / figures.managed), 3) AS used_of_managed,
    round(max(figures.compressor / figures.managed), 3) AS compressor_of_managed,
    count(*) AS states, max("at") AS last_seen
FROM line
WHERE type = 'state' AND "of" IS NULL
GROUP BY host
ORDER BY used_of_managed DESC NULLS LAST, host
LIMIT 20;

-- 3. Who is killed, and why?
SELECT
    'kills' AS question, name, reason, count(*) AS kills, count(DISTINCT host) AS hosts
FROM line
WHERE type = 'event' AND kind LIKE '%kill%'
GROUP BY name, reason
ORDER BY kills DESC, name, reason
LIMIT 20;

-- 4. What do the audits prove? Verdicts on growth, by name.
SELECT
    'verdicts' AS question, p.name, count(DISTINCT filename) AS hosts, count(*) AS lives,
    count(*) FILTER (s.growth.verdict = 'growing') AS growing,
    count(*) FILTER (s.growth.verdict = 'not_growing') AS not_growing,
    round(median(s.growth.best_bytes_per_hour) FILTER (s.growth.verdict = 'growing') / 1048576, 2)
        AS mib_per_hour
FROM (
    SELECT filename, unnest(processes) AS p FROM read_json('audits/*.json', filename = true,
        maximum_object_size = 1073741824, columns = {processes: 'STRUCT(name VARCHAR, series
            STRUCT(metric VARCHAR, points BIGINT, growth
                STRUCT(verdict VARCHAR, best_bytes_per_hour DOUBLE))[])[]'})
), unnest(p.series) AS one(s)
WHERE s.metric = 'phys_footprint'
GROUP BY p.name
HAVING growing > 0
ORDER BY growing DESC, hosts DESC, p.name
LIMIT 20;
