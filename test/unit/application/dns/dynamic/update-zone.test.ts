import { randomUUID } from 'node:crypto';
import type { ApiKeyState } from '../../../../../src/domain/access/api-key';
import type { KeyLimits } from '../../../../../src/domain/access/key-limits';
import type { Prerequisite, UpdateChange, UpdateMessage } from '../../../../../src/domain/dns/update/update-message';
import type { SecondaryAnswer } from '../../../../../src/application/ports/dns/publishing';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { aRecord } from '../../../../support/data/a-record';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const KEY = { keyId: 'AbC-dEf_0123', accountId: OURS.accountId, scope: 'WRITE', limits: { types: ['TXT'] } };
const ADDRESS: UpdateChange = {
  kind: 'add',
  name: 'www',
  type: 'A',
  record: { type: 'A', name: 'www', content: '192.0.2.1' },
};
const TEXT: UpdateChange = { kind: 'add', name: 'a', type: 'TXT', record: { type: 'TXT', name: 'a', content: 'x' } };

function addApexNs(content: string): UpdateChange {
  return { kind: 'add', name: '@', type: 'NS', record: { type: 'NS', name: '@', content, ttl: 60 } };
}

describe('a dynamic update', () => {
  let around: UseCaseContext;

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
  });

  const update = (change: UpdateChange) =>
    dnsUseCases(around).updateZone.execute({
      key: KEY as unknown as ApiKeyState,
      zoneName: 'example.com',
      message: { prerequisites: [], changes: [change] },
      messageId: randomUUID(),
      waitMs: 0,
    });

  const updateAs = (limits: KeyLimits, message: Partial<UpdateMessage>, messageId: string = randomUUID()) =>
    dnsUseCases(around).updateZone.execute({
      key: { ...KEY, limits } as unknown as ApiKeyState,
      zoneName: 'example.com',
      message: { prerequisites: [], changes: [], ...message },
      messageId,
      waitMs: 0,
    });
  const outcomeOf = (limits: KeyLimits, ...prerequisites: Prerequisite[]) => updateAs(limits, { prerequisites });

  const contents = () => around.storage.tables.zones.get('dom_1')?.records.map(({ content }) => content);
  const types = () => around.storage.tables.zones.get('dom_1')?.records.map(({ type }) => type);
  const warnings = () => around.log.entries.filter(({ level }) => level === 'warn').map(({ message }) => message);

  it('stores the TTL of each NS record at the apex, also if the set is served with it already', async () => {
    const [first = '', second = ''] = around.storage.tables.domains.get('dom_1')?.nameservers ?? [];

    await updateAs({}, { changes: [addApexNs(first)] });
    await updateAs({}, { changes: [addApexNs(second)] });

    expect(contents()).toEqual([first, second]);
  });

  it('is in the log and in the activity log if it is refused, with the reason', async () => {
    expect(await update(ADDRESS)).toMatchObject({ outcome: 'REFUSED' });

    expect(around.auditEntries).toMatchObject([
      {
        action: 'zone.update_refused',
        actor: OURS.actor,
        domain: { name: 'example.com' },
        after: { code: 'INSUFFICIENT_SCOPE', reason: 'limits.types: the key is for TXT records' },
      },
    ]);
    expect(warnings()).toEqual(['DNS update refused']);
  });

  it('is refused if it deletes one NS record of the delegation: it would have no effect', async () => {
    const [host = ''] = around.storage.tables.domains.get('dom_1')?.nameservers ?? [];
    const ns = { type: 'NS', name: '@', content: host };
    const deletion: UpdateChange = { kind: 'delete_record', name: '@', type: 'NS', record: ns };

    expect(await updateAs({}, { changes: [TEXT, deletion] })).toMatchObject({ outcome: 'REFUSED' });

    expect(contents()).toEqual([]);
    expect(around.auditEntries).toMatchObject([
      {
        action: 'zone.update_refused',
        after: {
          code: 'RECORD_CONFLICT',
          reason: expect.stringContaining('change the nameservers of the domain instead'),
        },
      },
    ]);
  });

  it('adds no entry to the activity log for ten minutes if it is refused for the same reason again', async () => {
    const { updateZone } = dnsUseCases(around);
    const refused = () =>
      updateZone.execute({
        key: KEY as unknown as ApiKeyState,
        zoneName: 'example.com',
        message: { prerequisites: [], changes: [ADDRESS] },
        messageId: randomUUID(),
        waitMs: 0,
      });
    await refused();
    await refused();
    expect(around.auditEntries).toHaveLength(1);

    around.clock.advance({ ms: 10 * 60_000 });
    await refused();

    expect(around.auditEntries).toHaveLength(2);
  });

  it('fails as a whole with an invalid change, after its prerequisites (RFC 2136, section 3)', async () => {
    const invalid = { section: 'changes', outcome: 'NOTZONE' } as const;

    expect(await updateAs({}, { changes: [TEXT], invalid })).toMatchObject({ outcome: 'NOTZONE' });
    const prerequisites: Prerequisite[] = [{ kind: 'name_in_use', name: 'absent' }];
    expect(await updateAs({}, { prerequisites, changes: [TEXT], invalid })).toMatchObject({ outcome: 'NXDOMAIN' });
    expect(types()).toEqual([]);
  });

  describe('with a prerequisite that its own records make fail', () => {
    const message = {
      prerequisites: [{ kind: 'name_not_in_use', name: 'www' }],
      changes: [
        { kind: 'add', name: 'www', type: 'A', record: { type: 'A', name: 'www', content: '192.0.2.1' } },
        { kind: 'add', name: 'www', type: 'A', record: { type: 'A', name: 'www', content: '192.0.2.2' } },
      ],
    } as const;

    it('gets the first response at another replica as well, and changes nothing again', async () => {
      expect(await updateAs({}, message, 'm1')).toMatchObject({ outcome: 'NOERROR' });
      await updateAs({}, { changes: [{ ...message.changes[0], kind: 'delete_record' }] });

      expect(await updateAs({}, message, 'm1')).toMatchObject({ outcome: 'NOERROR' });
      expect(contents()).toEqual(['192.0.2.2']);
    });

    it('fails as another signed message', async () => {
      expect(await updateAs({}, message, 'm1')).toMatchObject({ outcome: 'NOERROR' });
      expect(await updateAs({}, message, 'm2')).toMatchObject({ outcome: 'YXDOMAIN' });
    });

    it('is carried out again if nothing of it is left', async () => {
      expect(await updateAs({}, message, 'm1')).toMatchObject({ outcome: 'NOERROR' });
      await updateAs({}, { changes: [{ kind: 'delete_name', name: 'www' }] });

      expect(await updateAs({}, message, 'm1')).toMatchObject({ outcome: 'NOERROR' });
      expect(contents()).toEqual(['192.0.2.1', '192.0.2.2']);
    });
  });

  it('is NOTAUTH for a domain of another account, whatever its records (RFC 2136, section 3.1)', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'example.net', accountId: 'acc_theirs' });

    const message = { prerequisites: [], changes: [], invalid: { section: 'changes', outcome: 'NOTZONE' } } as const;
    const key = { ...KEY, limits: null } as unknown as ApiKeyState;
    const { updateZone } = dnsUseCases(around);
    expect(
      await updateZone.execute({ key, zoneName: 'example.net', message, messageId: 'm1', waitMs: 0 }),
    ).toMatchObject({ outcome: 'NOTAUTH' });
  });

  it('is not late, and logs no warning, while no secondary is configured', async () => {
    expect(await update(TEXT)).toMatchObject({ outcome: 'NOERROR' });
    expect(warnings()).toEqual([]);
  });

  it('logs a warning if a secondary does not serve it in time', async () => {
    const outdated: SecondaryAnswer = { kind: 'serves', serial: 1, since: new Date(0) };
    around.publisher.querySecondaries = async () => [{ secondary: 'ns1', answer: outdated }];

    expect(await update(TEXT)).toMatchObject({ outcome: 'NOERROR' });
    expect(warnings()).toEqual(['responded to a DNS update before every secondary serves it']);
  });

  describe('at a name with an ALIAS record', () => {
    const name = 'www';

    beforeEach(() =>
      around.givenRecords('dom_1', [
        DnsRecord.create({ type: 'ALIAS', name, content: 'lb.test' }, 'example.com', 'rec_1', new Date(0), ALL_TYPES),
      ]),
    );

    it('adds no address, which would conflict with those that are derived', async () => {
      expect(await updateAs({}, { changes: [ADDRESS] })).toMatchObject({ outcome: 'REFUSED' });
      expect(types()).toEqual(['ALIAS']);
    });

    it('removes the record with all others of the name', async () => {
      expect(await updateAs({}, { changes: [{ kind: 'delete_name', name }] })).toMatchObject({ outcome: 'NOERROR' });
      expect(types()).toEqual([]);
    });

    it('finds the name in use, and no stored addresses', async () => {
      expect(await updateAs({}, { prerequisites: [{ kind: 'name_in_use', name }] })).toMatchObject({
        outcome: 'NOERROR',
      });
      expect(await updateAs({}, { prerequisites: [{ kind: 'set_exists', name, type: 'A' }] })).toMatchObject({
        outcome: 'NXRRSET',
      });
    });
  });

  describe('of a key that may see some records', () => {
    const name = 'www';

    beforeEach(() => around.givenRecords('dom_1', [aRecord({ name, type: 'A', content: '192.0.2.1' })]));

    it.each<Prerequisite>([
      { kind: 'set_exists', name, type: 'A' },
      { kind: 'set_absent', name, type: 'A' },
      { kind: 'set_equals', name, type: 'A', record: { type: 'A', name, content: '192.0.2.1' } },
      { kind: 'set_exists', name: 'other', type: 'A' },
    ])('is refused with a prerequisite about a type that the key is not for: $kind at $name', async (prerequisite) => {
      expect(await outcomeOf({ types: ['TXT'] }, prerequisite)).toMatchObject({ outcome: 'REFUSED' });
    });

    it.each<Prerequisite>([
      { kind: 'name_in_use', name },
      { kind: 'name_not_in_use', name: 'other' },
      { kind: 'set_exists', name, type: 'A' },
    ])('is refused with a prerequisite about a name that the key is not for: $kind at $name', async (prerequisite) => {
      expect(await outcomeOf({ names: ['mine'] }, prerequisite)).toMatchObject({ outcome: 'REFUSED' });
    });

    it.each<UpdateChange>([
      { kind: 'delete_set', name: 'other', type: 'A' },
      { kind: 'delete_name', name: 'other' },
      { kind: 'delete_record', name, type: 'A', record: { type: 'A', name, content: '192.0.2.99' } },
    ])('is refused with a change outside of the limits also if that would change nothing: $kind', async (change) => {
      expect(await updateAs({ names: ['mine'] }, { changes: [change] })).toMatchObject({ outcome: 'REFUSED' });
      expect(await updateAs({ names: ['mine'] }, { changes: [{ ...change, name: 'mine' }] })).toMatchObject({
        outcome: 'NOERROR',
      });
    });

    it('deletes the records of its types when it deletes a name, and no others', async () => {
      await around.givenRecords('dom_1', [aRecord({ name, type: 'TXT', content: 'x' }, 'rec_text')]);

      expect(await updateAs({ types: ['TXT'] }, { changes: [{ kind: 'delete_name', name }] })).toMatchObject({
        outcome: 'NOERROR',
      });

      expect(around.storage.tables.zones.get('dom_1')?.records.map(({ type }) => type)).toEqual(['A']);
    });

    it('meets prerequisites about a name by the records that the key may see', async () => {
      expect(await outcomeOf({ types: ['TXT'] }, { kind: 'name_not_in_use', name })).toMatchObject({
        outcome: 'NOERROR',
      });
      expect(await outcomeOf({ types: ['TXT'] }, { kind: 'name_in_use', name })).toMatchObject({ outcome: 'NXDOMAIN' });
      expect(await outcomeOf({ types: ['A'] }, { kind: 'name_in_use', name })).toMatchObject({ outcome: 'NOERROR' });
      expect(await outcomeOf({ types: ['TXT'] }, { kind: 'set_exists', name: '@', type: 'SOA' })).toMatchObject({
        outcome: 'NOERROR',
      });
    });
  });
});
