// Counts passed and failed tests and checks. A skipped test that is not on the list is a failure; so are a missing result and
// a test file that fails outside its tests. Writes where the time went before the verdict, the last line.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder, ...checks] = process.argv.slice(2);
const LONGEST_SUITES = 10;
const readResult = (name, parse) => {
  const file = join(folder, name);
  return existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
};
/** Full test names; a trailing star matches a prefix. */
const allowed = (process.env.ALLOWED_SKIPS ?? '').split('\n').map((line) => line.split('\t')[0]);
const isAllowed = (test) =>
  allowed.some((name) => (name.endsWith('*') ? test.startsWith(name.slice(0, -1)) : test === name));
const failures = [];
let passed = 0;

const tests = readResult('jest.json', JSON.parse)?.testResults ?? [];
if (tests.length === 0) failures.push('the tests wrote no result');
for (const { name, status, message, assertionResults } of tests) {
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
    failures.push(`${name}: ${message}`);
  for (const { fullName, status: outcome } of assertionResults) {
    if (outcome === 'passed') passed += 1;
    else if (outcome === 'failed' || !isAllowed(fullName)) failures.push(`${outcome}: ${fullName}`);
  }
}
for (const check of checks) {
  const [title, exitCode] = check.split('=');
  if (exitCode === '0') passed += 1;
  else failures.push(`${title} ended with ${exitCode}`);
}

/** @param rows title, seconds, and processor seconds if they are known */
function writeTimes(title, rows) {
  console.log(`${title.padEnd(50)} seconds  processor`);
  for (const [name, seconds, processor = '-'] of rows)
    console.log(`  ${name.padEnd(48)} ${String(seconds).padStart(7)}  ${String(processor).padStart(9)}`);
}
const suites = tests.map(({ name, startTime, endTime }) => [
  relative(process.cwd(), name),
  Math.round((endTime - startTime) / 1_000),
]);
const campaigns = readResult('campaigns.json', JSON.parse) ?? [];
writeTimes(
  'Parts of the gate',
  readResult('parts.tsv', (text) => text.trimEnd().split('\n'))?.map((line) => line.split('\t')) ?? [],
);
writeTimes('Longest test files', suites.toSorted((left, right) => right[1] - left[1]).slice(0, LONGEST_SUITES));
writeTimes(
  'Campaigns',
  campaigns
    .toSorted((left, right) => right.seconds - left.seconds)
    .map(({ name, seconds, processorSeconds }) => [name, seconds, processorSeconds ?? undefined]),
);

for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
