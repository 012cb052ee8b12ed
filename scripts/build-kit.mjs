// Packs what an adapter needs into two npm packages in dist-kit/: `namewright-adapter`, and `namewright-adapter-testing`, which needs
// the first one. Each has the compiled files that its entry point reaches, with their types.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const OUT = resolve('dist-kit');
/** Where the files of each kind are, as the compiler writes them. */
const COMPILED = { '.js': resolve('dist'), '.d.ts': join(OUT, 'types') };
const service = JSON.parse(readFileSync('package.json', 'utf8'));
const versions = { ...service.devDependencies, ...service.dependencies };

const SPECIFIER = /((?:\brequire\(|\bimport\(|\bfrom |\bimport )\s*)(["'])([^"']+)\2/g;
/** Of dependency injection inside the service; an adapter has no use for them. */
const TOKEN = /^export declare const \w+: import\("inversify"[^;]*;\n/gm;
const TYPES_ONLY_FOR_THE_SERVICE = /^import type .* from "inversify";\n/gm;

function textOf(file) {
  return readFileSync(file, 'utf8').replaceAll(TOKEN, '').replaceAll(TYPES_ONLY_FOR_THE_SERVICE, '');
}

/** The compiled files that `entry` reaches, and the packages that they import. */
function reached(entry, extension) {
  const files = new Set();
  const packages = new Set();
  const waiting = [join(COMPILED[extension], entry + extension)];
  for (const file of waiting) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, , , specifier] of textOf(file).matchAll(SPECIFIER)) {
      if (specifier.startsWith('.')) waiting.push(fileOf(file, specifier, extension));
      else if (!specifier.startsWith('node:')) packages.add(packageOf(specifier));
    }
  }
  return { files, packages };
}

function fileOf(importer, specifier, extension) {
  return resolve(dirname(importer), specifier.replace(/\.js$/, '')) + extension;
}

/** `@scope/name` of `@scope/name/file`. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Writes a package of what `entry` reaches, and packs it. What `base` has already is imported from there, so that both packages share
 * one copy of each class.
 */
function pack({ name, description, entry, peers = [], base }) {
  const folder = join(OUT, name);
  const code = reached(entry, '.js');
  const types = reached(entry, '.d.ts');
  const own = [...code.files, ...types.files].filter((file) => !base?.files.has(file));
  for (const file of own) {
    const extension = file.endsWith('.d.ts') ? '.d.ts' : '.js';
    const target = join(folder, 'lib', relative(COMPILED[extension], file));
    mkdirSync(dirname(target), { recursive: true });
    const text = textOf(file)
      .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')
      .replaceAll(SPECIFIER, (found, before, quote, specifier) => {
        const imported = specifier.startsWith('.') && fileOf(file, specifier, extension);
        if (!imported || !base?.files.has(imported)) return found;
        const path = relative(COMPILED[extension], imported).slice(0, -extension.length);
        return `${before}${quote}${base.name}/lib/${path}${quote}`;
      });
    writeFileSync(target, text);
  }
  const packages = new Set(own.flatMap((file) => [...textOf(file).matchAll(SPECIFIER)].map(([, , , each]) => each)));
  const dependencies = [...packages]
    .filter((each) => !each.startsWith('.') && !each.startsWith('node:'))
    .map(packageOf)
    .filter((each) => !peers.includes(each));
  const manifest = {
    name,
    version: service.version,
    description,
    private: true,
    main: `./lib/${entry}.js`,
    types: `./lib/${entry}.d.ts`,
    exports: {
      '.': { types: `./lib/${entry}.d.ts`, default: `./lib/${entry}.js` },
      './lib/*': { types: './lib/*.d.ts', default: './lib/*.js' },
    },
    engines: service.engines,
    dependencies: {
      ...Object.fromEntries([...new Set(dependencies)].map((each) => [each, versions[each]])),
      ...(base && { [base.name]: service.version }),
    },
    ...(peers.length > 0 && { peerDependencies: Object.fromEntries(peers.map((each) => [each, versions[each]])) }),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', OUT], { cwd: folder });
  process.stdout.write(
    `dist-kit/${name}-${service.version}.tgz: ${own.length} files, needs ${Object.keys(manifest.dependencies).join(', ')}\n`,
  );
  return { name, files: new Set([...(base?.files ?? []), ...own]) };
}

rmSync(OUT, { recursive: true, force: true });
execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
const base = pack({
  name: 'namewright-adapter',
  description: 'Types, values and helpers for registry adapters of Namewright',
  entry: 'adapter',
});
pack({
  name: 'namewright-adapter-testing',
  description: 'Contract tests of registry adapters of Namewright, and a stand-in for a vendor',
  entry: 'testing',
  peers: ['@jest/globals'],
  base,
});
