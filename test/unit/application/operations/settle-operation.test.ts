import { GlueUpdates } from '../../../../src/application/publishing/glue-updates';
import { OperationClaims } from '../../../../src/application/operations/operation-claims';
import { RegistryEvidence } from '../../../../src/application/operations/settlement/registry-evidence';
import { SettleOperation } from '../../../../src/application/operations/settlement/settle-operation';
import type { RegistryDomain } from '../../../../src/application/ports/registry/registry-port';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../../src/domain/registration/operations/operation-request';
import { SERVICE } from '../../../../src/domain/access/actor';
import type { DomainState } from '../../../../src/domain/registration/domain';
import { TldPolicies } from '../../../../src/domain/registration/names/tld-policy';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { SOME_TLDS } from '../../../support/data/some-tlds';
import {
  closeScenarios,
  openScenario,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const PRICE = { minor: 10_00, currency: 'USD' };
const HOSTS = ['ns1.other.net', 'ns2.other.net'];
const MOVED = new Date('2029-01-01T00:00:00.000Z');

interface Kind {
  readonly request: OperationRequest;
  readonly status?: DomainState['status'];
  /** The registry's data with and without the effect; null for a name that it does not have. */
  readonly shown: Partial<RegistryDomain> | null;
  readonly absent: Partial<RegistryDomain> | null;
  readonly after: Partial<DomainState>;
}

const KINDS: readonly Kind[] = [
  {
    request: { kind: 'register', years: 1, price: PRICE },
    status: 'pending',
    shown: { createdByUs: false, expiresAt: MOVED },
    absent: null,
    after: { status: 'active', expiresAt: MOVED },
  },
  {
    request: { kind: 'renew', years: 1, price: PRICE },
    shown: { expiresAt: MOVED },
    absent: {},
    after: { expiresAt: MOVED },
  },
  {
    request: { kind: 'restore', price: PRICE, accepted: true },
    status: 'redemption',
    shown: { phase: 'registered', expiresAt: MOVED },
    absent: { phase: 'redemption' },
    after: { status: 'active' },
  },
  { request: { kind: 'delete', within: 'any_time' }, shown: null, absent: {}, after: { status: 'gone' } },
  {
    request: { kind: 'set_nameservers', hosts: HOSTS },
    shown: { nameservers: HOSTS.toReversed() },
    absent: {},
    after: { nameservers: HOSTS },
  },
  {
    request: { kind: 'set_transfer_lock', locked: false },
    shown: { transferLocked: false },
    absent: { transferLocked: true },
    after: { transferLocked: false },
  },
  {
    request: { kind: 'approve_transfer' },
    shown: { sponsoredByUs: false },
    absent: {},
    after: { status: 'transferred_out' },
  },
  {
    request: { kind: 'reject_transfer' },
    shown: { transferPending: false },
    absent: { transferPending: true },
    after: { status: 'active', transferPending: false },
  },
  {
    request: { kind: 'release', registrarTag: 'OTHER' },
    shown: { sponsoredByUs: false },
    absent: {},
    after: { status: 'transferred_out' },
  },
];

describe('an operation that the operator settles', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  let settle: SettleOperation;

  beforeEach(() => {
    ({ around, scenario } = openScenario());
    const { storage, clock, lifecycleClock, registry } = around;
    const tlds = new TldPolicies(SOME_TLDS);
    const claims = new OperationClaims(
      storage,
      clock,
      lifecycleClock,
      around.plan,
      { waitMs: 1_000, leaseMs: 1_000, alone: true },
      new GlueUpdates(tlds, around.ids, clock, lifecycleClock),
      tlds,
      around.ids,
      around.log,
    );
    const evidence = new RegistryEvidence(registry, lifecycleClock);
    settle = new SettleOperation(storage, claims, evidence, tlds, clock, lifecycleClock);
  });
  afterEach(() => closeScenarios(around, scenario));

  const domain = () => around.storage.tables.domains.get('dom_1');
  const operation = () => around.storage.tables.operations.get('op_1');

  const given = async (
    { request, status = 'active' }: Kind,
    held: Partial<RegistryDomain> | null,
    { name = 'example.com', lostAt = addDays(around.clock.now(), -1) }: { name?: string; lostAt?: Date } = {},
  ) => {
    await around.givenDomain({ id: 'dom_1', name, status, registrant: A_REGISTRANT });
    if (held) around.registry.hold(name, { expiresAt: domain()?.expiresAt ?? MOVED, ...held });
    else around.registry.letGo(name);
    const intent = { id: 'op_1', accountId: OURS.accountId, domainId: 'dom_1', actor: SERVICE, request };
    const queued = Operation.queue(intent, around.clock.now());
    const uncertain = { status: 'uncertain', uncertainSince: lostAt, lostAt } as const;
    const nextAttemptAt = addDays(around.clock.now(), 1);
    await around.storage.run(({ operations }) =>
      operations.add(Operation.fromState({ ...queued.toState(), ...uncertain, nextAttemptAt })),
    );
  };

  describe.each(KINDS)('$request.kind', (kind) => {
    it('succeeds with what the registry shows, and cannot fail', async () => {
      await given(kind, kind.shown);

      await expect(settle.execute({ operationId: 'op_1', outcome: 'failed' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await settle.execute({ operationId: 'op_1', outcome: 'succeeded' });

      expect(operation()).toMatchObject({ status: 'succeeded', finishedAt: around.clock.now() });
      expect(domain()).toMatchObject(kind.after);
    });

    it('fails if the registry does not show it, and cannot succeed', async () => {
      await given(kind, kind.absent);

      await expect(settle.execute({ operationId: 'op_1', outcome: 'succeeded' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      await settle.execute({ operationId: 'op_1', outcome: 'failed' });

      expect(operation()).toMatchObject({ status: 'failed' });
      const isGone = kind.request.kind === 'register';
      expect(domain()).toMatchObject({ status: isGone ? 'gone' : (kind.status ?? 'active') });
    });
  });

  const [registration] = KINDS;

  it('cannot fail while the registry may not show yet that it took effect', async () => {
    const lostAt = new Date(around.clock.now().getTime() - 30_000);
    await given(registration!, null, { name: 'example.org', lostAt });

    await expect(settle.execute({ operationId: 'op_1', outcome: 'failed' })).rejects.toMatchObject({
      details: expect.stringContaining(
        `without being shown until ${new Date(lostAt.getTime() + 60_000).toISOString()}`,
      ),
    });
    expect(operation()).toMatchObject({ status: 'uncertain' });
  });

  it('warns of a registration whose registrant is another one at the registry', async () => {
    await given(registration!, registration!.shown);
    jest.spyOn(around.registry, 'registrant').mockResolvedValue({ ...A_REGISTRANT, lastName: 'Default' });

    await settle.execute({ operationId: 'op_1', outcome: 'succeeded' });

    expect(operation()).toMatchObject({
      status: 'succeeded',
      request: { registrantRefused: 'It shows another registrant' },
    });
    expect(around.auditEntries.map(({ action }) => action)).toContain('domain.registrant_refused');
  });

  it('stays uncertain if the registry cannot be read', async () => {
    await given(registration!, null);
    around.registry.goDown();

    for (const outcome of ['failed', 'succeeded'] as const)
      await expect(settle.execute({ operationId: 'op_1', outcome })).rejects.toMatchObject({
        code: 'REGISTRY_UNAVAILABLE',
      });
    expect(operation()).toMatchObject({ status: 'uncertain' });
  });

  it('fails without a look at the registry if none serves the name any more', async () => {
    await given(registration!, null, { name: 'example.unserved' });
    around.registry.goDown();

    await settle.execute({ operationId: 'op_1', outcome: 'failed' });

    expect(operation()).toMatchObject({ status: 'failed' });
    expect(domain()).toMatchObject({ status: 'gone' });
  });

  it('cannot succeed if it issued an auth code, which is lost', async () => {
    await given({ request: { kind: 'issue_auth_code' }, shown: {}, absent: {}, after: {} }, {});

    await expect(settle.execute({ operationId: 'op_1', outcome: 'succeeded' })).rejects.toMatchObject({
      details: expect.stringContaining('the registry shows no auth codes'),
    });
  });
});
