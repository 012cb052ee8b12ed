import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { API_ROUTES } from '../../support/http/api-routes';

const ROOT = resolve(__dirname, '../../..');

/** Evaluates an expression of the modules below scripts/clients, which Node reads without a compiler. */
function evaluate(module: string, expression: string) {
  const program = `const m = await import('./scripts/clients/${module}'); console.log(JSON.stringify(${expression}))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stderr, value: status === 0 ? (JSON.parse(stdout) as unknown) : undefined };
}

const METHODS: Readonly<Record<string, (operation: string) => string>> = {
  'python/src/namewright/api.py': (operation) =>
    `def ${operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(`,
  'go/api.go': (operation) => `func (c *Client) ${operation[0]!.toUpperCase()}${operation.slice(1)}(`,
  'php/src/api.php': (operation) => `public function ${operation}(`,
  'java/src/main/java/namewright/Client.java': (operation) => ` ${operation}(`,
};

describe('the generated clients', () => {
  const paths = evaluate('document-with-named-types.mjs', `m.documentWithNamedTypes('docs/openapi.yaml').paths`)
    .value as Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map(({ operationId }) => ({ path, operationId })),
  );
  const names = operations.map(({ operationId }) => operationId);

  it('have one name for each route, and one for each dry run', () => {
    const api = operations.filter(({ path }) => path.startsWith('/api/'));

    expect(new Set(names).size).toBe(names.length);
    expect(api.filter(({ path }) => !path.includes('?'))).toHaveLength(API_ROUTES.length);
    expect(names).toEqual(
      expect.arrayContaining(['addRecord', 'planAddRecord', 'addRecordOfZone', 'planAddRecordOfZone']),
    );
  });

  it.each(Object.entries(METHODS))('have a method for each of them in %s', (file, declaration) => {
    const text = readFileSync(resolve(ROOT, 'clients', file), 'utf8');

    expect(names.filter((name) => !text.includes(declaration(name)))).toEqual([]);
  });

  it.each([
    ['typescript/package.json', '"version": "VERSION"'],
    ['python/pyproject.toml', 'version = "VERSION"'],
    ['python/src/namewright/connection.py', 'namewright-python/VERSION"'],
    ['go/README.md', 'namewright@vVERSION '],
    ['go/connection.go', 'namewright-go/VERSION"'],
    ['php/composer.json', '"version": "VERSION"'],
    ['php/src/connect.php', "namewright-php/VERSION'"],
    ['java/pom.xml', '<version>VERSION</version>'],
    ['java/README.md', 'namewright-client:VERSION'],
    ['java/src/main/java/namewright/Namewright.java', 'namewright-java/VERSION"'],
  ])('have the version of the service in %s', (file, place) => {
    const { version } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { readonly version: string };

    expect(readFileSync(resolve(ROOT, 'clients', file), 'utf8')).toContain(place.replace('VERSION', version));
  });

  it.each(['python', 'go', 'php', 'java'])(
    'are not written if the generator of %s writes another text than is edited',
    (language) => {
      const { status, stderr } = evaluate(
        'edits.mjs',
        `m.edit('${language}', 'a new version', { paths: {}, components: {} })`,
      );

      expect(status).not.toBe(0);
      expect(stderr).toContain(`The ${language} generator wrote 0 times what is edited`);
    },
  );
});
