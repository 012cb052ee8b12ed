import { checkOf, worstOf } from '../../../../src/domain/health/health-check';
import { judgeNameservers, lightsOf, type ServerAnswer } from '../../../../src/domain/health/judge-nameservers';
import {
  judgeDelegation,
  judgeExpiry,
  judgeParent,
  judgeTransferLock,
  type RegistryDelegation,
} from '../../../../src/domain/health/judge-registration';
import { judgeDnssec, judgeResolution } from '../../../../src/domain/health/judge-resolution';
import { judgeCaa, judgeCnameTargets } from '../../../../src/domain/health/judge-zone';
import type { Lookup } from '../../../../src/domain/health/lookup';
import { dsRecordOf } from '../../../../src/domain/dns/delegation/ds-record';
import type { SigningState } from '../../../../src/domain/dns/dnssec/signing-step';
import { aDomain } from '../../../support/data/a-domain';

const OURS = ['ns1.example.net', 'ns2.example.net'];
const OTHERS = ['ns1.elsewhere.test', 'ns2.elsewhere.test'];
const found = (...records: string[]): Lookup => ({ kind: 'found', records, via: [], isAuthentic: false });
const AUTHENTIC: Lookup = { kind: 'found', records: ['7'], via: [], isAuthentic: true };
const NO_DATA: Lookup = { kind: 'no_data', via: [] };
const NO_NAME: Lookup = { kind: 'no_name', via: [] };
const SERVFAIL: Lookup = { kind: 'servfail' };
const FAILED: Lookup = { kind: 'failed', reason: 'the resolver did not respond' };

describe('the state of a domain', () => {
  it('is the worst state of its checks, without those that do not apply', () => {
    expect(worstOf(['ok', 'not_applicable', 'unknown', 'warning'])).toBe('warning');
    expect(worstOf(['ok', 'unknown'])).toBe('unknown');
    expect(worstOf(['not_applicable'])).toBe('ok');
  });

  it('has bounded evidence for any input from the network', () => {
    const { summary, evidence } = checkOf('caa', {
      state: 'ok',
      summary: 'x'.repeat(1_000),
      evidence: Array.from({ length: 100 }, () => 'y'.repeat(1_000)),
    });

    expect(summary).toHaveLength(301);
    expect(evidence).toHaveLength(21);
    expect(evidence.at(-1)).toBe('… and 80 more');
    expect(Math.max(...evidence.map(({ length }) => length))).toBe(301);
  });
});

describe('the check of what the parent zone delegates', () => {
  it.each([
    ['ok', OURS],
    ['problem', [...OURS, ...OTHERS]],
    ['warning', OTHERS],
    ['warning', []],
    ['unknown', undefined],
  ] as const)('finds %s for %j', (state, delegatedTo) => {
    expect(judgeParent({ delegatedTo, ourNameservers: OURS })).toMatchObject({ state });
  });

  it('offers no action, because the name is registered elsewhere', () => {
    for (const delegatedTo of [OTHERS, [], [...OURS, ...OTHERS]])
      expect(judgeParent({ delegatedTo, ourNameservers: OURS })).not.toHaveProperty('action');
  });
});

describe('the check of the delegation', () => {
  const judge = (nameservers: readonly string[], registry: RegistryDelegation, recordCount = 1) => {
    const { status } = aDomain({ status: 'active' }).toState();
    return judgeDelegation({ domain: { status, nameservers }, registry, ourNameservers: OURS, recordCount }).state;
  };

  it.each<[string, readonly string[], RegistryDelegation, number, string]>([
    ['to this service', OURS, { kind: 'stored' }, 1, 'ok'],
    [
      'to this service, read at the registry in another order',
      OURS,
      { kind: 'read', nameservers: OURS.toReversed() },
      1,
      'ok',
    ],
    ['to others without records here', OTHERS, { kind: 'stored' }, 0, 'not_applicable'],
    ['to others with records here', OTHERS, { kind: 'stored' }, 3, 'warning'],
    ['to this service and others', [OURS[0] ?? '', OTHERS[0] ?? ''], { kind: 'stored' }, 1, 'problem'],
    ['that differs at the registry', OURS, { kind: 'read', nameservers: OTHERS }, 1, 'warning'],
    ['that is gone at the registry', OURS, { kind: 'read', nameservers: [] }, 1, 'problem'],
    ['that the registry did not tell', OURS, { kind: 'failed', reason: 'timeout' }, 1, 'unknown'],
  ])('judges one %s', (_case, nameservers, registry, recordCount, state) => {
    expect(judge(nameservers, registry, recordCount)).toBe(state);
  });
});

const judgeAnswers = (answers: readonly ServerAnswer[], serial: number | null = 7) =>
  judgeNameservers({
    servers: answers.map((answer, index) => ({ kind: 'nameserver', name: `ns${index}.example.net`, answer })),
    serials: { nameserver: serial ?? undefined, secondary: serial ?? undefined },
  });
const serves = (serial: number): ServerAnswer => ({ kind: 'serves', serial });

describe('the check of nameservers', () => {
  const LAME: ServerAnswer = { kind: 'lame', reason: 'REFUSED' };

  it.each<[string, readonly ServerAnswer[], string]>([
    ['all that serve the zone', [serves(7), serves(8)], 'ok'],
    ['one with an older serial', [serves(7), serves(6)], 'warning'],
    ['one that does not respond', [serves(7), { kind: 'unreachable' }], 'warning'],
    ['none that responds', [{ kind: 'unreachable' }, { kind: 'unreachable' }], 'problem'],
    ['one that does not serve the zone', [serves(7), LAME], 'problem'],
    ['one without address', [serves(7), { kind: 'no_address' }], 'problem'],
    ['one with a private address', [serves(7), { kind: 'not_public', address: '10.0.0.1' }], 'warning'],
    ['one that could not be looked up', [serves(7), { kind: 'unknown', reason: 'no resolver' }], 'unknown'],
    ['none', [], 'unknown'],
  ])('judges %s', (_case, answers, state) => {
    expect(judgeAnswers(answers).state).toBe(state);
  });

  it('compares nameservers of others with the latest serial among them', () => {
    expect(judgeAnswers([serves(4), serves(5)], null).state).toBe('warning');
    expect(judgeAnswers([serves(5), serves(5)], null).state).toBe('ok');
  });

  it('compares serials across the wrap-around (RFC 1982)', () => {
    expect(judgeAnswers([serves(3)], 4_294_967_290).state).toBe('ok');
    expect(judgeAnswers([serves(4_294_967_290)], 3).state).toBe('warning');
  });

  it('has a light for each server', () => {
    const server = { kind: 'secondary', name: 'a', answer: serves(6) } as const;

    expect(lightsOf({ servers: [server], serials: { nameserver: 7, secondary: 7 } })).toEqual([
      { kind: 'secondary', name: 'a', state: 'warning', serial: 6, note: 'serves serial 6, not 7' },
    ]);
  });
});

describe('the check of resolution', () => {
  it.each<[string, Lookup, Lookup, Lookup, string]>([
    ['an answer', AUTHENTIC, AUTHENTIC, found(...OURS.toReversed()), 'ok'],
    ['NXDOMAIN', NO_NAME, NO_NAME, NO_NAME, 'problem'],
    ['SERVFAIL from validation', SERVFAIL, found('7'), SERVFAIL, 'problem'],
    ['SERVFAIL from nameservers', SERVFAIL, SERVFAIL, SERVFAIL, 'problem'],
    ['other NS records than at the registry', found('7'), found('7'), found(...OTHERS), 'warning'],
    ['a resolver that does not respond', FAILED, FAILED, FAILED, 'unknown'],
    ['NS records that could not be read', found('7'), found('7'), FAILED, 'unknown'],
  ])('judges %s', (_case, soa, unchecked, ns, state) => {
    expect(judgeResolution({ soa, unchecked, ns, nameservers: OURS }).state).toBe(state);
  });
});

describe('the check of DNSSEC', () => {
  const KEY = { flags: 257, algorithm: 13, publicKey: Buffer.alloc(64, 7).toString('base64') };
  const OTHER_KEY = `257 3 13 ${Buffer.alloc(64, 8).toString('base64')}`;
  const { keyTag, algorithm, digest } = dsRecordOf('example.com', KEY);
  const DNSKEY = found(`257 3 13 ${KEY.publicKey}`);
  const DS = found(`${keyTag} ${algorithm} 2 ${digest}`);
  const judge = (soa: Lookup, ds: Lookup, dnskey: Lookup, signing: SigningState = 'active', isServedHere = true) =>
    judgeDnssec({
      zoneName: 'example.com',
      soa,
      unchecked: found('7'),
      ds,
      dnskey,
      signing,
      isServedHere,
    }).state;

  it.each<[string, Lookup, Lookup, Lookup, string]>([
    ['a chain that the resolver validates', AUTHENTIC, DS, DNSKEY, 'ok'],
    ['a chain at a resolver that does not validate', found('7'), DS, DNSKEY, 'ok'],
    ['signatures that the resolver rejects', SERVFAIL, DS, DNSKEY, 'problem'],
    ['DS records of another key', found('7'), DS, found(OTHER_KEY), 'problem'],
    ['DS records of a zone without keys', found('7'), DS, NO_DATA, 'problem'],
    ['no DS records although DNSSEC is on', found('7'), NO_DATA, NO_DATA, 'warning'],
    ['DS records that could not be looked up', found('7'), SERVFAIL, NO_DATA, 'unknown'],
    ['signatures that no resolver could check', FAILED, DS, DNSKEY, 'unknown'],
  ])('judges %s', (_case, soa, ds, dnskey, state) => {
    expect(judge(soa, ds, dnskey)).toBe(state);
  });

  it('does not apply while DNSSEC is off, is fine while it is being switched on, and reports a failed step', () => {
    expect(judge(found('7'), NO_DATA, NO_DATA, 'off')).toBe('not_applicable');
    expect(judge(found('7'), NO_DATA, NO_DATA, 'waiting_for_ds')).toBe('ok');
    expect(judge(found('7'), NO_DATA, NO_DATA, 'error')).toBe('problem');
    expect(judge(AUTHENTIC, DS, DNSKEY, 'off', false)).toBe('ok');
  });
});

describe('the check of CAA records', () => {
  it.each<[string, Lookup, string]>([
    ['no record', NO_DATA, 'ok'],
    ['one CA', found('0 issue "ca.example.net; account=1"'), 'ok'],
    ['no CA', found('0 issue ";"'), 'ok'],
    ['an unknown tag', found('0 isue "ca.example.net"'), 'warning'],
    ['a critical record with an unknown tag', found('128 isue "ca.example.net"'), 'problem'],
    ['a CA that is no domain name', found('0 issue "Example CA"'), 'warning'],
    ['records that could not be read', SERVFAIL, 'unknown'],
  ])('judges %s', (_case, records, state) => {
    expect(judgeCaa(records).state).toBe(state);
  });
});

const judgeTargets = (...lookups: readonly Lookup[]) =>
  judgeCnameTargets({
    cnameTargets: lookups.map((lookup, index) => ({ owner: `c${index}.example.com`, target: 't.example', lookup })),
    skipped: 0,
    isPartial: false,
  });

describe('the check of CNAME targets', () => {
  it.each<[string, readonly Lookup[], string]>([
    ['targets with other records than addresses', [found('192.0.2.1'), NO_DATA], 'ok'],
    ['a target that does not exist', [found('192.0.2.1'), NO_NAME], 'problem'],
    ['a target that could not be looked up', [found('192.0.2.1'), SERVFAIL], 'unknown'],
    ['no CNAME record', [], 'not_applicable'],
  ])('judges %s', (_case, lookups, state) => {
    expect(judgeTargets(...lookups).state).toBe(state);
  });

  it('names the owners of dangling records', () => {
    expect(judgeTargets(NO_NAME, found('192.0.2.1'), NO_NAME).summary).toContain('c0.example.com, c2.example.com');
  });
});

describe('the checks of expiry and transfer lock', () => {
  const TODAY = new Date('2026-01-01T00:00:00.000Z');
  const inDays = (days: number) => new Date(TODAY.getTime() + days * 86_400_000);
  const expiry = (days: number, autoRenew: boolean, status: 'active' | 'expired' | 'redemption' = 'active') =>
    judgeExpiry({
      domain: { ...aDomain({ expiresAt: inDays(days), autoRenew }).toState(), status },
      today: TODAY,
    });

  it.each<[number, boolean, string]>([
    [300, false, 'ok'],
    [59, false, 'warning'],
    [13, false, 'problem'],
    [13, true, 'ok'],
    [3, true, 'warning'],
    [-1, true, 'problem'],
  ])('judges a domain that expires in %i days with auto-renewal %s', (days, autoRenew, state) => {
    expect(expiry(days, autoRenew).state).toBe(state);
  });

  it.each([
    [70, 'ok'],
    [59, 'warning'],
    [13, 'problem'],
    [0, 'problem'],
  ])('judges a domain that the service deletes in %i days, before the registry would renew it', (days, state) => {
    const domain = aDomain({ expiresAt: inDays(days + 60), autoRenew: false, registrarRenews: true }).toState();

    const found = judgeExpiry({ domain, deletionDueAt: inDays(days), today: TODAY });

    expect(found.state).toBe(state);
    if (state !== 'ok')
      expect(found).toMatchObject({
        summary: expect.stringContaining(`deletes the domain in ${days} days`),
        action: 'enable_auto_renewal',
      });
  });

  it('writes the expiry as other pages of the dashboard do', () => {
    expect(expiry(59, false)).toMatchObject({ evidence: ['Expires on 1 Mar 2026', 'Auto-renewal: off'] });
  });

  it('offers what helps in each status', () => {
    expect(expiry(-3, false, 'expired')).toMatchObject({ state: 'problem', action: 'renew' });
    expect(expiry(-3, false, 'redemption')).toMatchObject({ state: 'problem', action: 'restore' });
    expect(expiry(20, false)).toMatchObject({ action: 'enable_auto_renewal' });
  });

  it('warns of an open transfer lock and of a transfer to another registrar', () => {
    const domain = { status: 'active', transferLocked: true, transferPending: false } as const;

    expect(judgeTransferLock(domain).state).toBe('ok');
    expect(judgeTransferLock({ ...domain, transferLocked: false })).toMatchObject({ state: 'warning', action: 'lock' });
    expect(judgeTransferLock({ ...domain, transferPending: true }).state).toBe('warning');
    expect(judgeTransferLock({ ...domain, status: 'redemption' }).state).toBe('not_applicable');
  });
});
