import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { checkOf, type CheckId, type Finding } from '../../../../../src/domain/health/health-check';
import { reportOf, type ServerLight } from '../../../../../src/domain/health/health-report';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';
import { buildMap } from '../../../../../src/http/dashboard/domain/map/build-map';
import { DelegationMap } from '../../../../../src/http/dashboard/domain/map/delegation-map';
import { MapCard } from '../../../../../src/http/dashboard/domain/map/map-card';
import type { MapFacts } from '../../../../../src/http/dashboard/domain/map/map-parts';
import { sentenceOf } from '../../../../../src/http/dashboard/domain/map/status-sentence';
import { aDomain } from '../../../../support/data/a-domain';

const NOW = new Date('2026-06-01T12:00:00.000Z');
const OURS = ['ns1.example.net', 'ns2.example.net'];
const OK: Finding = { state: 'ok', summary: 'Fine.' };
const HEALTHY: Readonly<Partial<Record<CheckId, Finding>>> = {
  delegation: OK,
  nameservers: OK,
  resolution: OK,
  dnssec: { state: 'not_applicable', summary: 'DNSSEC is off.' },
  mx: OK,
  spf: OK,
  dmarc: OK,
};
const SERVERS: readonly ServerLight[] = [
  ...OURS.map((name) => ({
    kind: 'nameserver' as const,
    name,
    state: 'ok' as const,
    serial: 3,
    note: 'serves serial 3',
  })),
  { kind: 'secondary', name: 'knot', state: 'ok', serial: 3, note: 'serves serial 3' },
];

function reportWith(findings: Partial<Record<CheckId, Finding>> = {}, servers = SERVERS) {
  const checks = Object.entries({ ...HEALTHY, ...findings }).map(([id, finding]) => checkOf(id as CheckId, finding));
  return reportOf(NOW, checks, servers);
}

function facts(overrides: Partial<MapFacts> = {}): MapFacts {
  const domain = aDomain();
  return {
    domain: domain.toState(),
    registry: 'simulated',
    nameservers: OURS,
    ownNameservers: OURS,
    report: reportWith(),
    zone: { version: 3, serial: 3, recordCount: 2, signing: 'off' },
    signing: { domain, signing: undefined, keys: [], isSupported: true, parent: undefined, cds: undefined },
    secondaries: undefined,
    ...overrides,
  };
}

function edgesOf(map: ReturnType<typeof buildMap>): Readonly<Record<string, string>> {
  return Object.fromEntries(map.edges.map(({ from, to, state }) => [`${from} ${to}`, state]));
}

describe('the sentence at the top of a domain', () => {
  it('says that it resolves, who serves it, whether it is signed, and whether mail is set up', () => {
    expect(sentenceOf(facts())).toEqual({
      state: 'ok',
      text: 'Resolves · served by ns1 and ns2 · not signed · mail is set up',
    });
  });

  it('shows nothing as OK that was not checked', () => {
    expect(sentenceOf(facts({ report: undefined }))).toEqual({
      state: 'unknown',
      text: 'Not checked yet · delegated to ns1 and ns2 · DNSSEC not known · mail not known',
    });
  });

  it('shows the worst state, also of checks that it does not tell of', () => {
    const report = reportWith({ cname_targets: { state: 'problem', summary: 'A target does not exist.' } });

    expect(sentenceOf(facts({ report })).state).toBe('problem');
  });

  it('says why a domain in redemption does not resolve', () => {
    const domain = aDomain({ status: 'redemption' }).toState();

    expect(sentenceOf(facts({ domain })).text).toBe('Does not resolve, because the domain is in redemption');
  });
});

describe('the delegation map', () => {
  it('leads from the registry over the parent and the nameservers to the resolvers, and from the primary over the secondaries', () => {
    const map = buildMap(facts());

    expect(edgesOf(map)).toEqual({
      'registry parent': 'ok',
      'parent nameserver-0': 'ok',
      'parent nameserver-1': 'ok',
      'primary secondary-0': 'ok',
      'secondary-0 nameserver-0': 'ok',
      'secondary-0 nameserver-1': 'ok',
      'nameserver-0 resolver': 'ok',
      'nameserver-1 resolver': 'ok',
    });
    expect(map.steps).toEqual([]);
  });

  it('shows no edge as OK before the domain was checked', () => {
    const map = buildMap(facts({ report: undefined }));

    expect(map.edges.map(({ state }) => state)).not.toContain('ok');
  });

  it('marks the edge to a nameserver that does not respond, and says what to do', () => {
    const [first, ...others] = SERVERS;
    const servers = [{ ...first!, state: 'problem' as const, serial: null, note: 'does not respond' }, ...others];
    const nameservers: Finding = {
      state: 'warning',
      summary: 'ns1.example.net does not respond.',
      advice: 'Check the server.',
    };

    const map = buildMap(facts({ report: reportWith({ nameservers }, servers) }));

    expect(edgesOf(map)).toMatchObject({
      'parent nameserver-0': 'problem',
      'parent nameserver-1': 'ok',
      'nameserver-0 resolver': 'problem',
    });
    expect(map.steps).toMatchObject([{ check: 'nameservers', advice: 'Check the server.' }]);
    expect(map.edges.find(({ steps }) => steps && steps.length > 0)).toMatchObject({
      from: 'parent',
      to: 'nameserver-0',
    });
  });

  it('marks the edge from the registry to the parent if resolvers find no such name', () => {
    const resolution: Finding = { state: 'problem', summary: 'Does not exist.', evidence: ['NXDOMAIN'] };

    const map = buildMap(facts({ report: reportWith({ resolution }) }));

    expect(edgesOf(map)).toMatchObject({ 'registry parent': 'problem', 'nameserver-0 resolver': 'unknown' });
  });

  it('marks the way from here to the nameservers of others, which the delegation leads to', () => {
    const delegation: Finding = { state: 'warning', summary: 'Other nameservers serve the domain.' };
    const nameservers = ['a.example.org', 'b.example.org'];
    const servers = nameservers.map((name) => ({ ...SERVERS[0]!, name }));
    const report = reportWith({ delegation }, [...servers, SERVERS[2]!]);

    const map = buildMap(facts({ nameservers, report }));

    expect(edgesOf(map)).toMatchObject({ 'parent nameserver-0': 'ok', 'secondary-0 nameserver-0': 'warning' });
    expect(map.steps).toMatchObject([{ check: 'delegation' }]);
  });

  it('shows which secondary has which serial while a change is on its way', () => {
    const secondaries = [
      { secondary: 'knot', answer: { kind: 'serves', serial: 2, since: NOW }, isCurrent: false },
      { secondary: 'nsd', answer: { kind: 'serves', serial: 3, since: NOW }, isCurrent: true },
      { secondary: 'pdns', answer: { kind: 'unreachable' }, isCurrent: false },
    ] as const;

    const map = buildMap(facts({ secondaries }));

    expect(map.isPublishing).toBe(true);
    expect(map.parts.filter(({ kind }) => kind === 'secondary')).toMatchObject([
      { title: 'knot', state: 'moving', lines: ['serial 2 of 3'] },
      { title: 'nsd', state: 'ok', lines: ['serial 3'] },
      { title: 'pdns', state: 'problem', lines: ['does not respond'] },
    ]);
  });

  it('is loaded with the answers of the secondaries, and followed until all serve the zone', () => {
    const answer = { kind: 'serves', serial: 2, since: NOW } as const;

    expect(renderCard(undefined)).toContain('hx-get="/domains/dom_1/map" hx-trigger="load"');
    expect(renderCard([{ secondary: 'knot', answer, isCurrent: false }])).toContain('data-live="publication:dom_1"');
    const published = renderCard([{ secondary: 'knot', answer: { ...answer, serial: 3 }, isCurrent: true }]);
    expect(published).not.toMatch(/data-live|hx-trigger/);
  });

  it('shows DS records, keys and the next rollover of a signed zone', () => {
    const { signing } = signedZone();

    const parts = buildMap(facts({ signing, report: reportWith({ dnssec: OK }) })).parts.slice(-4);

    expect(parts).toMatchObject([
      { kind: 'ds', state: 'ok', lines: ['4711'] },
      { kind: 'keys', state: 'ok', lines: ['tag 4711'] },
      { kind: 'rollover', state: 'ok', lines: ['1 Mar 2027'] },
      { kind: 'validation', state: 'ok' },
    ]);
  });

  it('does not show a chain of trust as OK that no resolver has checked', () => {
    const { signing } = signedZone();

    const { edges } = buildMap(facts({ signing, report: undefined }));

    expect(edges.find(({ from }) => from === 'ds')?.state).toBe('unknown');
    expect(edges.find(({ to }) => to === 'validation')?.state).toBe('unknown');
  });

  it('draws at most six nameservers, counts the others, and fits 13 of them into 24 KiB', () => {
    const nameservers = Array.from({ length: 13 }, (_, index) => `ns${index}.a-long-name.of-a-provider.example.org`);

    const map = buildMap(facts({ nameservers, report: undefined }));
    const html = renderToString(h(DelegationMap, { map, domain: facts().domain }));

    expect(map.parts.filter(({ kind }) => kind === 'nameserver').at(-1)?.title).toBe('and 7 more');
    expect(html.length).toBeLessThan(24 * 1024);
  });

  it('wraps the lines of a part that are wider than its box, and keeps the serial in one line', () => {
    const map = buildMap(facts({ zone: { version: 13, serial: 1_796_000_000, recordCount: 1_234, signing: 'off' } }));

    const html = renderToString(h(DelegationMap, { map, domain: facts().domain }));

    expect(html).toContain('>version 13,</text>');
    expect(html).toContain('>serial\u00a01796000000</text>');
    expect(html).not.toContain('…');
  });

  it('has a text alternative, a number at each broken edge, and the same as a table', () => {
    const resolution: Finding = { state: 'problem', summary: 'It does not resolve.', evidence: ['SERVFAIL'] };
    const map = buildMap(facts({ report: reportWith({ resolution }) }));

    const html = renderToString(h(DelegationMap, { map, domain: facts().domain }));

    expect(html).toContain(
      'role="img" aria-label="Delegation map: 8 ways between 7 parts, 2 are broken, 1 is not known. It does not resolve.',
    );
    expect(html.match(/class="mark problem"/g)).toHaveLength(2);
    expect(html).toContain('<summary>The map as a table</summary>');
    expect(html).toContain('Resolvers (problem)');
  });
});

function renderCard(secondaries: MapFacts['secondaries']): string {
  return renderToString(h(MapCard, { facts: facts({ secondaries }) }));
}

function signedZone(): Pick<MapFacts, 'signing'> {
  const domain = aDomain();
  const requested = ZoneSigning.request('dom_1', 'nsec', NOW).toState();
  const signing = ZoneSigning.fromState({
    ...requested,
    step: 'check',
    until: new Date('2027-03-01T00:00:00.000Z'),
    dsRecords: [{ keyTag: 4711, algorithm: 13, digestType: 2, digest: 'AB' }],
  });
  const key = { id: 'key_1', algorithm: 13, keyTag: 4711, publicKey: 'AAAA', createdAt: NOW, retiredAt: null };
  return { signing: { domain, signing, keys: [key], isSupported: true, parent: undefined, cds: undefined } };
}
