// Lists what changed in docs/openapi.yaml since the last release so that a program written with a client no longer compiles or works.
// Fails if CHANGELOG.md does not say so: an item below "### Breaking" of the next release that has the names of a finding in backticks.
// node scripts/clients/breaking-changes.mjs [BASE [REVISION [CHANGELOG]]]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentWithNamedTypes } from './document-with-named-types.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
/** Written by `npm run fixtures:release`. Until the first release, that of 2026-11-28, from which clients were generated first. */
const LAST_RELEASE = join(ROOT, 'test/fixtures/releases/openapi.yaml');

// Clients bear values that they do not know, and check neither patterns nor lengths.
const RULES = {
  extends: ['diff-recommended'],
  telemetry: 'off',
  diff: { 'enum-values-added': 'off', 'schema-constraint-changed': 'off' },
};

/** The findings of `redocly diff`, which compares what travels. */
function differences(base, revision) {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-diff-'));
  try {
    const file = (name, value) => {
      writeFileSync(join(folder, name), JSON.stringify(value));
      return join(folder, name);
    };
    const [one, other] = [file('base.json', base), file('revision.json', revision)];
    const options = ['--config', file('redocly.yaml', RULES), '--format', 'json', '--fail-on', 'none'];
    const report = execFileSync(process.execPath, [REDOCLY, 'diff', one, other, ...options], {
      encoding: 'utf8',
      maxBuffer: 100 * 1024 * 1024,
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return JSON.parse(report).changes.flatMap(({ path, verdicts }) =>
      verdicts
        .filter(({ impact }) => impact === 'major')
        .map(({ message }) => describe(message, operationAt(path, base))),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The operation that a JSON pointer leads into. */
function operationAt(pointer, { paths }) {
  const [, kind, path = '', method] = pointer
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return kind === 'paths' ? paths[path]?.[method]?.operationId : undefined;
}

/** A message that names a member alone gets the operation. */
const describe = (message, operation) =>
  operation && (message.match(/`[^`]+`/g) ?? []).length < 2 ? `\`${operation}\`: ${message}` : message;

/** What travels is the same if a type gets another name, or if a request loses a member that the service ignored; source is not. */
function lostNames(base, revision) {
  const [before, after] = [base.components.schemas, revision.components.schemas];
  return Object.entries(before).flatMap(([name, { properties = {} }]) => {
    if (!after[name]) return [`Type \`${name}\` was removed or renamed.`];
    const kept = after[name].properties ?? {};
    return Object.keys(properties)
      .filter((member) => !(member in kept))
      .map((member) => `Property \`${member}\` of \`${name}\` was removed.`);
  });
}

/** The items below "### Breaking" of the next release. */
function itemsOf(changelog) {
  const [next = ''] = changelog.split(/^## /m).slice(1);
  const [breaking = ''] = next.split(/^### /m).filter((section) => section.startsWith('Breaking\n'));
  return breaking.split(/^- /m).slice(1);
}

const isNamed = (items) => (finding) => {
  const names = finding.match(/`[^`]+`/g) ?? [];
  return items.some((item) => names.every((name) => item.includes(name)));
};

const [base = LAST_RELEASE, revision = join(ROOT, 'docs/openapi.yaml'), changelog = join(ROOT, 'CHANGELOG.md')] =
  process.argv.slice(2);
const documents = [base, revision].map((file) => documentWithNamedTypes(file));
const findings = [...new Set([...differences(...documents), ...lostNames(...documents)])];
const named = isNamed(itemsOf(readFileSync(changelog, 'utf8')));
for (const finding of findings) process.stdout.write(`${named(finding) ? 'named' : 'NOT NAMED'}: ${finding}\n`);
if (!findings.every(named)) {
  process.stderr.write('Write what breaks below "### Breaking" in CHANGELOG.md, with these names in backticks.\n');
  process.exitCode = 1;
}
