import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export type Command = readonly string[];

export interface ClientLanguage {
  /** Why this machine cannot run it. */
  readonly missing?: string | undefined;
  /** Compiles the client, the sample of its README, and the programs, in an empty folder. Returns the commands that run the programs. */
  readonly build: (folder: string) => { readonly example: Command; readonly behavior?: readonly Command[] };
}

const CLIENTS = resolve(__dirname, '../../../clients');
const BEHAVIOR = resolve(__dirname, '../../fixtures/clients/behavior');
const missing = (what: string, program: string, ...args: readonly string[]) =>
  spawnSync(program, args).status === 0 ? undefined : `${what} is not installed`;
const run = ([program = '', ...args]: Command, cwd?: string) => execFileSync(program, args, { cwd, stdio: 'pipe' });

/** Debian's, which has Debian's httpx. */
const PYTHON = '/usr/bin/python3';

function buildPython(folder: string) {
  const client = join(CLIENTS, 'python');
  const settings = [`PYTHONPYCACHEPREFIX=${folder}`, `PYTHONPATH=${join(client, 'src')}`];
  const python = ['env', ...settings, PYTHON, '-W', 'error'];
  writeSample('python', join(folder, 'readme.py'));
  run([...python, '-m', 'compileall', '-q', join(client, 'src'), join(folder, 'readme.py')]);
  return {
    example: [...python, join(client, 'example/domain_life.py')],
    behavior: ['behavior.py', 'behavior_async.py'].map((program) => [...python, join(BEHAVIOR, program)]),
  };
}

/** In a module that requires the client, as a user has it. */
function buildGo(folder: string) {
  const client = join(CLIENTS, 'go');
  const replacement = `require namewright v0.1.0\n\nreplace namewright => ${client}\n`;
  writeFileSync(join(folder, 'go.mod'), `module programs\n\ngo 1.18\n\n${replacement}`);
  for (const [name, source] of [
    ['example', join(client, 'example/main.go')],
    ['behavior', join(BEHAVIOR, 'main.go')],
  ] as const) {
    mkdirSync(join(folder, name));
    copyFileSync(source, join(folder, name, 'main.go'));
  }
  writeSample('go', join(folder, 'readme/main.go'));
  run(['go', 'vet', 'namewright', './...'], folder);
  mkdirSync(join(folder, 'bin'));
  run(['go', 'build', '-o', 'bin', './example', './behavior'], folder);
  return { example: [join(folder, 'bin/example')], behavior: [[join(folder, 'bin/behavior')]] };
}

function buildPhp(folder: string) {
  const client = join(CLIENTS, 'php');
  writeSample('php', join(folder, 'readme.php'));
  const sources = readdirSync(join(client, 'src')).map((file) => join(client, 'src', file));
  for (const file of [...sources, join(folder, 'readme.php')]) run(['php', '-l', file]);
  const strict = ['error_reporting=-1', 'display_errors=stderr', 'zend.exception_ignore_args=0'];
  const php = ['env', `CLIENT=${client}`, 'php', ...strict.flatMap((setting) => ['-d', setting])];
  return {
    example: [...php, join(client, 'example/domain-life.php')],
    behavior: [[...php, join(BEHAVIOR, 'behavior.php')]],
  };
}

function buildJava(folder: string) {
  const client = join(CLIENTS, 'java');
  writeSample('java', join(folder, 'Readme.java'));
  const own = join(client, 'src/main/java/namewright');
  const programs = [
    join(client, 'example/DomainLife.java'),
    join(BEHAVIOR, 'Behavior.java'),
    join(folder, 'Readme.java'),
  ];
  const sources = readdirSync(own).map((file) => join(own, file));
  run(['javac', '-Xlint:all', '-Werror', '-d', folder, ...sources, ...programs]);
  return { example: ['java', '-cp', folder, 'DomainLife'], behavior: [['java', '-cp', folder, 'Behavior']] };
}

/** The sample of the README. */
function writeSample(language: string, file: string): void {
  const readme = readFileSync(join(CLIENTS, language, 'README.md'), 'utf8');
  const [, sample] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme) ?? [];
  if (sample === undefined) throw new Error(`The README of ${language} has no sample`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sample);
}

export const OTHER_LANGUAGES: Readonly<Record<string, ClientLanguage>> = {
  Python: { missing: missing('python3-httpx', PYTHON, '-c', 'import httpx'), build: buildPython },
  Go: { missing: missing('Go', 'go', 'version'), build: buildGo },
  PHP: {
    missing: missing('PHP with curl', 'php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
    build: buildPhp,
  },
  Java: { missing: missing('a JDK', 'javac', '-version'), build: buildJava },
};
