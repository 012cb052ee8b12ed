import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
const IMPORT = /from '([^']+)'|^import '([^']+)'/gm;

/** Whom each layer may import of our own, and which packages. Wiring (container, main, cli) may import everything. */
const LAYERS: Record<string, { readonly layers: readonly string[]; readonly packages: RegExp }> = {
  domain: { layers: ['domain'], packages: /^(node:|tr46$)/ },
  application: { layers: ['application', 'domain'], packages: /^(node:|inversify$)/ },
  infrastructure: { layers: ['infrastructure', 'application', 'domain', 'config', 'adapter'], packages: /./ },
  http: { layers: ['http', 'application', 'domain'], packages: /./ },
  config: { layers: ['config', 'domain'], packages: /^node:/ },
};

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '');
}

/** The files of a layer's folder, and the file of the same name beside it (`config.ts`). */
function filesIn(layer: string): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name === `${layer}.ts` || (name.startsWith(`${layer}/`) && /\.tsx?$/.test(name)))
    .map((name) => join(SOURCE, name));
}

function layerOf(file: string, specifier: string): string {
  return relative(SOURCE, normalize(join(dirname(file), specifier))).split('/')[0] ?? '';
}

describe.each(Object.entries(LAYERS))('the %s layer', (layer, { layers, packages }) => {
  const imports = filesIn(layer).flatMap((file) =>
    importsOf(file).map((specifier) => ({ file: relative(SOURCE, file), path: file, specifier })),
  );

  it('finds the files that it checks', () => {
    expect(imports.length).toBeGreaterThan(0);
  });

  it('imports only the layers below it', () => {
    const strays = imports.filter(
      ({ path, specifier }) => specifier.startsWith('.') && !layers.includes(layerOf(path, specifier)),
    );

    expect(strays.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('uses only the packages that it may', () => {
    const strays = imports.filter(({ specifier }) => !specifier.startsWith('.') && !packages.test(specifier));

    expect(strays.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

/** Imports and exports from our own modules that exist when a program runs. */
const AT_RUN_TIME = /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gm;

/** The files that a program loads, itself included. */
function loadedBy(program: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    const source = [`${file}.ts`, `${file}.tsx`, `${file}/index.ts`].find((name) => existsSync(name));
    if (source === undefined || loaded.has(source)) return;
    loaded.add(source);
    for (const [, from = ''] of readFileSync(source, 'utf8').matchAll(AT_RUN_TIME)) load(join(dirname(source), from));
  };
  load(join(SOURCE, program));
  return loaded;
}

it.each(['cli', 'worker'])(
  'lets the program %s, which serves no HTTP, load no pages, routes or controllers',
  (program) => {
    const loaded = [...loadedBy(program)].map((file) => relative(SOURCE, file));

    expect(loaded).toContain('container/container.ts');
    expect(loaded.filter((file) => /^http\/(?:dashboard|compat|mcp|server|app|api\/routes)/.test(file))).toEqual([]);
  },
);

it('lets one file of the domain use a package, for UTS #46', () => {
  const users = filesIn('domain').filter((file) => importsOf(file).includes('tr46'));

  expect(users.map((file) => relative(SOURCE, file))).toEqual(['domain/shared/idna.ts']);
});

/** Folders of registrar adapters, which could be packages: each has a file that starts it. EPP shares its codec with the sandbox server. */
const REGISTRARS = readdirSync(join(SOURCE, 'infrastructure/registry'), { recursive: true, encoding: 'utf8' }).flatMap(
  (file) => /^(?!epp\/)([a-z]+)\/start-\1\.ts$/.exec(file)?.[1] ?? [],
);

it('finds the registrar adapters that it checks', () => {
  expect(REGISTRARS).toEqual(expect.arrayContaining(['dnsimple', 'namecom', 'realtimeregister']));
});

it.each(REGISTRARS)('lets the registrar adapter %s import only namewright-adapter', (registrar) => {
  const files = filesIn('infrastructure').filter((file) => file.includes(`/registry/${registrar}/`));
  const strays = files
    .flatMap((file) => importsOf(file).map((specifier) => `${relative(SOURCE, file)} imports ${specifier}`))
    .filter((line) => !/ imports (?:\.\/[a-z0-9-]+|(?:\.\.\/){3}adapter|node:.+)$/.test(line));

  expect(files.length).toBeGreaterThan(0);
  expect(strays).toEqual([]);
});
