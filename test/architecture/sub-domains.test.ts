import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
const IMPORT = /from '(\.[^']+)'/g;
const CODE = /\.tsx?$/;

/** What a zone without a registration does not need. */
const REGISTRATION =
  /^(domain|application|application\/ports)\/(registration|registrar|registry|lifecycle|operations|portfolio|transfers)\//;

/** The sub-domains of a layer: each may import those before it, and no others. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  domain: ['shared', 'dns', 'domain-connect', 'access', 'registration', 'registrar', 'portfolio', 'health'],
  application: [
    'ports',
    'shared',
    'audit',
    'quotas',
    'idempotency',
    'access',
    'events',
    'notices',
    'webhooks',
    'publishing',
    'operations',
    'lifecycle',
    'registration',
    'dns',
    'dnssec',
    'registrar',
    'hosting',
    'transfers',
    'portfolio',
    'moves',
    'proposals',
    'desired-state',
    'health',
    'sandbox',
    'retention',
    'worker',
  ],
};

/** The folders of the dashboard: each may import those before it, and no others. What every page needs has no folder. */
const DASHBOARD_ORDER = [
  'middleware',
  'layout',
  'passkeys',
  'reauthentication',
  'settings',
  'notices',
  'health',
  'domains',
  'costs',
  'dnssec',
  'registrant',
  'register',
  'sign-in',
  'activity',
  'api-keys',
  'webhooks',
  'second-factor',
  'transfers',
  'domain',
  'moves',
  'sandbox',
  'zone',
  'add',
  'state',
  'bulk',
  'providers',
  'templates',
  'connect',
  'palette',
  'team',
  'mail',
  'set-up',
  'nameservers',
  'imports',
  'records',
  'proposals',
  'overview',
  'notifications',
  'live',
  'errors',
];

describe.each([...Object.entries(ORDER), ['http/dashboard', DASHBOARD_ORDER] as const])(
  'the folders of %s',
  (part, order) => {
    const folder = join(SOURCE, part);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => CODE.test(file));
    const inFolders = part in ORDER ? files : files.filter((file) => file.includes('/'));

    it('are each named in the order', () => {
      expect(new Set(inFolders.map(folderOf))).toEqual(new Set(order));
    });

    it('import only the folders before them', () => {
      const upward = inFolders.flatMap((file) =>
        [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)].flatMap(([, specifier = '']) => {
          const target = relative(folder, join(dirname(join(folder, file)), specifier));
          return order.indexOf(folderOf(target)) > order.indexOf(folderOf(file))
            ? [`${part}/${file} imports ${part}/${target}`]
            : [];
        }),
      );

      expect(upward).toEqual([]);
    });
  },
);

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

function folderOf(file: string): string {
  return file.split('/')[0] ?? '';
}
