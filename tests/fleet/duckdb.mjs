// SPDX-License-Identifier: MIT
//
// node duckdb.mjs MODULES FILE.sql: runs a file of SQL in DuckDB (npm's @duckdb/node-api, installed
// in MODULES), as its command line program would, and prints the rows with tabs between.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const [modules, file] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create()).connect();
const statements = await connection.extractStatements(readFileSync(file, 'utf8'));
for (let i = 0; i < statements.count; i++) {
    const reader = await (await statements.prepare(i)).runAndReadAll();
    for (const row of reader.getRows()) console.log(row.join('\t'));
}
