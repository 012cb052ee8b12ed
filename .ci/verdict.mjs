// Counts passed and failed tests and checks. A skipped test that is not on the list is a failure; so are a missing result and
// a test file that fails outside its tests.
import { existsSync, readFileSync } from 'node:fs';

const [resultFile, ...checks] = process.argv.slice(2);
/** Full test names; a trailing star matches a prefix. */
const allowed = (process.env.ALLOWED_SKIPS ?? '').split('\n').map((line) => line.split('\t')[0]);
const isAllowed = (test) =>
  allowed.some((name) => (name.endsWith('*') ? test.startsWith(name.slice(0, -1)) : test === name));
const failures = [];
let passed = 0;

const tests = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')).testResults : [];
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

for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
