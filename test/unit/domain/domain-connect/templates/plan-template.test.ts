import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import {
  missingRecords,
  namesOf,
  type AppliedInstance,
} from '../../../../../src/domain/domain-connect/applied-instance';
import {
  namesToRead,
  planRemoval,
  planTemplate,
} from '../../../../../src/domain/domain-connect/templates/plan-template';
import { readTemplate } from '../../../../../src/domain/domain-connect/templates/read-template';
import { resolveTemplate } from '../../../../../src/domain/domain-connect/templates/resolve-template';
import { TemplateRejected } from '../../../../../src/domain/domain-connect/templates/template-errors';
import { recordMaking, templateJson } from '../../../../support/data/domain-connect-templates';
import { runToCompletion } from '../../../../support/run-to-completion';

const ZONE = 'example.com';
const MAKING = recordMaking();

interface Applied {
  readonly records: readonly unknown[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly host?: string;
  readonly groups?: readonly string[];
  readonly id?: string;
}

/** A zone to which templates are applied one after another, with its records as `www A 192.0.2.1`. */
class TestZone {
  records: readonly DnsRecord[];
  instances: readonly AppliedInstance[] = [];

  constructor(...lines: readonly string[]) {
    this.records = lines.map((line, index) => recordOf(line, `old${index}`));
  }

  get lines(): readonly string[] {
    return this.records.map(lineOf).toSorted();
  }

  apply(applied: Applied) {
    const resolved = resolvedOf(applied);
    const plan = runToCompletion(planTemplate(resolved, this, applied.id ?? 'id1', MAKING));
    const gone = new Set([...plan.replaced, ...plan.disabled]);
    this.instances = [...this.instances.filter((each) => !gone.has(each)), plan.instance];
    this.change(plan);
    return plan;
  }

  remove(id: string): void {
    const instance = this.instances.find((each) => each.id === id);
    if (!instance) throw new Error(`no instance ${id}`);
    this.change(runToCompletion(planRemoval(ZONE, instance, this, MAKING)));
    this.instances = this.instances.filter((each) => each !== instance);
  }

  private change({ superseded, wanted }: { superseded: readonly DnsRecord[]; wanted: readonly DnsRecord[] }): void {
    const gone = new Set(superseded);
    this.records = [...this.records.filter((each) => !gone.has(each)), ...wanted];
  }
}

function resolvedOf({ records, members = {}, host = '', groups = [] }: Applied) {
  const template = readTemplate(templateJson(records, { hostRequired: host !== '', ...members }));
  return resolveTemplate(template, { zoneName: ZONE, host, groups, variables: {} }, MAKING);
}

function recordOf(line: string, id: string): DnsRecord {
  const [name = '', type = '', ...data] = line.split(' ');
  const numbers = type === 'MX' ? { priority: Number(data.shift()) } : {};
  const draft = { name, type, content: data.join(' '), ttl: 300, ...numbers };
  if (type === 'SRV') {
    const [priority, weight, port, content = ''] = data;
    return DnsRecord.create(
      { ...draft, priority: Number(priority), weight: Number(weight), port: Number(port), content },
      ZONE,
      id,
      new Date(0),
      ALL_TYPES,
    );
  }
  return DnsRecord.create(draft, ZONE, id, new Date(0), ALL_TYPES);
}

function lineOf(record: DnsRecord): string {
  return `${record.name} ${record.type} ${record.rdata()}`;
}

function a(host: string, pointsTo = '192.0.2.9') {
  return { type: 'A', host, pointsTo, ttl: 3600 };
}

function cname(host: string, pointsTo = 'provider.example') {
  return { type: 'CNAME', host, pointsTo, ttl: 3600 };
}

function txt(host: string, data: string, members = {}) {
  return { type: 'TXT', host, data, ttl: 3600, ...members };
}

function spfm(spfRules: string, members = {}) {
  return { type: 'SPFM', host: '@', spfRules, ...members };
}

function spf(text: string): string {
  return `@ TXT "${text}"`;
}

const MX = { type: 'MX', host: '@', pointsTo: 'mx.provider.example', priority: 10, ttl: 3600 };
const NS = { type: 'NS', host: 'sub', pointsTo: 'ns.provider.example', ttl: 3600 };
const SRV = {
  type: 'SRV',
  name: '',
  service: '_sip',
  protocol: '_tcp',
  priority: 1,
  weight: 1,
  port: 1,
  target: 'a.example',
  ttl: 60,
};
const APEXCNAME = { type: 'APEXCNAME', pointsTo: 'provider.example', ttl: 3600 };

it.each([
  [
    'A',
    a('@'),
    ['@ A 192.0.2.1', '@ AAAA 2001:db8::1', '@ ALIAS a.example'],
    ['@ MX 1 a.example', '@ TXT text', 'www A 192.0.2.1'],
  ],
  ['A at a CNAME', a('www'), ['www CNAME a.example'], ['mail CNAME a.example']],
  ['MX', MX, ['@ MX 1 a.example'], ['@ A 192.0.2.1', 'www MX 1 a.example']],
  [
    'CNAME',
    cname('www'),
    ['www A 192.0.2.1', 'www TXT text', 'www CAA 0 issue "ca.example"'],
    ['@ A 192.0.2.1', 'a.www A 192.0.2.1'],
  ],
  [
    'APEXCNAME',
    APEXCNAME,
    ['@ A 192.0.2.1', '@ AAAA 2001:db8::1', '@ ALIAS a.example'],
    ['@ MX 1 a.example', '@ TXT text'],
  ],
  ['SRV', SRV, ['_sip._tcp SRV 1 1 1 b.example'], ['_sips._tcp SRV 1 1 1 b.example']],
  [
    'NS',
    NS,
    ['sub NS ns.a.example', 'sub A 192.0.2.1', 'a.b.sub TXT text'],
    ['xsub A 192.0.2.1', '@ A 192.0.2.1', '@ NS ns.a.example'],
  ],
  [
    'A below a delegation',
    a('www.sub'),
    ['sub NS ns.a.example', 'sub DS 1 13 2 ' + '0'.repeat(64)],
    ['@ NS ns.a.example', 'ub NS ns.a.example', 'a.www.sub NS ns.a.example'],
  ],
  ['TXT', txt('@', 'new'), [], ['@ TXT text', '@ A 192.0.2.1']],
  [
    'TXT with the mode All',
    txt('@', 'new', { txtConflictMatchingMode: 'All' }),
    ['@ TXT text', '@ TXT v=spf1 -all'],
    ['www TXT text'],
  ],
  [
    'TXT with the mode Prefix',
    txt('@', 'v=2', { txtConflictMatchingMode: 'Prefix', txtConflictMatchingPrefix: 'v=' }),
    ['@ TXT v=1', '@ TXT "v=" "3"'],
    ['@ TXT w=v=1', '@ TXT V=1'],
  ],
  ['CAA', { type: 'CAA', host: '@', data: '0 issue "b.example"', ttl: 60 }, [], ['@ CAA 0 issue "ca.example"']],
])('takes the place of the records that conflict with %s, and of no others', (_what, record, conflicting, others) => {
  const both = new TestZone(...conflicting, ...others);
  const gone = both.apply({ records: [record] }).superseded.map(lineOf);

  expect(gone.toSorted()).toEqual(new TestZone(...conflicting).lines);
});

it('adds no record that the zone has, and keeps its TTL', () => {
  const zone = new TestZone('@ TXT text');
  const { superseded, wanted, instance } = zone.apply({ records: [txt('@', 'text')] });

  expect([...superseded, ...wanted]).toEqual([]);
  expect(instance.records.map(({ identity }) => identity)).toEqual(['@ TXT "text"']);
});

it('adds a record once that a template has twice', () => {
  expect(new TestZone().apply({ records: [a('@'), a('@')] }).wanted.map(lineOf)).toEqual(['@ A 192.0.2.9']);
});

it.each([
  ['a CNAME and an address', [cname('www'), a('www')]],
  ['two CNAMEs', [cname('www'), cname('www', 'b.example')]],
  ['a delegation and an address below it', [NS, a('www.sub')]],
  ['an address and then a delegation at the same name', [a('sub'), NS]],
  ['an ALIAS and an address', [APEXCNAME, a('@')]],
  ['a CNAME and an SPF record', [cname('www'), { type: 'SPFM', host: 'www', spfRules: 'mx' }]],
])('refuses a template with %s, and names the second one', (_what, records) => {
  const apply = (): unknown => new TestZone().apply({ records });

  expect(apply).toThrow(TemplateRejected);
  expect(apply).toThrow(
    expect.objectContaining({ problem: 'CONFLICT', issues: [expect.objectContaining({ path: 'records[1]' })] }),
  );
});

it('takes the place of a CNAME and of a delegation with an SPF record', () => {
  const zone = new TestZone('www CNAME a.example', 'sub NS ns.a.example');
  zone.apply({ records: [spfm('mx', { host: 'www' }), spfm('mx', { host: 'a.sub' })] });

  expect(zone.lines).toEqual(['a.sub TXT "v=spf1 mx ~all"', 'www TXT "v=spf1 mx ~all"']);
});

it('refuses a record below a DNAME, and names it', () => {
  const zone = new TestZone('sub DNAME other.example');

  expect(() => zone.apply({ records: [a('@'), a('www.sub')] })).toThrow(
    expect.objectContaining({ problem: 'CONFLICT', issues: [expect.objectContaining({ path: 'records[1]' })] }),
  );
});

describe('an applied template', () => {
  it('makes way for the same template at the same host, with all its records', () => {
    const zone = new TestZone();
    zone.apply({ records: [a('@'), txt('@', 'one')] });
    const { replaced, disabled } = zone.apply({ records: [a('@'), txt('@', 'two')], id: 'id2' });

    expect(replaced.map(({ id }) => id)).toEqual(['id1']);
    expect(disabled).toEqual([]);
    expect(zone.lines).toEqual(['@ A 192.0.2.9', '@ TXT "two"']);
  });

  it('stays if the template can have several instances', () => {
    const zone = new TestZone();
    const members = { multiInstance: true };
    zone.apply({ records: [txt('@', 'one')], members });
    zone.apply({ records: [txt('@', 'two')], members, id: 'id2' });

    expect(zone.lines).toEqual(['@ TXT "one"', '@ TXT "two"']);
    expect(zone.instances.map(({ id }) => id)).toEqual(['id1', 'id2']);
  });

  it('stays if the same template is applied to another host', () => {
    const zone = new TestZone();
    zone.apply({ records: [a('@')], host: 'one' });
    zone.apply({ records: [a('@')], host: 'two', id: 'id2' });

    expect(zone.lines).toEqual(['one A 192.0.2.9', 'two A 192.0.2.9']);
  });

  it('goes whole if another one takes the place of a record that it needs', () => {
    const zone = new TestZone('mail A 192.0.2.1');
    zone.apply({ records: [a('@'), cname('www'), { type: 'SPFM', host: '@', spfRules: 'include:one.example' }] });
    const { disabled } = zone.apply({ records: [a('@', '192.0.2.7')], members: { serviceId: 'other' }, id: 'id2' });

    expect(disabled.map(({ id }) => id)).toEqual(['id1']);
    expect(zone.lines).toEqual(['@ A 192.0.2.7', 'mail A 192.0.2.1']);
  });

  it('stays if another one takes the place of a record that it needed only when it was applied', () => {
    const zone = new TestZone();
    zone.apply({ records: [{ ...a('@'), essential: 'OnApply' }, cname('www')] });
    const { disabled } = zone.apply({ records: [a('@', '192.0.2.7')], members: { serviceId: 'other' }, id: 'id2' });

    expect(disabled).toEqual([]);
    expect(zone.lines).toEqual(['@ A 192.0.2.7', 'www CNAME provider.example.']);
  });

  it('stays if another one has the same record, which goes with the last of them', () => {
    const zone = new TestZone();
    zone.apply({ records: [a('@'), cname('www')] });
    const { disabled } = zone.apply({ records: [a('@')], members: { serviceId: 'other' }, id: 'id2' });

    expect(disabled).toEqual([]);
    zone.remove('id1');
    expect(zone.lines).toEqual(['@ A 192.0.2.9']);
    zone.remove('id2');
    expect(zone.lines).toEqual([]);
  });

  it('lacks a record that was changed or removed by hand, if it needs it', () => {
    const { instance } = new TestZone().apply({
      records: [a('@'), cname('www'), txt('@', 'x', { essential: 'OnApply' })],
    });
    const present = [recordOf('@ A 192.0.2.8', 'a'), recordOf('www CNAME provider.example', 'b')];

    expect(missingRecords(instance, present).map(({ identity }) => identity)).toEqual(['@ A 192.0.2.9']);
    expect(namesOf(instance)).toEqual(['@', 'www']);
  });

  it('leaves records that were changed by hand when it is removed', () => {
    const { instance } = new TestZone().apply({ records: [a('@'), cname('www')] });
    const records = [recordOf('@ A 192.0.2.8', 'a'), recordOf('www CNAME provider.example', 'b')];
    const { superseded, wanted } = runToCompletion(
      planRemoval(ZONE, instance, { records, instances: [instance] }, MAKING),
    );

    expect([superseded.map(lineOf), wanted]).toEqual([['www CNAME provider.example.'], []]);
  });
});

describe('SPF rules of a template', () => {
  it.each([
    ['make a record', [], 'include:a.example', 'v=spf1 include:a.example ~all'],
    [
      'come before those of a record, whose end stays',
      ['v=spf1 mx -all'],
      'include:a.example',
      'v=spf1 include:a.example mx -all',
    ],
    ['are not repeated', ['v=spf1 mx a -all'], 'mx', 'v=spf1 mx a -all'],
    ['make a term more permissive', ['v=spf1 -mx ?all'], '~mx', 'v=spf1 ~mx ?all'],
    ['do not make a term less permissive', ['v=spf1 mx ?all'], '-mx', 'v=spf1 mx ?all'],
    ['stand before a redirect', ['v=spf1 redirect=b.example'], 'mx', 'v=spf1 mx redirect=b.example'],
    ['have no version and no end of their own', [], 'v=spf1 mx -all', 'v=spf1 mx ~all'],
    ['make one record of two', ['v=spf1 a ~all', 'v=spf1 ip4:192.0.2.1 -all'], 'mx', 'v=spf1 mx a ip4:192.0.2.1 ~all'],
  ])('%s', (_what, present, rules, expected) => {
    const zone = new TestZone('@ TXT text', ...present.map((text) => `@ TXT ${text}`));
    zone.apply({ records: [spfm(rules)] });

    expect(zone.lines).toEqual([spf('text'), spf(expected)].toSorted());
  });

  it('have the TTL of the record that they are merged into, else their own, else 6000', () => {
    const ttls = (zone: TestZone, members = {}) =>
      zone.apply({ records: [spfm('mx', members)] }).wanted.map(({ ttl }) => ttl);

    expect(ttls(new TestZone('@ TXT v=spf1 -all'), { ttl: 900 })).toEqual([300]);
    expect(ttls(new TestZone(), { ttl: 900 })).toEqual([900]);
    expect(ttls(new TestZone())).toEqual([6000]);
  });

  it('of several templates stay with those that are applied, and none is disabled', () => {
    const zone = new TestZone('@ TXT v=spf1 a -all');
    zone.apply({ records: [spfm('include:one.example mx a')] });
    const { disabled } = zone.apply({
      records: [spfm('include:two.example mx')],
      members: { serviceId: 'two' },
      id: 'id2',
    });

    expect(disabled).toEqual([]);
    expect(zone.lines).toEqual([spf('v=spf1 include:two.example include:one.example mx a -all')]);
    zone.remove('id1');
    expect(zone.lines).toEqual([spf('v=spf1 include:two.example mx a -all')]);
    zone.remove('id2');
    expect(zone.lines).toEqual([spf('v=spf1 a -all')]);
  });

  it('are refused if the merged record would be too long', () => {
    const rules = Array.from({ length: 120 }, (_each, index) => `include:${'x'.repeat(20)}${index}.example`).join(' ');
    const apply = (): unknown =>
      new TestZone(`@ TXT v=spf1 ${rules.slice(0, 4000)} -all`).apply({ records: [a('@'), spfm(rules.slice(-500))] });

    expect(apply).toThrow(
      expect.objectContaining({
        problem: 'INVALID_RECORD',
        issues: [expect.objectContaining({ path: 'records[1].spfRules' })],
      }),
    );
  });

  it('go with the record that they made', () => {
    const zone = new TestZone();
    zone.apply({ records: [spfm('mx')] });
    zone.remove('id1');

    expect(zone.lines).toEqual([]);
  });

  it('leave a record that allows no mail as it was', () => {
    const zone = new TestZone('@ TXT v=spf1 -all');
    zone.apply({ records: [spfm('mx')] });
    expect(zone.lines).toEqual([spf('v=spf1 mx -all')]);
    zone.remove('id1');

    expect(zone.lines).toEqual([spf('v=spf1 -all')]);
  });

  it('are replaced when the template is applied again', () => {
    const zone = new TestZone('@ TXT v=spf1 a -all');
    zone.apply({ records: [spfm('include:one.example')] });
    zone.apply({ records: [spfm('include:two.example')], id: 'id2' });

    expect(zone.lines).toEqual([spf('v=spf1 include:two.example a -all')]);
  });

  it('in a TXT record are merged, too, so that no name gets a second SPF record', () => {
    const zone = new TestZone('@ TXT v=spf1 a -all');
    zone.apply({ records: [txt('@', 'v=spf1 include:one.example ?all')] });
    expect(zone.lines).toEqual([spf('v=spf1 include:one.example a -all')]);

    const empty = new TestZone();
    empty.apply({ records: [txt('@', 'v=spf1 ?all')] });
    expect(empty.lines).toEqual([spf('v=spf1 ?all')]);
  });
});

it('tells which names it reads', () => {
  const { instance } = new TestZone().apply({ records: [a('one'), { type: 'SPFM', host: 'two', spfRules: 'mx' }] });
  const resolved = resolvedOf({ records: [a('a.b'), NS, { type: 'SPFM', host: 'c', spfRules: 'mx' }] });

  expect(namesToRead(resolved, [instance])).toEqual({
    names: ['a.b', 'b', '@', 'sub', 'c', 'one', 'two'],
    below: ['sub'],
  });
});

describe('in a large zone with many services', () => {
  const zone = new TestZone(...Array.from({ length: 200 }, (_each, index) => `host${index}.sub A 192.0.2.1`));
  const records = zone.records.map((each) => ({
    identity: each.identity(),
    name: each.name,
    type: each.type,
    essential: 'Always' as const,
  }));
  const [providerId, host, spf] = ['other.example', '@', [] as const] as const;
  const instances = Array.from({ length: 50 }, (_each, index) => {
    const id = `service${index}`;
    return { id, providerId, serviceId: id, host, records, spf };
  });
  const target = { records: zone.records, instances };

  it('a plan pauses after each record, and compares each record once', () => {
    const identity = jest.spyOn(DnsRecord.prototype, 'identity');
    const task = planTemplate(resolvedOf({ records: [NS] }), target, 'id1', MAKING);
    let steps = 0;
    while (!task.next().done) steps += 1;
    const compared = identity.mock.calls.length;
    identity.mockRestore();

    expect(steps).toBeGreaterThanOrEqual(2 * zone.records.length);
    expect(compared).toBeLessThan(2 * zone.records.length);
  });

  it('a removal pauses after each record', () => {
    const service = { id: 'one', providerId, serviceId: 'one', host, records, spf };
    const task = planRemoval(ZONE, service, { records: zone.records, instances: [service] }, MAKING);
    let steps = 0;
    while (!task.next().done) steps += 1;

    expect(steps).toBeGreaterThanOrEqual(zone.records.length);
  });
});

describe('a template that is applied for one group after another', () => {
  const proof = { ...txt('_proof', 'one'), groupId: 'proof' };
  const records = [proof, { ...MX, groupId: 'mail' }, { ...spfm('include:a.example'), groupId: 'mail' }];

  it('keeps the records of the groups that are not applied again, and replaces those of the others', () => {
    const zone = new TestZone();
    zone.apply({ records, groups: ['proof'], id: 'id1' });
    zone.apply({ records, groups: ['mail'], id: 'id2' });

    const mail = ['@ MX 10 mx.provider.example.', spf('v=spf1 include:a.example ~all')];
    expect(zone.lines).toEqual([...mail, '_proof TXT "one"']);
    expect(zone.instances.map(({ id }) => id)).toEqual(['id2']);

    zone.apply({ records: [{ ...proof, data: 'two' }, ...records.slice(1)], groups: ['proof'], id: 'id3' });
    expect(zone.lines).toEqual([...mail, '_proof TXT "two"']);
    expect(missingRecords(zone.instances[0]!, zone.records)).toEqual([]);

    zone.remove('id3');
    expect(zone.lines).toEqual([]);
  });

  it('replaces all records if it is applied as a whole', () => {
    const zone = new TestZone();
    zone.apply({ records, groups: ['proof'], id: 'id1' });
    zone.apply({ records: [{ ...MX, groupId: 'mail' }], id: 'id2' });

    expect(zone.lines).toEqual(['@ MX 10 mx.provider.example.']);
  });
});
