import { ZoneSigning } from '../../../../src/domain/dns/dnssec/zone-signing';
import { ALL_TYPES } from '../../../../src/domain/dns/records/types/record-types';
import { DEFAULT_ZONE_LIMITS } from '../../../../src/domain/dns/zone-rules';
import { aRecord } from '../../../support/data/a-record';
import { dnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import {
  closeScenarios,
  openSigningScenario,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('switching DNSSEC on', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openSigningScenario());
    await around.givenDomain({ id: 'dom_1', name: 'example.com', nameservers: SETTINGS.defaultNameservers });
    around.publisher.answersFrom('ns1', { kind: 'serves', serial: 1_000, since: new Date(0) });
  });

  afterEach(() => closeScenarios(around, scenario));

  const change = (enabled: boolean) => scenario.changeSigning.execute({ ...OURS, domainId: 'dom_1', enabled });

  it('is the account’s: another account does not find the domain', async () => {
    await expect(
      scenario.changeSigning.execute({ ...STRANGER, domainId: 'dom_1', enabled: true }),
    ).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
  });

  it('is refused before anything is published if a secondary signs all zones', async () => {
    await around.storage.secondaryDirectory.addKey(
      { name: 'signer', algorithm: 'hmac-sha256', secret: Buffer.alloc(32) },
      around.clock.now(),
    );
    await around.storage.secondaryDirectory.add({
      name: 'signer',
      endpoint: { address: '192.0.2.1', port: 53 },
      keyName: 'signer',
      signs: true,
      createdAt: around.clock.now(),
    });

    await expect(change(true)).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    expect(scenario.signer.calls).toEqual([]);
  });

  it('is refused if the domain is delegated elsewhere', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'elsewhere.com', nameservers: ['ns1.x.net', 'ns2.x.net'] });

    await expect(scenario.changeSigning.execute({ ...OURS, domainId: 'dom_2', enabled: true })).rejects.toMatchObject({
      code: 'DOMAIN_STATUS_CONFLICT',
    });
  });

  it('reserves the DNSKEY, CDS and CDNSKEY records at the apex for the service, from the request to the end', async () => {
    const limits = { ...DEFAULT_ZONE_LIMITS, types: ALL_TYPES };
    const add = (name: string) =>
      dnsUseCases(around, limits).addRecord.execute({
        ...OURS,
        domainId: 'dom_1',
        draft: { type: 'CDS', name, content: `12345 13 2 ${'AB'.repeat(32)}` },
      });

    await change(true);
    await expect(add('@')).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
    const key = { type: 'DNSKEY', name: '@', content: `257 3 13 ${Buffer.alloc(64, 1).toString('base64')}` };
    await expect(
      dnsUseCases(around, limits).addRecord.execute({ ...OURS, domainId: 'dom_1', draft: key }),
    ).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
    await add('below');
    await change(false);
    await scenario.signing.runDue();
    const { result } = await add('@');

    await expect(change(true)).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    await dnsUseCases(around, limits).removeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: result.id });
    await change(true);
    expect((await around.storage.zoneSignings.find('dom_1'))?.shownState).toBe('publishing');
  });

  it('does not sign a zone with a CDS record of the account at the apex, until that is removed', async () => {
    const record = aRecord({ type: 'CDS', name: '@', content: `12345 13 2 ${'AB'.repeat(32)}` });
    const signing = () => around.storage.zoneSignings.find('dom_1');
    await around.storage.run(({ zoneSignings }) =>
      zoneSignings.add(ZoneSigning.request('dom_1', 'nsec', around.lifecycleClock.now())),
    );
    await around.givenRecords('dom_1', [record]);

    await scenario.signing.runDue();
    expect(scenario.signer.calls).toEqual([]);
    expect((await signing())?.toState().problem?.reason).toBe(
      'The apex has DNSKEY, CDS or CDNSKEY records of the account, which the service publishes while DNSSEC is on',
    );
    await dnsUseCases(around).removeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: record.id });
    await change(true);
    await scenario.signing.runDue();

    expect((await signing())?.shownState).toBe('publishing');
    expect(scenario.signer.calls).toEqual(['start nsec']);
  });
});
