// npm run bench: runs all parts, or those named (npm run bench -- interface many-domains), and compares the results with
// their aims. A part is a file in this folder whose `run()` returns results (support/results.mjs). Exits 1 if an aim is missed;
// BENCH_AIMS=off only proves that the parts run.
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { printSummary } from './support/results.mjs';

const THIS = 'run';
const parts = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => parse(file).name)
  .filter((name) => name !== THIS);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part: ${unknown.join(', ')}. Parts: ${parts.join(', ')}\n`);
  process.exit(2);
}

const results = [];
for (const name of wanted.length > 0 ? wanted : parts) {
  process.stdout.write(`\n${name}\n`);
  const { run } = await import(`./${name}.mjs`);
  results.push(...(await run()));
}
printSummary(results);
process.exitCode = process.env.BENCH_AIMS === 'off' || results.every(({ met }) => met) ? 0 : 1;
