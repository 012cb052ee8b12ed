import { DnsRecord } from '../../../../src/domain/dns/records/dns-record';
import type { HealthCheck } from '../../../../src/domain/health/health-check';
import { inspectDomain } from '../../../support/use-cases/health-use-cases';
import { ScriptedParentalAgent } from '../../../support/fakes/scripted-parental-agent';
import { ScriptedProbe } from '../../../support/fakes/scripted-probe';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const OURS = ['ns1.ours.example', 'ns2.ours.example'];

/** The checks of a domain that this service serves, with these records. */
async function checksOf(
  records: readonly { type: string; name: string; content: string; priority?: number }[],
  probe = new ScriptedProbe(),
): Promise<Readonly<Record<string, HealthCheck>>> {
  const around = new UseCaseContext();
  const domain = await around.givenDomain({ id: 'dom_1', name: 'example.com', nameservers: OURS });
  await around.givenRecords(
    domain.id,
    records.map((draft, index) => DnsRecord.create(draft, 'example.com', `rec_${index}`, around.clock.now())),
  );
  const { checks } = await inspectDomain(around, probe).execute(domain.toState(), { asksRegistry: false });
  return Object.fromEntries(checks.map((check) => [check.id, check]));
}

describe('the health of a domain that this service serves', () => {
  it('judges the stored records, without asking the resolver for them', async () => {
    const probe = new ScriptedProbe();

    const checks = await checksOf(
      [
        { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 },
        { type: 'A', name: 'mail', content: '192.0.2.1' },
        { type: 'TXT', name: '@', content: '"v=spf1 " "mx -all"' },
        { type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=reject' },
        { type: 'CAA', name: '@', content: '0 issue "ca.example.net"' },
        { type: 'CNAME', name: 'www', content: 'example.com' },
      ],
      probe,
    );

    for (const id of ['mx', 'spf', 'dmarc', 'caa', 'cname_targets']) expect(checks[id]).toMatchObject({ state: 'ok' });
    expect(probe.questions.filter((question) => / (?:MX|TXT|CAA)/.test(question))).toEqual([]);
  });

  it('finds MX hosts and CNAME targets in the zone that do not exist or are aliases', async () => {
    const checks = await checksOf([
      { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 },
      { type: 'CNAME', name: 'mail', content: 'host.example.com' },
      { type: 'A', name: 'host', content: '192.0.2.1' },
      { type: 'CNAME', name: 'old', content: 'missing.example.com' },
    ]);

    expect(checks['mx']).toMatchObject({
      state: 'problem',
      evidence: ['10 mail.example.com: is a CNAME to host.example.com'],
    });
    expect(checks['cname_targets']?.summary).toContain('old.example.com');
    expect(checks['cname_targets']?.summary).not.toContain('mail.example.com');
  });

  it('accepts targets that a wildcard covers and names with records below them', async () => {
    const checks = await checksOf([
      { type: 'A', name: '*.apps', content: '192.0.2.1' },
      { type: 'A', name: 'a.empty', content: '192.0.2.1' },
      { type: 'CNAME', name: 'one', content: 'any.apps.example.com' },
      { type: 'CNAME', name: 'two', content: 'empty.example.com' },
    ]);

    expect(checks['cname_targets']).toMatchObject({ state: 'ok' });
  });

  it('reports a target that a name between it and the wildcard keeps from being covered (RFC 4592)', async () => {
    const checks = await checksOf([
      { type: 'A', name: '*', content: '192.0.2.1' },
      { type: 'A', name: 'a.empty', content: '192.0.2.1' },
      { type: 'CNAME', name: 'one', content: 'b.empty.example.com' },
    ]);

    expect(checks['cname_targets']?.summary).toContain('one.example.com');
    expect(checks['cname_targets']?.state).not.toBe('ok');
  });

  it('asks the resolver for targets in other zones, and below a delegation', async () => {
    const probe = new ScriptedProbe();
    probe.set('there.example.net', 'A', '192.0.2.1');
    probe.set('host.sub.example.com', 'A', '192.0.2.1');

    const checks = await checksOf(
      [
        { type: 'NS', name: 'sub', content: 'ns.example.net' },
        { type: 'CNAME', name: 'one', content: 'there.example.net' },
        { type: 'CNAME', name: 'two', content: 'host.sub.example.com' },
        { type: 'CNAME', name: 'three', content: 'gone.example.net' },
      ],
      probe,
    );

    expect(checks['cname_targets']?.summary).toBe('CNAME records whose target does not exist: three.example.com.');
  });

  it('asks the nameservers that the resolver finds, and no private address', async () => {
    const probe = new ScriptedProbe();
    probe.set('ns1.ours.example', 'A', '192.0.2.1');
    probe.set('ns2.ours.example', 'A', '10.0.0.1');

    const checks = await checksOf([], probe);

    expect(probe.questions).toContain('example.com @192.0.2.1');
    expect(probe.questions).not.toContain('example.com @10.0.0.1');
    expect(checks['nameservers']?.evidence).toContain(
      'ns2.ours.example: was not asked, because 10.0.0.1 is not public',
    );
  });

  it('asks nothing about a domain that is not served', async () => {
    const around = new UseCaseContext();
    const probe = new ScriptedProbe();
    const domain = await around.givenDomain({ status: 'redemption' });

    const { checks, state } = await inspectDomain(around, probe).execute(domain.toState(), { asksRegistry: false });

    expect(probe.questions).toEqual([]);
    expect(checks).toHaveLength(11);
    expect(checks.filter(({ state: each }) => each !== 'not_applicable').map(({ id }) => id)).toEqual(['expiry']);
    expect(state).toBe('problem');
  });

  it('makes a limited number of queries, whatever the zone contains', async () => {
    const probe = new ScriptedProbe();
    const includes = Array.from({ length: 100 }, (_each, index) => `include:i${index}.example`).join(' ');

    const checks = await checksOf(
      [
        { type: 'TXT', name: '@', content: `v=spf1 ${includes} -all` },
        ...Array.from({ length: 210 }, (_each, index) => ({
          type: 'CNAME',
          name: `c${index}`,
          content: `t${index}.example.net`,
        })),
      ],
      probe,
    );

    expect(probe.questions.length).toBeLessThanOrEqual(150);
    expect(checks['cname_targets']?.evidence.join()).toContain('Not looked up: 150 more CNAME records');
  });
});

describe('the health of a name that is not registered here', () => {
  it('has what the parent zone delegates, and nothing from a registry', async () => {
    const around = new UseCaseContext();
    const domain = await around.givenDomain({ id: 'dom_1', name: 'example.com', nameservers: OURS, status: 'hosted' });
    const parent = new ScriptedParentalAgent();
    parent.delegation = { sets: [OURS, ['ns.other.example']], isComplete: true, ttl: 300 };

    const inspect = inspectDomain(around, new ScriptedProbe(), OURS, parent);
    const { checks } = await inspect.execute(domain.toState(), { asksRegistry: true });

    expect(checks.find(({ id }) => id === 'delegation')).toMatchObject({
      state: 'problem',
      evidence: [
        'In the parent zone: ns.other.example, ns1.ours.example, ns2.ours.example',
        `This service: ${OURS.join(', ')}`,
      ],
    });
    for (const only of ['expiry', 'transfer_lock'])
      expect(checks.find(({ id }) => id === only)).toMatchObject({ state: 'not_applicable' });
  });
});
