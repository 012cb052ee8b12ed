import { array, assert, asyncProperty, boolean, constantFrom, oneof, record } from 'fast-check';
import { addYears } from '../../../src/domain/shared/time/calendar';
import type { EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import {
  createDomain,
  deleteDomain,
  infoDomain,
  renewDomain,
  reportRestore,
  requestRestore,
  updateDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf, type DomainInfo } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { freshName } from '../../../src/testing/registry-fixtures';
import { AUTH_CODE, aNewDomain, EppScenario, transferDomain } from '../../support/epp/epp-scenario';
import { seeded } from '../../support/seeded';

let scene: EppScenario;
beforeAll(async () => {
  scene = await EppScenario.open();
});
afterAll(() => scene.close());

/** Fixed, for what the run is held to at its end: that everything was both done and refused. */
const UNKNOWN_EXPIRY = new Date(0);
const REPORT = { before: 'before', after: 'after', deletedAt: new Date(0), restoredAt: new Date(0) };

/** Commands that a registrar may send, valid or not. */
const ATTEMPTS: Readonly<Record<string, (name: string, expiry: Date) => EppCommand>> = {
  create: (name) => createDomain(aNewDomain({ name, registrant: undefined, contacts: [] })),
  'create for five years': (name) => createDomain(aNewDomain({ name, years: 5, registrant: undefined, contacts: [] })),
  renew: (name, expiry) => renewDomain(name, expiry, 1, undefined),
  'renew for four years': (name, expiry) => renewDomain(name, expiry, 4, undefined),
  lock: (name) => updateDomain(name, { add: { statuses: ['clientTransferProhibited'] } }, 'object'),
  unlock: (name) => updateDomain(name, { remove: { statuses: ['clientTransferProhibited'] } }, 'object'),
  'prohibit deletion': (name) => updateDomain(name, { add: { statuses: ['clientDeleteProhibited'] } }, 'object'),
  'allow deletion': (name) => updateDomain(name, { remove: { statuses: ['clientDeleteProhibited'] } }, 'object'),
  hold: (name) => updateDomain(name, { add: { statuses: ['clientHold'] } }, 'object'),
  'set a code': (name) => updateDomain(name, { authCode: AUTH_CODE }, 'object'),
  delete: (name) => deleteDomain(name),
  'request a restore': (name) => requestRestore(name, undefined),
  'report on a restore': (name) => reportRestore(name, REPORT),
  'request a transfer': (name) => transferDomain('request', name, AUTH_CODE),
  'approve a transfer': (name) => transferDomain('approve', name),
  'reject a transfer': (name) => transferDomain('reject', name),
  'cancel a transfer': (name) => transferDomain('cancel', name),
};

function attemptTo(what: string): (name: string, expiry: Date) => EppCommand {
  const attempt = ATTEMPTS[what];
  if (!attempt) throw new TypeError(`unknown attempt ${what}`);
  return attempt;
}

interface Step {
  readonly who: 'first' | 'second';
  readonly what: string;
  /** Days after the previous step. */
  readonly days: number;
}

/** Sequences that random steps rarely produce. */
const STORIES: readonly (readonly Step[])[] = (['first', 'second'] as const).flatMap((who) => {
  const other = who === 'first' ? 'second' : 'first';
  const at = (what: string, days = 0, actor: Step['who'] = who): Step => ({ who: actor, what, days });
  return [
    [at('allow deletion'), at('delete', 6), at('request a restore'), at('report on a restore')],
    [at('create'), at('allow deletion'), at('delete'), at('create for five years')],
    [at('set a code'), at('unlock'), at('request a transfer', 0, other), at('approve a transfer')],
    [at('set a code'), at('unlock'), at('request a transfer', 0, other), at('reject a transfer')],
    [at('set a code'), at('unlock'), at('request a transfer', 0, other), at('cancel a transfer', 0, other)],
  ];
});

const step = record({
  who: constantFrom<Step['who']>('first', 'second'),
  what: constantFrom(...Object.keys(ATTEMPTS)),
  days: constantFrom(0, 0, 0, 0, 0, 0, 1, 6, 8, 31, 366),
});
const steps = array(
  oneof({ weight: 5, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: constantFrom(...STORIES) }),
  { minLength: 10, maxLength: 20 },
).map((parts) => parts.flat());

/** Mutually exclusive statuses (RFC 5731 section 2.3, RFC 3915 section 3.1). */
function contradictions({ statuses, graceStatuses }: DomainInfo): string[] {
  const pending = [...statuses].filter((status) => status.startsWith('pending'));
  const dying = [...graceStatuses].filter((status) =>
    ['redemptionPeriod', 'pendingRestore', 'pendingDelete'].includes(status),
  );
  return [
    statuses.has('ok') && statuses.size > 1 ? 'ok and something else' : '',
    pending.length > 1 ? 'two things pending' : '',
    statuses.has('pendingDelete') && statuses.has('clientDeleteProhibited') ? 'deleted while that is prohibited' : '',
    statuses.has('pendingTransfer') && statuses.has('clientTransferProhibited')
      ? 'transferred while that is prohibited'
      : '',
    statuses.has('pendingDelete') !== (dying.length === 1) ? 'deleted in one place and not in the other' : '',
    dying.length > 0 && graceStatuses.size > 1 ? 'dying and in another grace period' : '',
  ].filter((text) => text !== '');
}

it('never puts a domain into mutually exclusive states, whatever two registrars send in any order', async () => {
  const seen = new Set<string>();
  await assert(
    asyncProperty(boolean(), steps, async (isRegistered, attempts) => {
      const name = isRegistered ? await scene.registered({ years: 2 }) : freshName().value;
      for (const { who, what, days } of attempts) {
        const now = await scene.registry.server.advance(days);
        const client = who === 'first' ? scene.first : scene.second;
        const before = await client.send(infoDomain(name));
        const expiry = (before.code === 1000 && domainInfoOf(before).expiresAt) || UNKNOWN_EXPIRY;
        const code = await scene.code(attemptTo(what)(name, expiry), client);
        expect(code).not.toBe(2400);
        seen.add(`${what} ${code < 2000 ? 'done' : 'refused'}`);

        const after = await client.send(infoDomain(name));
        if (after.code !== 1000) continue;
        const shown = domainInfoOf(after);
        expect(contradictions(shown)).toEqual([]);
        if (shown.expiresAt) expect(shown.expiresAt.getTime()).toBeLessThanOrEqual(addYears(now, 10).getTime());
      }
    }),
    seeded(25),
  );
  for (const what of Object.keys(ATTEMPTS))
    expect([...seen]).toEqual(expect.arrayContaining([`${what} done`, `${what} refused`]));
});
