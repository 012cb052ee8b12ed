import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
const IMPORT = /from '(\.[^']+)'/g;

/** What a zone without a registration does not need. */
const REGISTRATION =
  /^(domain|application|application\/ports)\/(registration|registrar|registry|lifecycle|operations|portfolio|transfers)\//;

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

it('DNS knows nothing of registration', () => {
  const known = ['domain/dns', 'application/dns', 'application/ports/dns', 'infrastructure/nameserver'].flatMap(
    (part) =>
      readdirSync(join(SOURCE, part), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => {
          const path = join(SOURCE, part, file);
          return [...readFileSync(path, 'utf8').matchAll(IMPORT)]
            .map(([, specifier = '']) => relative(SOURCE, join(dirname(path), specifier)))
            .filter((target) => REGISTRATION.test(target))
            .map((target) => `${part}/${file} imports ${target}`);
        }),
  );

  expect(known).toEqual([]);
});

function subDomainOf(file: string): string {
  return file.split('/')[0] ?? '';
}
