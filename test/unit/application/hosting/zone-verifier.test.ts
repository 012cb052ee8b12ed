import { AskDelegation } from '../../../../src/application/hosting/ask-delegation';
import { ZoneVerifier } from '../../../../src/application/hosting/zone-verifier';
import type { DelegationAnswer } from '../../../../src/application/ports/dns/other-nameservers';
import { StorageUnavailable } from '../../../../src/application/ports/storage/storage-unavailable';
import type { DomainStatus } from '../../../../src/domain/registration/domain-status';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const OURS = ['ns1.example.net', 'ns2.example.net'];

describe('the background checks of zones without a registration', () => {
  let around: UseCaseContext;
  let answer: DelegationAnswer;
  let verified: string[];
  let cleaned: string[];
  let filled: string[];
  let failure: Error | undefined;

  const find = async () => {
    if (failure) throw failure;
    return answer;
  };
  const verifier = () => {
    const { storage, clock, lifecycleClock, log } = around;
    const settings = { defaultNameservers: OURS };
    const ask = new AskDelegation({ find }, storage.domains, storage.records, storage, settings, clock, lifecycleClock);
    const verifyZone = { verifyDue: async ({ id }: { readonly id: string }) => void verified.push(id) };
    const keep = { execute: async () => {} };
    const cleanUp = { execute: async ({ id }: { readonly id: string }) => void cleaned.push(id) };
    return new ZoneVerifier(
      storage.domains,
      verifyZone,
      ask,
      keep,
      { keep: keep.execute },
      { execute: async ({ id }) => void filled.push(id) },
      storage.records,
      cleanUp,
      storage.leases,
      lifecycleClock,
      log,
    );
  };
  const given = async (id: string, status: DomainStatus, age = 0) => {
    const now = around.lifecycleClock.now();
    const createdAt = new Date(now.getTime() - age);
    await around.givenDomain({ id, name: `${id.replace('_', '-')}.example`, status, createdAt, dueAt: now });
  };
  const minutesTo = (id: string) => {
    const dueAt = around.storage.tables.domains.get(id)?.dueAt;
    return dueAt && (dueAt.getTime() - around.lifecycleClock.now().getTime()) / 60_000;
  };

  beforeEach(() => {
    around = new UseCaseContext();
    answer = { kind: 'delegated', nameservers: OURS };
    verified = [];
    cleaned = [];
    filled = [];
    failure = undefined;
  });

  it('ask the parent of each zone, and again after a minute, up to once a day', async () => {
    await given('dom_1', 'hosted');
    await given('dom_2', 'hosted', 100 * 86_400_000);
    await given('dom_3', 'unverified');

    await verifier().run();

    expect(verified.toSorted()).toEqual(['dom_1', 'dom_2', 'dom_3']);
    expect(around.storage.tables.zoneDelegations.get('dom_1')).toMatchObject({ state: 'ours', nameservers: OURS });
    expect(['dom_1', 'dom_2', 'dom_3'].map(minutesTo)).toEqual([1, 1440, 1]);
  });

  it('fill a reverse zone the first time, and not again', async () => {
    await given('dom_1', 'hosted');
    await verifier().run();
    around.lifecycleClock.advance({ ms: 60_000 });

    await verifier().run();

    expect(verified).toEqual(['dom_1', 'dom_1']);
    expect(filled).toEqual(['dom_1']);
  });

  it('clean up after zones that have ended with their registration', async () => {
    await given('dom_1', 'gone');
    await given('dom_2', 'transferred_out');
    await given('dom_3', 'active');

    await verifier().run();

    expect(cleaned.toSorted()).toEqual(['dom_1', 'dom_2']);
    expect(verified).toEqual([]);
  });

  it('end for an unverified zone after a week', async () => {
    await given('dom_1', 'unverified', 8 * 86_400_000);

    await verifier().run();

    expect(minutesTo('dom_1')).toBeNull();
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'unverified' });
  });

  it('keep the nameservers that the parent named while it does not answer', async () => {
    await given('dom_1', 'hosted');
    await verifier().run();
    answer = { kind: 'unknown', reason: 'none of them answers' };
    around.lifecycleClock.advance({ ms: 60_000 });

    await verifier().run();

    expect(around.storage.tables.zoneDelegations.get('dom_1')).toMatchObject({ state: 'unknown', nameservers: OURS });
  });

  it('try a zone that fails again later, and check the others', async () => {
    await given('dom_1', 'hosted');
    failure = new Error('a defect');

    await verifier().run();

    expect(around.storage.tables.zoneDelegations.size).toBe(0);
    expect(minutesTo('dom_1')).toBe(1);
  });

  it('leave a zone due while the database cannot be reached', async () => {
    await given('dom_1', 'hosted');
    failure = new StorageUnavailable();

    await verifier().run();

    expect(minutesTo('dom_1')).toBe(0);
  });
});
