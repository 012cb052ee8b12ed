import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');

/** docs/decisions/0023-module-state.md: what two services in one process may share, by why. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'bounds what the process has once: its event loop, its memory, its standard output': [
    'application/shared/pages-of.ts longReads',
    'application/shared/run-cooperatively.ts usedMs',
    'application/shared/run-cooperatively.ts waiting',
    'http/api/request-body.ts longBodies',
    'http/api/states/state-request-body.ts YAML_TEXTS',
    'http/shared/unread-responses.ts unreadResponses',
    'infrastructure/system/pino-log.ts stdout',
  ],
  'observes the process, for its metrics and traces': ['application/shared/observation.ts observers'],
  'belongs to a caller, by its asynchronous context': [
    'application/ports/registry/command-limit.ts running',
    'application/ports/registry/command-limit.ts storage',
  ],
  'belongs to an object that is injected': [
    'application/shared/outage.ts failingByLog',
    'http/shared/unavailable-warnings.ts windows',
    'infrastructure/persistence/dns/zone-changes.ts prepared',
  ],
  'keeps results that depend on nothing but their input': [
    'domain/dns/dnssec/signing-records.ts knownBitmaps',
    'domain/shared/time/date-text.ts formatsByZone',
    'domain/shared/money.ts digits',
    'domain/shared/network.ts checked',
    'http/dashboard/costs/month-bars.tsx formats',
    'http/dashboard/layout/money.tsx formats',
    'http/docs/docs-routes.ts reference',
    'infrastructure/registry/rest/response-reader.ts ajv',
    'infrastructure/settings/yaml-file.ts ajv',
    'infrastructure/system/password-strength.ts estimator',
  ],
  'makes identifiers that must differ within the process': [
    'infrastructure/registry/epp/session/epp-session.ts serial',
    'testing/registry-fixtures.ts serial',
  ],
  'belongs to one worker thread': [
    'infrastructure/persistence/database/sqlite/sqlite-writer-thread.js database',
    'infrastructure/persistence/database/sqlite/sqlite-writer-thread.js dataVersion',
    'infrastructure/persistence/database/sqlite/sqlite-writer-thread.js prepared',
    'infrastructure/persistence/database/sqlite/sqlite-writer-thread.js refusal',
  ],
};

/** What a module declares at its top level and can change: `let`, and constants that are empty collections or objects with state. */
function stateOf(text: string): readonly string[] {
  const declared = [...text.matchAll(/^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly)[^=]+)? = ([^\n]*))/gm)];
  return declared.flatMap(([, variable, constant = '', value = '']) =>
    variable === undefined ? (HAS_STATE.some((pattern) => pattern.test(value)) ? [constant] : []) : [variable],
  );
}

const HAS_STATE = [
  // Without content, a collection waits for some.
  /^new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)/,
  // Of these classes, no instance changes; the readers of bodies have settings only.
  /^new (?!(Map|Set|RegExp|Date|TextDecoder|Uint8Array|BlockList|KnownParameters|JsonBody|TextBody|Intl\.\w+)\b)/,
  /^\(.*\?\?= /,
];

describe('the state of modules', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(tsx?|js)$/.test(name));

  it('is only what services in one process may share, which docs/decisions/0023-module-state.md explains', () => {
    const found = files.flatMap((file) =>
      stateOf(readFileSync(join(SOURCE, file), 'utf8')).map((name) => `${file} ${name}`),
    );

    expect(found.toSorted()).toEqual(Object.values(ALLOWED).flat().toSorted());
  });

  it('is found by its declaration', () => {
    const module = [
      'let last: string | undefined;',
      'const seen = new Map<string, Set<string>>();',
      'export const slots: Slots = new FairSlots(3, 2);',
      'const storage = (shared[KEY] ??= new AsyncLocalStorage());',
      "const NAMES = new Set(['a']);",
      'const NONE: ReadonlyMap<string, never> = new Map();',
      'const PATTERN = /new Map()/;',
    ].join('\n');

    expect(stateOf(module)).toEqual(['last', 'seen', 'slots', 'storage']);
  });
});
