import { SetDsRecords } from '../../../../src/application/dnssec/set-ds-records';
import type { OperationIntent } from '../../../../src/application/operations/operation-queue';
import type { OperationOutcome } from '../../../../src/application/operations/operation-outcome';
import type { NameserverKeys } from '../../../../src/application/ports/dns/other-nameservers';
import { FindDomain } from '../../../../src/application/registration/find-domain';
import { dsRecordOf, type DnsKey } from '../../../../src/domain/dns/delegation/ds-record';
import { ZoneSigning } from '../../../../src/domain/dns/dnssec/zone-signing';
import type { DomainState } from '../../../../src/domain/registration/domain';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../../src/domain/registration/operations/operation-request';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const ELSEWHERE = ['ns1.elsewhere.net', 'ns2.elsewhere.net'];
const aKey = (fill: number): DnsKey => ({
  flags: 257,
  algorithm: 13,
  publicKey: Buffer.alloc(64, fill).toString('base64'),
});
const KEY = aKey(1);
const SIGNER = dsRecordOf('example.com', KEY);
const WITHOUT_KEY = { keyTag: SIGNER.keyTag, algorithm: 13, digestType: 2, digest: SIGNER.digest };

const serving = (nameserver: string, keys: readonly DnsKey[], signing = keys): NameserverKeys => ({
  nameserver,
  served: { keys, signing },
});

describe('DS records of a zone that other nameservers sign', () => {
  let around: UseCaseContext;
  let served: NameserverKeys[];
  let sent: OperationRequest[];
  let meanwhile: (() => unknown) | undefined;
  let unfinished: Operation[];

  beforeEach(async () => {
    around = new UseCaseContext();
    served = ELSEWHERE.map((nameserver) => serving(nameserver, [aKey(2), KEY]));
    sent = [];
    meanwhile = undefined;
    unfinished = [];
    await around.givenDomain({ id: 'dom_1', nameservers: ELSEWHERE });
  });

  const set = async (dsRecords: readonly (typeof WITHOUT_KEY)[], keys: readonly DnsKey[] = [], domainId = 'dom_1') =>
    new SetDsRecords(
      new FindDomain(around.storage.domains),
      around.storage.zoneSignings,
      {
        keys: async () => {
          meanwhile?.();
          return served;
        },
      },
      {
        execute: async ({ request }: OperationIntent) => {
          const domain = await around.storage.domains.find(OURS.accountId, domainId);
          if (domain) sent.push(request(domain, unfinished));
          return {} as OperationOutcome;
        },
      },
      around.tlds,
      SETTINGS,
    ).execute({ ...OURS, domainId, dsRecords, keys });

  it('are sent with the key that every nameserver serves, for registries that take keys', async () => {
    await set([WITHOUT_KEY]);

    expect(sent).toEqual([{ kind: 'set_delegation_signers', signers: [SIGNER] }]);
  });

  it('are made from keys', async () => {
    await set([], [KEY]);

    expect(sent).toEqual([{ kind: 'set_delegation_signers', signers: [SIGNER] }]);
  });

  it('are sent once if a DS record and its key are given, or the same one twice', async () => {
    await set([WITHOUT_KEY, WITHOUT_KEY], [KEY]);

    expect(sent).toEqual([{ kind: 'set_delegation_signers', signers: [SIGNER] }]);
  });

  it('are removed without a check', async () => {
    served = [];

    await set([]);

    expect(sent).toEqual([{ kind: 'set_delegation_signers', signers: [] }]);
  });

  it('are not sent if no nameserver serves the key', async () => {
    served = ELSEWHERE.map((nameserver) => serving(nameserver, [aKey(2)]));

    await expect(set([WITHOUT_KEY])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('no nameserver of the domain has a DNSKEY record'),
    });
    expect(sent).toEqual([]);
  });

  it('are sent for two signers with a key each (RFC 8901, model 2)', async () => {
    served = [serving('ns1.elsewhere.net', [KEY]), serving('ns2.elsewhere.net', [aKey(2)])];

    await set([], [KEY, aKey(2)]);

    expect(sent).toEqual([{ kind: 'set_delegation_signers', signers: [SIGNER, dsRecordOf('example.com', aKey(2))] }]);
  });

  it('are sent for a standby key, which does not sign yet', async () => {
    served = ELSEWHERE.map((nameserver) => serving(nameserver, [KEY, aKey(3)], [KEY]));

    await set([WITHOUT_KEY], [aKey(3)]);

    expect(sent).toEqual([{ kind: 'set_delegation_signers', signers: [SIGNER, dsRecordOf('example.com', aKey(3))] }]);
  });

  it.each([
    ['serves other keys only', serving('ns2.elsewhere.net', [aKey(2)])],
    ['serves the key, and signs with another', serving('ns2.elsewhere.net', [KEY, aKey(2)], [aKey(2)])],
    ['serves no key', serving('ns2.elsewhere.net', [])],
  ])('are not sent if one nameserver %s', async (_what, second) => {
    served = [served[0] as NameserverKeys, second];

    await expect(set([WITHOUT_KEY])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('signs the DNSKEY records at ns2.elsewhere.net'),
    });
    expect(sent).toEqual([]);
  });

  it('are not sent if a nameserver does not answer', async () => {
    served = [served[0] as NameserverKeys, { nameserver: 'ns2.elsewhere.net', served: undefined }];

    await expect(set([WITHOUT_KEY])).rejects.toMatchObject({ code: 'ZONE_SOURCE_FAILED' });
    expect(sent).toEqual([]);
  });

  it('are not sent if the nameservers change while they are asked, or are being changed', async () => {
    const move = { kind: 'set_nameservers', hosts: SETTINGS.defaultNameservers } as const;
    const { domains } = around.storage.tables;
    const before = domains.get('dom_1') as DomainState;
    meanwhile = () => domains.set('dom_1', { ...before, nameservers: SETTINGS.defaultNameservers });
    await expect(set([WITHOUT_KEY])).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    meanwhile = undefined;
    domains.set('dom_1', before);
    unfinished = [Operation.queue({ id: 'op_1', ...OURS, domainId: 'dom_1', request: move }, around.clock.now())];
    await expect(set([WITHOUT_KEY])).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });

    expect(sent).toEqual([]);
  });

  it('are refused if their digest is not that of the key', async () => {
    await expect(set([{ ...WITHOUT_KEY, digest: 'A'.repeat(64) }])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are refused for a zone that this service serves or signs', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'ours.com', nameservers: SETTINGS.defaultNameservers });
    await around.storage.run(({ zoneSignings }) =>
      zoneSignings.add(ZoneSigning.request('dom_1', 'nsec', around.lifecycleClock.now())),
    );

    await expect(set([WITHOUT_KEY], [], 'dom_2')).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    await expect(set([WITHOUT_KEY])).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
  });
});
