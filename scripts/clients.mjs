// Generates the API clients in clients/ from docs/openapi.yaml: `npm run clients`, or `npm run clients -- typescript` for some of them.
// With --if-needed, only those that are missing or older than the document; with --check, nothing is written, and a difference fails.
// TypeScript's is not in Git, because its package is built here. The others are: their users install them from a checkout without Node.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentWithNamedTypes } from './clients/document-with-named-types.mjs';
import { documentWithUnions } from './clients/document-with-unions.mjs';
import { edit } from './clients/edits.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const DOCUMENT = join(ROOT, 'docs/openapi.yaml');
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');

/** Of each language of `redocly generate-client`: the document that it reads, the file that it names by the language's customs, our name. */
const LANGUAGES = {
  typescript: { read: documentWithUnions, generated: 'client.ts', output: 'clients/typescript/src/api.ts' },
  python: { read: documentWithNamedTypes, generated: 'client.py', output: 'clients/python/src/namewright/api.py' },
  go: { read: documentWithNamedTypes, generated: 'client.go', output: 'clients/go/api.go' },
  php: { read: documentWithNamedTypes, generated: 'client.php', output: 'clients/php/src/api.php' },
  java: {
    read: documentWithNamedTypes,
    generated: 'Client.java',
    output: 'clients/java/src/main/java/namewright/Client.java',
  },
};

/** Lists have their next page in `Link`. */
const CONFIGURATION = { telemetry: 'off', client: { pagination: { style: 'link', items: '' } } };

/** The texts of clients that read the same document. */
function generate(read, names) {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-clients-'));
  try {
    const [input, configuration] = [join(folder, 'openapi.json'), join(folder, 'redocly.yaml')];
    const document = read(DOCUMENT);
    writeFileSync(input, JSON.stringify(document));
    writeFileSync(configuration, JSON.stringify(CONFIGURATION));
    const options = ['--output', join(folder, 'client.ts'), '--go-package', 'namewright', '--config', configuration];
    const generators = names.flatMap((name) => ['--generator', name]);
    execFileSync(process.execPath, [REDOCLY, 'generate-client', input, ...options, ...generators], {
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return names.map((name) => ({
      output: LANGUAGES[name].output,
      text: edit(name, readFileSync(join(folder, LANGUAGES[name].generated), 'utf8'), document),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write({ output, text }) {
  const target = join(ROOT, output);
  mkdirSync(dirname(target), { recursive: true });
  // A rename replaces the file at once, for those who read it at the same time.
  writeFileSync(`${target}.${process.pid}`, text);
  renameSync(`${target}.${process.pid}`, target);
  process.stderr.write(`${output}\n`);
}

function check({ output, text }) {
  const file = join(ROOT, output);
  if (existsSync(file) && text === readFileSync(file, 'utf8')) return;
  process.stderr.write(`${output} is not what docs/openapi.yaml makes: npm run clients\n`);
  process.exitCode = 1;
}

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isStale = (name) =>
  modifiedAt(join(ROOT, LANGUAGES[name].output)) <
  Math.max(
    modifiedAt(DOCUMENT),
    modifiedAt(fileURLToPath(import.meta.url)),
    ...readdirSync(join(ROOT, 'scripts/clients')).map((file) => modifiedAt(join(ROOT, 'scripts/clients', file))),
    modifiedAt(join(ROOT, 'package-lock.json')),
  );

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = names.find((name) => LANGUAGES[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no client for ${unknown}: ${Object.keys(LANGUAGES).join(', ')}\n`);
  process.exitCode = 1;
} else {
  const chosen = names.length > 0 ? names : Object.keys(LANGUAGES);
  const wanted = process.argv.includes('--if-needed') ? chosen.filter(isStale) : chosen;
  const act = process.argv.includes('--check') ? check : write;
  for (const read of new Set(wanted.map((name) => LANGUAGES[name].read))) {
    for (const client of generate(
      read,
      wanted.filter((name) => LANGUAGES[name].read === read),
    ))
      act(client);
  }
}
