import type { UpdateHosts } from '../../../../../src/application/dns/dynamic/update-hosts';
import type { KeyLimits } from '../../../../../src/domain/access/key-limits';
import { DnsRecord, type RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { parsePrefix, type AddressUpdate } from '../../../../../src/domain/dns/update/host-addresses';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

describe('updating the addresses of hosts', () => {
  let around: UseCaseContext;
  let updateHosts: UpdateHosts;
  const zone = (domainId = 'dom_1') => around.storage.tables.zones.get(domainId);
  const lines = (domainId?: string) =>
    zone(domainId)
      ?.records.map(({ name, type, content, ttl }) => `${name} ${ttl} ${type} ${content}`)
      .toSorted();
  const given = (...drafts: readonly RecordDraft[]) =>
    around.givenRecords(
      'dom_1',
      drafts.map((draft, index) => DnsRecord.create(draft, 'example.com', `rec_given${index}`, new Date(0))),
    );
  const update = async (hosts: readonly string[], addresses: Partial<AddressUpdate>, limits?: KeyLimits) =>
    Object.fromEntries(
      await updateHosts.execute({
        ...OURS,
        ...(limits && { actor: { kind: 'key', id: 'AbC-dEf_0123', limits } }),
        hosts,
        update: { ipv4: [], ipv6: [], ...addresses },
      }),
    );

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'example.com' });
    await around.givenDomain({ id: 'dom_2', name: 'example.net' });
    updateHosts = dnsUseCases(around).updateHosts;
  });

  it('sets both families of several hosts, with one version of each zone', async () => {
    const outcomes = await update(['home.example.com', 'example.com', 'home.example.net'], {
      ipv4: ['192.0.2.1'],
      ipv6: ['2001:db8::1'],
    });

    const changed = { kind: 'changed', addresses: ['192.0.2.1', '2001:db8::1'] };
    expect(outcomes).toEqual({
      'home.example.com': changed,
      'example.com': changed,
      'home.example.net': changed,
    });
    expect(lines()).toEqual([
      '@ 60 A 192.0.2.1',
      '@ 60 AAAA 2001:db8::1',
      'home 60 A 192.0.2.1',
      'home 60 AAAA 2001:db8::1',
    ]);
    expect([zone()?.version, zone('dom_2')?.version]).toEqual([2, 2]);
  });

  it('reports an address that is there already, and leaves the zone as it is', async () => {
    await given({ type: 'A', name: 'home', content: '192.0.2.1', ttl: 300 });
    const version = zone()?.version;

    expect(await update(['home.example.com'], { ipv4: ['192.0.2.1'] })).toEqual({
      'home.example.com': { kind: 'unchanged', addresses: ['192.0.2.1'] },
    });
    expect(zone()?.version).toBe(version);
  });

  it('does not change a host with an ALIAS record, and changes the others', async () => {
    const alias = { type: 'ALIAS', name: 'home', content: 'lb.test' };
    await around.givenRecords('dom_1', [DnsRecord.create(alias, 'example.com', 'rec_1', new Date(0), ALL_TYPES)]);

    const outcomes = await update(['home.example.com', 'nas.example.com'], { ipv4: ['192.0.2.1'] });

    expect(outcomes).toMatchObject({ 'home.example.com': { kind: 'refused' }, 'nas.example.com': { kind: 'changed' } });
    expect(lines()).toEqual(['home 3600 ALIAS lb.test', 'nas 60 A 192.0.2.1']);
  });

  it('moves IPv6 addresses to a new prefix, and does not find a host that has none', async () => {
    await given({ type: 'AAAA', name: 'nas', content: '2001:db8:1:1::5', ttl: 300 });
    const prefix = parsePrefix('2001:db8:2:2::/64');

    expect(await update(['nas.example.com', 'tv.example.com'], { prefix })).toEqual({
      'nas.example.com': { kind: 'changed', addresses: ['2001:db8:2:2::5'] },
      'tv.example.com': { kind: 'not_found' },
    });
    expect(lines()).toEqual(['nas 300 AAAA 2001:db8:2:2::5']);
  });

  it('changes the other hosts if a rule, a limit or its zone excludes one', async () => {
    await given({ type: 'CNAME', name: 'alias', content: 'www.example.org' });
    const limits = { names: ['home', 'alias'], types: ['A'] };

    expect(
      await update(
        ['alias.example.com', 'home.example.com', 'mail.example.com', 'x.example.org', '-a+b.example.com'],
        { ipv4: ['192.0.2.1'] },
        limits,
      ),
    ).toEqual({
      'alias.example.com': { kind: 'refused' },
      'home.example.com': { kind: 'changed', addresses: ['192.0.2.1'] },
      'mail.example.com': { kind: 'not_found' },
      'x.example.org': { kind: 'not_found' },
      '-a+b.example.com': { kind: 'invalid_name' },
    });
    expect(lines()).toEqual(['alias 3600 CNAME www.example.org', 'home 60 A 192.0.2.1']);
    const refused = around.auditEntries.filter(({ action }) => action === 'zone.update_refused');
    expect(refused.map(({ after }) => String(after.code)).toSorted()).toEqual([
      'INSUFFICIENT_SCOPE',
      'INVALID_RECORD_NAME',
      'RECORD_CONFLICT',
    ]);
  });

  it('finds no host of a domain that the key may not see', async () => {
    expect(await update(['home.example.com'], { ipv4: ['192.0.2.1'] }, { domains: ['example.net'] })).toEqual({
      'home.example.com': { kind: 'not_found' },
    });
  });

  it('asks to try again while the database is not available', async () => {
    around.storage.goDown();

    await expect(update(['home.example.com'], { ipv4: ['192.0.2.1'] })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
