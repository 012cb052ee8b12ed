import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
/** Of values and of types; as a statement, as an export of another file's, or as an expression. */
const IMPORT = /(?:from |import |import\()'(\.[^']+)'/g;

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(file: string): Import[] {
  const imports = readFileSync(join(SOURCE, file), 'utf8').matchAll(IMPORT);
  return [...imports].flatMap(([, specifier = '']) => {
    const target = join(dirname(file), specifier);
    const to = ['.ts', '.tsx'].map((extension) => target + extension).find((path) => existsSync(join(SOURCE, path)));
    return to === undefined ? [] : [{ from: file, to }];
  });
}

/** The imports that form circles, or lead from one to another. */
function circularIn(imports: readonly Import[]): readonly Import[] {
  const importing = new Set(imports.map(({ from }) => from));
  const imported = new Set(imports.map(({ to }) => to));
  const left = imports.filter(({ from, to }) => importing.has(to) && imported.has(from));
  return left.length === imports.length ? left : circularIn(left);
}

it('finds the imports of a circle among others', () => {
  const circle = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'a' },
  ];

  expect(circularIn([{ from: 'x', to: 'a' }, ...circle, { from: 'b', to: 'y' }, { from: 'y', to: 'z' }])).toEqual(
    circle,
  );
});

it('no files import each other in a circle, not even their types', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const imports = files.flatMap(importsOf);

  expect(imports.length).toBeGreaterThan(files.length);
  expect(circularIn(imports).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});
