import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const CLI = join(ROOT, 'clients/cli');
const CLIENT = join(ROOT, 'clients/typescript');
const IMPORTS = /(?:\bfrom |\bimport |\bimport\()\s*['"](?<specifier>[^'"]+)['"]/g;

function importsOf(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(IMPORTS)].map(({ groups }) => {
        const specifier = groups?.['specifier'] ?? '';
        const target = specifier.startsWith('.') ? resolve(folder, name, '..', specifier) : specifier;
        return { file: relative(ROOT, join(folder, name)), target };
      }),
    );
}

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Those that are neither of Node nor among `files`. */
function foreign(folder: string, isAllowed: (target: string) => boolean) {
  const imports = importsOf(folder);
  expect(imports.length).toBeGreaterThan(3);
  return imports.filter(({ target }) => !target.startsWith('node:') && !isAllowed(target));
}

describe('the clients', () => {
  it('in TypeScript needs nothing but Node', () => {
    expect(foreign(join(CLIENT, 'src'), (target) => target.startsWith(join(CLIENT, 'src/')))).toEqual([]);
  });

  it('on the command line needs nothing but Node, the TypeScript client by its entry, and what its package bundles', () => {
    const { bundleDependencies } = manifestOf(CLI);
    const isAllowed = (target: string) =>
      target.startsWith(join(CLI, 'src/')) ||
      target === join(CLIENT, 'src/namewright.ts') ||
      bundleDependencies?.includes(target) === true;

    expect(foreign(join(CLI, 'src'), isAllowed)).toEqual([]);
  });

  it.each([CLI, CLIENT])('install no packages, and have the version of the service: %s', (folder) => {
    const { dependencies = {}, bundleDependencies = [], version } = manifestOf(folder);

    expect(Object.keys(dependencies)).toEqual(bundleDependencies);
    expect(manifestOf(ROOT)).toMatchObject({ version, dependencies });
  });
});
