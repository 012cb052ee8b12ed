import { array, assert, asyncProperty, constantFrom, nat, oneof, record, string } from 'fast-check';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { parseXml } from '../../../src/infrastructure/registry/epp/codec/parse-xml';
import { writeXml } from '../../../src/infrastructure/registry/epp/codec/write-xml';
import type { XmlElement } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { commandDocument } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { createContact } from '../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import {
  checkDomains,
  createDomain,
  infoDomain,
  renewDomain,
  reportRestore,
  requestRestore,
  updateDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import {
  checkHosts,
  createHost,
  updateHost,
} from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { pollRequest } from '../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { freshName, REGISTRANT } from '../../../src/testing/registry-fixtures';
import { AUTH_CODE, aNewDomain, EppScenario, transferDomain } from '../../support/epp/epp-scenario';
import { recordedExchanges } from '../../support/epp/epp-fixtures';
import { seeded } from '../../support/seeded';

const USD = { minor: 10_44, currency: 'USD' };
const REPORT = { before: 'before', after: 'after', deletedAt: new Date(0), restoredAt: new Date(0) };
const HELD = freshName().value;

const OURS = [
  checkDomains([HELD, 'gold.com'], { currency: 'USD', create: 1, renew: 1, restore: true }),
  infoDomain(HELD),
  createDomain(aNewDomain({ price: USD })),
  renewDomain(HELD, new Date(), 1, USD),
  updateDomain(
    HELD,
    {
      add: { statuses: ['clientHold'] },
      remove: { hosts: [{ host: 'ns1.outside.example', addresses: [] }] },
      authCode: null,
    },
    'object',
  ),
  requestRestore(HELD, USD),
  reportRestore(HELD, REPORT),
  transferDomain('request', HELD, AUTH_CODE),
  transferDomain('query', HELD),
  checkHosts([`ns1.${HELD}`]),
  createHost(`ns1.${HELD}`, ['192.0.2.1', '2001:db8::1']),
  updateHost(`ns1.${HELD}`, ['192.0.2.2'], ['192.0.2.1']),
  createContact('FUZZ-1', { ...REGISTRANT, lastName: 'Ørsted' }, AUTH_CODE),
].map((command) => commandDocument(command, 'fuzz-1'));
const RECORDED = recordedExchanges().map(({ command }) => command.toString());
const TREES = [...OURS, ...RECORDED].map((document) => parseXml(Buffer.from(document)));

const ODD_TEXT = oneof(
  constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '99999999999999999999',
    'NaN',
    '2026-02-30',
    '9999-12-31',
    'constructor',
    '__proto__',
    HELD,
    `ns1.${HELD}`,
    'HOLDER-1',
    "'; DROP TABLE simreg_registrations; --",
    '%_',
    'a'.repeat(300),
    'xn--zzz',
    'é',
    '\u{1F600}',
  ),
  string({ maxLength: 20, unit: constantFrom('a', '1', '.', '-', ' ', 'é', '<', '&', '"') }),
);
const ODD_NAME = constantFrom(
  'name',
  'period',
  'ns',
  'pw',
  'authInfo',
  'add',
  'chg',
  'status',
  'fee',
  'restore',
  'dsData',
  'addr',
  'constructor',
);
const edits = array(
  record({
    at: nat(40),
    kind: constantFrom('text', 'drop', 'double', 'rename', 'namespace', 'attribute', 'swap'),
    text: ODD_TEXT,
    name: ODD_NAME,
    namespace: constantFrom(...Object.values(NAMESPACES), 'urn:other'),
  }),
  { minLength: 1, maxLength: 4 },
);

type Edit = {
  readonly at: number;
  readonly kind: string;
  readonly text: string;
  readonly name: string;
  readonly namespace: string;
};

/** The tree with its element number `at` (in document order) changed. */
function edited(root: XmlElement, { at, kind, text, name, namespace }: Edit): XmlElement {
  let number = -2;
  const visit = (element: XmlElement): readonly XmlElement[] => {
    number += 1;
    const mine = number === at && element !== root;
    const children = element.children.flatMap(visit);
    const same: XmlElement = { ...element, children };
    if (!mine) return [same];
    if (kind === 'drop') return [];
    if (kind === 'double') return [same, same];
    if (kind === 'rename') return [{ ...same, name }];
    if (kind === 'namespace') return [{ ...same, namespace }];
    if (kind === 'attribute')
      return [
        { ...same, attributes: new Map([...element.attributes.keys(), 'op', 's', 'unit'].map((key) => [key, text])) },
      ];
    return kind === 'swap' ? [{ ...same, children: children.toReversed() }] : [{ ...same, text }];
  };
  return visit(root)[0] ?? root;
}

let scene: EppScenario;
beforeAll(async () => {
  scene = await EppScenario.open();
  await scene.registered({ name: HELD });
});
afterAll(() => scene.close());

it('responds to mutated commands of a logged-in client with valid frames', async () => {
  const codes = new Map<string, number>();
  await assert(
    asyncProperty(constantFrom(...TREES), edits, async (tree, changes) => {
      const document = writeXml(changes.reduce(edited, tree));
      if (/<(?:login|logout)/.test(document)) return;
      scene.registry.exempt((frame) => frame === document);

      const answer = (await scene.first.sendDocument(document)) ?? 'a closed connection';

      const code = /result code="(\d+)"/.exec(answer)?.[1] ?? (answer.includes('<greeting>') ? 'greeting' : answer);
      expect(code).toMatch(/^(?:greeting|1[035]\d\d|20\d\d|2[1-3]\d\d)$/);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }),
    seeded(1_500),
  );
  expect(codes.size).toBeGreaterThan(8);
  expect(await scene.code(pollRequest())).toBeLessThan(2000);
});
