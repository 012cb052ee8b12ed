// Counts passed and failed tests and checks. A skipped test that is not on the list is a failure; so are a missing result, a
// check that did not run and a test file that fails outside its tests. Writes where the time went before the last line, the
// verdict.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder, ...checks] = process.argv.slice(2);
const LONGEST_SUITES = 10;
const COSTLIEST_SUITES = 40;
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
const parts = readResult('parts.tsv', (text) => text.trimEnd().split('\n'))?.map((line) => line.split('\t')) ?? [];
for (const check of checks) {
  const [, , , exitCode] = parts.find(([title]) => title === check) ?? [];
  if (exitCode === '0') passed += 1;
  else failures.push(exitCode === undefined ? `${check} did not run` : `${check} ended with ${exitCode}`);
}

/** @param rows title, seconds, and processor seconds if they are known */
function writeTimes(title, rows) {
  console.log(`${title.padEnd(50)} seconds  processor`);
  for (const [name, seconds, processor = '-'] of rows)
    console.log(`  ${name.padEnd(48)} ${String(seconds).padStart(7)}  ${String(processor).padStart(9)}`);
}
const processorSeconds = new Map(
  readResult('processor-seconds.tsv', (text) => text.trimEnd().split('\n'))?.map((line) => {
    const [loading, testing, programs, file] = line.split('\t');
    return [file, Math.round(Number(loading) + Number(testing) + Number(programs))];
  }),
);
const suites = tests.map(({ name, startTime, endTime }) => {
  const file = relative(process.cwd(), name);
  return [file, Math.round((endTime - startTime) / 1_000), processorSeconds.get(file)];
});
const campaigns = readResult('campaigns.json', JSON.parse) ?? [];
writeTimes('Parts of the gate', parts);
writeTimes('Longest test files', suites.toSorted((left, right) => right[1] - left[1]).slice(0, LONGEST_SUITES));
const byProcessor = suites.toSorted((left, right) => (right[2] ?? 0) - (left[2] ?? 0));
writeTimes('Test files with the most processor time', byProcessor.slice(0, COSTLIEST_SUITES));
writeTimes(
  'Campaigns',
  campaigns
    .toSorted((left, right) => right.seconds - left.seconds)
    .map(({ name, seconds, processorSeconds }) => [name, seconds, processorSeconds ?? undefined]),
);

for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
