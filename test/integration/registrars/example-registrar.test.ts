import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AcmeServer } from '../../../examples/registrar/test/acme-server';
import { api, startService } from '../../support/service/service';
import { build } from '../../support/service/service-process';

const EXAMPLE = resolve('examples/registrar');
const KIT = ['namewright-adapter', 'namewright-adapter-testing'];

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const { version } = manifestOf('.');

const GUIDE = readFileSync('docs/adding-a-registrar.md', 'utf8');

/** A copy of the example outside this repository, with packages as npm installs them: of each no more than its manifest names. */
function copyExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-example-'));
  cpSync(EXAMPLE, folder, {
    recursive: true,
    filter: (source) => !/\/(?:dist|node_modules)(?:\/|$)/.test(source.slice(EXAMPLE.length)),
  });
  for (const name of ['jest', 'typescript', '@types/node']) link(name, folder);
  for (const name of KIT) {
    const unpacked = join(folder, 'node_modules', name);
    mkdirSync(unpacked);
    execFileSync('tar', ['-xzf', resolve(`dist-kit/${name}-${version}.tgz`), '-C', unpacked, '--strip-components=1']);
    const { dependencies, peerDependencies } = manifestOf(unpacked);
    for (const each of Object.keys({ ...dependencies, ...peerDependencies }))
      if (!KIT.includes(each)) link(each, folder);
  }
  return folder;
}

function link(name: string, folder: string): void {
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(resolve('node_modules', name), target);
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

describe('docs/adding-a-registrar.md', () => {
  it('shows the code of the example unchanged', () => {
    const shown = [...GUIDE.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)];

    expect(shown.length).toBeGreaterThan(3);
    for (const [, file = '', code = ''] of shown)
      expect(readFileSync(join(EXAMPLE, file), 'utf8')).toContain(code.trimEnd());
  });
});

describe('the example registrar outside this repository', () => {
  let folder: string;

  beforeAll(() => {
    build();
    execFileSync(process.execPath, ['scripts/build-kit.mjs']);
    folder = copyExample();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('needs few packages, and none that is compiled at its installation', () => {
    for (const name of KIT) {
      const { dependencies = {} } = manifestOf(join(folder, 'node_modules', name));
      const all = JSON.stringify(Object.keys(dependencies));

      expect(Object.keys(dependencies).length).toBeLessThanOrEqual(5);
      expect(all).not.toMatch(/bcrypt|sqlite|mysql|typeorm|express|inversify/);
    }
  });

  it('finds the entry points in the npm package of the service', () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files }] = JSON.parse(packed) as [{ readonly files: readonly { readonly path: string }[] }];
    const paths = files.map(({ path }) => path);

    expect(paths).toEqual(expect.arrayContaining(['dist/main.js', 'docs/openapi.yaml', 'public/dashboard.css']));
    expect(paths.filter((path) => /^(?:src|test|data|bench)\//.test(path))).toEqual([]);
  });

  it('compiles, and passes the registry contract in its own Jest', () => {
    const run = (script: string, ...args: string[]) =>
      execFileSync(process.execPath, [join(folder, 'node_modules', script), ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });

    run('typescript/bin/tsc');
    run('jest/bin/jest.js', '--ci', '--json', '--outputFile=results.json');

    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(10);
  });

  it('serves its TLDs if the registries file names it', async () => {
    const acme = new AcmeServer();
    const settings = { url: await acme.start(), token: { env: 'ACME_TOKEN' } };
    writeFileSync(
      join(folder, 'registries.json'),
      JSON.stringify({ registries: { acme: { adapter: './dist/src/acme-registry.js', settings, tlds: ['com'] } } }),
    );
    process.env['ACME_TOKEN'] = acme.token;
    const service = await startService({ REGISTRIES_FILE: join(folder, 'registries.json') });
    const client = api(service, await service.key(await service.account()));

    const { body } = await client.post('/api/domains/search', { query: 'at-acme', tlds: ['com'] }).expect(200);

    expect(body.results).toEqual([
      { name: 'at-acme.com', available: true, price: { registration: 9.5, renewal: 11, currency: 'USD' } },
    ]);
    await service.stop();
    await acme.stop();
    delete process.env['ACME_TOKEN'];
  });
});
