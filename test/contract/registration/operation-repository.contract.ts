import type { OwnedDomain } from '../../../src/application/ports/registration/domain-repository';
import { Operation } from '../../../src/domain/registration/operations/operation';
import type {
  OperationKind,
  OperationRequest,
  RequestOf,
} from '../../../src/domain/registration/operations/operation-request';
import { A_REGISTRANT } from '../../support/data/a-domain';
import { after, anAccount, fresh, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

const ALL_REQUESTS: { readonly [K in OperationKind]: RequestOf<K> } = {
  register: { kind: 'register', years: 2, price: { minor: 2088, currency: 'USD' } },
  renew: {
    kind: 'renew',
    years: 1,
    price: { minor: 1044, currency: 'USD' },
    currentExpiry: '2027-01-01T00:00:00.000Z',
  },
  set_nameservers: { kind: 'set_nameservers', hosts: ['ns1.example.net', 'ns2.example.net'] },
  update_glue: { kind: 'update_glue', hosts: ['ns1.example.com'] },
  set_registrant: { kind: 'set_registrant', registrant: { ...A_REGISTRANT, lastName: 'Łukasiewicz' } },
  set_transfer_lock: { kind: 'set_transfer_lock', locked: false },
  set_delegation_signers: {
    kind: 'set_delegation_signers',
    signers: [
      {
        keyTag: 2371,
        algorithm: 13,
        digestType: 2,
        digest: '1F987CC6583E92DF0890718C42A44C9B4D5D2CA57FC1C6EC4AEB0C2C1C1AE8CF',
        key: { flags: 257, algorithm: 13, publicKey: 'mdsswUyr3DPW132mOi8V9xESWE8jTo0d' },
      },
    ],
  },
  set_registrar_renewal: { kind: 'set_registrar_renewal', enabled: false, autoRenew: true },
  issue_auth_code: { kind: 'issue_auth_code' },
  withdraw_auth_code: { kind: 'withdraw_auth_code' },
  approve_transfer: { kind: 'approve_transfer' },
  reject_transfer: { kind: 'reject_transfer' },
  release: { kind: 'release', registrarTag: 'OTHER-TAG' },
  restore: { kind: 'restore', price: { minor: 8000, currency: 'USD' } },
  delete: { kind: 'delete', within: 'add_grace' },
};

const queued =
  (at: Date, request: OperationRequest = { kind: 'issue_auth_code' }) =>
  (domainId: string) =>
    Operation.queue(
      { id: fresh('op_'), accountId: 'acc_1', actor: { kind: 'key', id: 'AbC-dEf_0123' }, domainId, request },
      at,
    );

/** What every store of operations must do. */
export function operationRepositoryContract(storage: () => StorageUnderTest): void {
  async function aDomainWith(
    ...operations: ((domainId: string) => Operation)[]
  ): Promise<{ domainId: string; owned: OwnedDomain; stored: readonly Operation[] }> {
    const domain = await storedDomain(storage(), await anAccount(storage()));
    const { id: domainId } = domain;
    const stored = operations.map((make) => make(domainId));
    await storage().unitOfWork.run(async (stores) => {
      for (const operation of stored) await stores.operations.add(operation);
    });
    return { domainId, owned: { id: domainId, name: domain.toState().name, accountId: domain.accountId }, stored };
  }

  const found = (id: string) => storage().unitOfWork.run(({ operations }) => operations.find(id));
  const save = (operation: Operation) => storage().unitOfWork.run(({ operations }) => operations.save(operation));
  const hasWork = async (domainId: string, now: Date) =>
    (await storage().operations.domainsWithWork(now, 10_000)).some(({ id }) => id === domainId);

  describe('operations', () => {
    it.each(Object.values<OperationRequest>(ALL_REQUESTS))(
      'finds an operation as it was added: $kind',
      async (request) => {
        const { stored } = await aDomainWith(queued(T0, request));

        expect((await found(stored[0]!.id))?.toState()).toEqual(stored[0]?.toState());
        expect(await found(stored[0]!.id.toUpperCase())).toBeUndefined();
      },
    );

    it('saves every state of an operation', async () => {
      const {
        stored: [operation],
      } = await aDomainWith(queued(T0));
      const steps: ((operation: Operation) => void)[] = [
        (each) => each.begin('runner', after(60_000), after(1)),
        (each) => each.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'no answer' }, 0.5, after(2)),
        (each) => each.begin('another runner', after(120_000), after(3)),
        (each) => each.fail({ code: 'REGISTRY_REJECTED', message: 'the registry said no' }, after(4)),
      ];

      for (const step of steps) {
        step(operation!);
        await save(operation!);
        expect((await found(operation!.id))?.toState()).toEqual(operation?.toState());
      }
    });

    it('lists the unfinished operations of a domain in the order of creation', async () => {
      const { domainId, stored } = await aDomainWith(
        queued(after(2)),
        queued(after(1)),
        queued(after(1)),
        queued(after(0)),
      );
      stored[3]?.succeed(after(9));
      await save(stored[3]!);

      const unfinished = await storage().unitOfWork.run(({ operations }) => operations.unfinished(domainId));

      expect(unfinished.map(({ id }) => id)).toEqual([stored[1]?.id, stored[2]?.id, stored[0]?.id]);
    });

    it('finds a domain once if many of its operations were queued at the same time', async () => {
      const { domainId } = await aDomainWith(queued(after(1)), queued(after(1)));

      const domains = await storage().operations.domainsWithWork(after(1), 10_000);

      expect(domains.filter(({ id }) => id === domainId)).toHaveLength(1);
    });

    it('finds a domain with an operation that never started, as soon as it is due', async () => {
      const { domainId } = await aDomainWith(queued(after(10)));

      expect(await hasWork(domainId, after(9))).toBe(false);
      expect(await hasWork(domainId, after(10))).toBe(true);
    });

    it('finds a domain with an expired lease, but not before it expires', async () => {
      const {
        domainId,
        stored: [operation],
      } = await aDomainWith(queued(T0));
      operation?.begin('runner', after(60_000), T0);
      await save(operation!);

      expect(await hasWork(domainId, after(59_999))).toBe(false);
      expect(await hasWork(domainId, after(60_000))).toBe(true);
    });

    it('finds a domain whose uncertain operation is due for a retry, but not before', async () => {
      const {
        domainId,
        stored: [operation],
      } = await aDomainWith(queued(T0));
      operation?.begin('runner', after(60_000), T0);
      operation?.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'no answer' }, 1, T0);
      await save(operation!);

      expect(await hasWork(domainId, after(999))).toBe(false);
      expect(await hasWork(domainId, after(1_000))).toBe(true);
    });

    it('finds no domain whose operations are all finished', async () => {
      const {
        domainId,
        stored: [operation],
      } = await aDomainWith(queued(T0));
      operation?.succeed(after(1));
      await save(operation!);

      expect(await hasWork(domainId, after(1_000_000))).toBe(false);
    });

    it('lists each domain with work once, longest waiting first, up to the limit', async () => {
      const long = await aDomainWith(queued(after(-3_000)), queued(after(-1_000)));
      const short = await aDomainWith(queued(after(-2_000)));

      const both = await storage().operations.domainsWithWork(after(-1_000), 10);
      const one = await storage().operations.domainsWithWork(after(-1_000), 1);

      expect(both).toEqual([
        { ...long.owned, operationId: long.stored[0]?.id, dueAt: after(-3_000) },
        { ...short.owned, operationId: short.stored[0]?.id, dueAt: after(-2_000) },
      ]);
      expect(one).toEqual(both.slice(0, 1));
    });

    it('lists the domains with work in parts, also those that are due at the same time', async () => {
      const given = [];
      for (const at of [-5_000, -4_500, -4_500, -4_500, -4_000])
        given.push((await aDomainWith(queued(after(at)))).owned);

      const found = [];
      for (let last; found.length < 5; found.push(last))
        [last] = await storage().operations.domainsWithWork(after(-4_000), 1, last);

      const rest = await storage().operations.domainsWithWork(after(-4_000), 10, found.at(-1));
      expect(new Set(found.map((each) => each?.id))).toEqual(new Set(given.map(({ id }) => id)));
      expect(rest).toEqual([]);
    });

    it('finds no domain whose first operation is not due', async () => {
      const {
        domainId,
        stored: [first],
      } = await aDomainWith(queued(after(0)), queued(after(1)));
      first?.begin('runner', after(60_000), after(2));
      await save(first!);

      expect(await hasWork(domainId, after(59_999))).toBe(false);
    });

    it('refuses an id that exists', async () => {
      const {
        stored: [operation],
      } = await aDomainWith(queued(T0));

      await expect(storage().unitOfWork.run(({ operations }) => operations.add(operation!))).rejects.toMatchObject({
        code: 'OPERATION_IN_PROGRESS',
      });
    });

    it('finds an operation for its account only', async () => {
      const {
        stored: [operation],
      } = await aDomainWith(queued(T0));

      expect((await storage().operations.find('acc_1', operation!.id))?.toState()).toEqual(operation?.toState());
      expect(await storage().operations.find('acc_2', operation!.id)).toBeUndefined();
    });

    it('lists the operations of a domain newest first, in pages', async () => {
      const { owned, stored } = await aDomainWith(
        queued(after(1)),
        queued(after(1)),
        queued(after(2)),
        queued(after(0)),
      );
      const expected = [stored[2], stored[1], stored[0], stored[3]].map((operation) => operation?.id);

      const wanted = { accountId: 'acc_1', domainId: owned.id };
      const first = await storage().operations.page(wanted, 2);
      const second = await storage().operations.page(wanted, 9, first.at(-1));

      expect([first.length, ...[...first, ...second].map(({ id }) => id)]).toEqual([2, ...expected]);
    });

    it('selects the finished operations', async () => {
      const { stored } = await aDomainWith(queued(T0), queued(after(1)));
      stored[0]?.succeed(after(2));
      await save(stored[0]!);

      const finished = await storage().operations.finishedAmong(stored.map(({ id }) => id));

      expect(finished.map((operation) => operation.toState())).toEqual([stored[0]?.toState()]);
      expect(await storage().operations.finishedAmong([])).toEqual([]);
    });

    it("selects an account's operations from a list of any length", async () => {
      const { stored } = await aDomainWith(queued(T0), queued(after(1)));
      const ids = stored.map(({ id }) => id);
      const accountId = stored[0]?.toState().accountId ?? '';

      const owned = await storage().operations.ownedAmong(accountId, [
        ...ids,
        ...Array.from({ length: 2_000 }, (_, index) => `op_unknown${index}`),
      ]);

      expect(owned).toEqual(new Set(ids));
      expect(await storage().operations.ownedAmong('acc_stranger', ids)).toEqual(new Set());
      expect(await storage().operations.ownedAmong(accountId, [])).toEqual(new Set());
    });

    it('extends the leases that their owner still holds', async () => {
      const {
        domainId,
        stored: [operation],
      } = await aDomainWith(queued(T0));
      operation?.begin('runner', after(60_000), T0);
      await save(operation!);
      const extend = (owner: string, until: Date) =>
        storage().unitOfWork.run(({ operations }) => operations.extendLeases([operation!.id], owner, until));

      await extend('another', after(90_000));
      expect((await found(operation!.id))?.toState().leaseUntil).toEqual(after(60_000));
      await extend('runner', after(90_000));
      expect((await found(operation!.id))?.toState().leaseUntil).toEqual(after(90_000));
      expect(await hasWork(domainId, after(89_999))).toBe(false);
    });

    it('ends leases early, except newer ones', async () => {
      const {
        domainId,
        stored: [operation],
      } = await aDomainWith(queued(T0));
      operation?.begin('runner', after(60_000), T0);
      await save(operation!);

      await storage().unitOfWork.run(({ operations }) => operations.endLeases(after(59_999), after(5)));
      expect(await hasWork(domainId, after(5))).toBe(false);
      await storage().unitOfWork.run(({ operations }) => operations.endLeases(after(60_000), after(5)));

      expect(await hasWork(domainId, after(5))).toBe(true);
    });

    it('leaves operations that wait for a retry unchanged when every lease ends', async () => {
      const {
        domainId,
        stored: [operation],
      } = await aDomainWith(queued(T0));
      operation?.begin('runner', after(60_000), T0);
      operation?.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'no answer' }, 1, T0);
      await save(operation!);

      await storage().unitOfWork.run(({ operations }) => operations.endLeases(after(60_000), after(5)));

      expect(await hasWork(domainId, after(999))).toBe(false);
      expect(await hasWork(domainId, after(1_000))).toBe(true);
    });

    it('stores the charge of the registry, or that it is unknown', async () => {
      const { stored } = await aDomainWith(queued(T0), queued(after(1)));
      const [told, silent] = stored;
      told?.succeed(after(3), { charged: { minor: 12_345_678_901, currency: 'JPY' } });
      silent?.succeed(after(3));
      for (const operation of stored) await save(operation);

      const charges = await Promise.all(stored.map(async ({ id }) => (await found(id))?.toState().charged));
      expect(charges).toEqual([{ minor: 12_345_678_901, currency: 'JPY' }, null]);
    });

    it('keeps a handover until it is erased', async () => {
      const { stored } = await aDomainWith(queued(T0), queued(after(1)), queued(after(2)));
      const handover = { sealed: 'sealed', until: after(100) };
      for (const operation of stored) {
        operation.succeed(after(3), { handover });
        await save(operation);
      }
      const handovers = async () => Promise.all(stored.map(async ({ id }) => (await found(id))?.toState().handover));

      expect(await handovers()).toEqual([handover, handover, handover]);
      await storage().unitOfWork.run(({ operations }) => operations.eraseHandover(stored[0]!.id));
      expect(await handovers()).toEqual([null, handover, handover]);
    });
  });
}
