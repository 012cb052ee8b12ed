import type { ChangeChallenge } from '../../../../../src/application/dns/dynamic/change-challenge';
import type { Actor } from '../../../../../src/domain/access/actor';
import type { KeyLimits } from '../../../../../src/domain/access/key-limits';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const ZONE = 'example.com';
const NAME = `_acme-challenge.${ZONE}`;

const limitedKey = (limits: KeyLimits): Actor => ({ kind: 'key', id: 'AbC-dEf_0123', limits });

describe('changing the TXT record of an ACME challenge', () => {
  let around: UseCaseContext;
  let challenges: ChangeChallenge;
  const zone = () => around.storage.tables.zones.get('dom_1');
  const values = () =>
    zone()
      ?.records.map(({ name, type, content, ttl }) => `${name} ${ttl} ${type} ${content}`)
      .toSorted();
  const change = (kind: 'add' | 'remove' | 'addLatest', value: string, name = NAME) =>
    challenges[kind]({ ...OURS, name, value });

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: ZONE });
    challenges = dnsUseCases(around).changeChallenge;
  });

  it('keeps both values that are added at the same time, for a domain and its wildcard', async () => {
    await Promise.all([change('add', 'one'), change('add', 'two')]);

    expect(values()).toEqual(['_acme-challenge 60 TXT one', '_acme-challenge 60 TXT two']);
  });

  it('adds and removes a value once, and leaves other records alone', async () => {
    const txt = DnsRecord.create(
      { type: 'TXT', name: '_acme-challenge', content: 'other' },
      ZONE,
      'rec_a',
      new Date(0),
    );
    await around.givenRecords('dom_1', [txt]);
    await change('add', 'one');
    const version = zone()?.version;

    await change('add', 'one');
    expect(zone()?.version).toBe(version);

    await change('remove', 'one');
    await change('remove', 'one');
    expect(values()).toEqual(['_acme-challenge 3600 TXT other']);
  });

  it('keeps the two latest values of a name, also within a millisecond', async () => {
    for (const value of ['one', 'two', 'three']) await change('addLatest', value);
    expect(values()).toEqual(['_acme-challenge 60 TXT three', '_acme-challenge 60 TXT two']);

    await change('addLatest', 'two');
    await change('addLatest', 'four');
    expect(values()).toEqual(['_acme-challenge 60 TXT four', '_acme-challenge 60 TXT two']);
  });

  it('finds the longest domain of the account that contains the name', async () => {
    await around.givenDomain({ id: 'dom_2', name: `sub.${ZONE}` });
    await change('add', 'one', `_acme-challenge.www.sub.${ZONE}`);

    expect(values()).toEqual([]);
    expect(around.storage.tables.zones.get('dom_2')?.records).toMatchObject([{ name: '_acme-challenge.www' }]);
  });

  it('does not find the domain of another account, or a name outside of the key’s limits', async () => {
    await expect(challenges.add({ ...STRANGER, name: NAME, value: 'one' })).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
    await expect(
      challenges.add({ ...OURS, actor: limitedKey({ names: ['www'] }), name: NAME, value: 'one' }),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(values()).toEqual([]);
  });

  it('records in the activity log, with the reason, what the key’s limits refuse', async () => {
    const actor = limitedKey({ names: ['www'] });

    await challenges.add({ ...OURS, actor, name: NAME, value: 'one' }).catch(() => undefined);

    expect(around.auditEntries).toMatchObject([
      {
        action: 'zone.update_refused',
        actor: { kind: 'key', id: 'AbC-dEf_0123' },
        domain: { id: 'dom_1', name: ZONE },
        after: { code: 'INSUFFICIENT_SCOPE', reason: 'limits.names: the key is for records named www' },
      },
    ]);
  });

  it('finds no name of a domain that the key may not see, and takes no domain above it instead', async () => {
    await around.givenDomain({ id: 'dom_3', name: `sub.${ZONE}` });
    const actor = limitedKey({ domains: [ZONE] });

    await expect(
      challenges.add({ ...OURS, actor, name: `_acme-challenge.sub.${ZONE}`, value: 'one' }),
    ).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    expect(values()).toEqual([]);
  });

  it('responds when every secondary serves the change, and logs a warning if that takes too long', async () => {
    around.publisher.answersFrom('ns1', { kind: 'serves', serial: 1, since: new Date(0) });
    const { changeChallenge } = dnsUseCases(around, undefined, 20);
    await changeChallenge.add({ ...OURS, name: NAME, value: 'one' });

    expect(around.log.entries).toMatchObject([{ level: 'warn', facts: { zone: ZONE, serial: zone()?.serial } }]);
  });
});
