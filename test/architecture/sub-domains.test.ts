import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
const IMPORT = /from '(\.[^']+)'/g;

/** The sub-domains of a layer: each may import those before it, and no others. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  domain: ['shared', 'dns', 'access', 'registration', 'registrar', 'portfolio', 'health'],
  application: [
    'ports',
    'shared',
    'audit',
    'quotas',
    'idempotency',
    'access',
    'publishing',
    'operations',
    'lifecycle',
    'registration',
    'dns',
    'dnssec',
    'registrar',
    'portfolio',
    'transfers',
    'health',
    'sandbox',
    'retention',
    'worker',
  ],
};

describe.each(Object.entries(ORDER))('the sub-domains of the %s layer', (layer, order) => {
  const folder = join(SOURCE, layer);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  it('are the folders of the layer, each named in the order', () => {
    expect(new Set(files.map(subDomainOf))).toEqual(new Set(order));
  });

  it('import only the sub-domains before them', () => {
    const upward = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)].flatMap(([, specifier = '']) => {
        const target = relative(folder, join(dirname(join(folder, file)), `${specifier}.ts`));
        const isOwn = !target.startsWith('..') && existsSync(join(folder, target));
        const isUp = order.indexOf(subDomainOf(target)) > order.indexOf(subDomainOf(file));
        return isOwn && isUp ? [`${layer}/${file} imports ${layer}/${target}`] : [];
      }),
    );

    expect(upward).toEqual([]);
  });
});

function subDomainOf(file: string): string {
  return file.split('/')[0] ?? '';
}
