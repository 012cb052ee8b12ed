import { SERVICE } from '../../../../src/domain/access/actor';
import { nextToRun, Operation, type OperationState } from '../../../../src/domain/registration/operations/operation';

const NOW = new Date('2026-01-15T09:30:00Z');
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const UNKNOWN = { code: 'REGISTRY_UNAVAILABLE', message: 'not known' } as const;

function anOperation(overrides: Partial<OperationState> = {}): Operation {
  const queued = Operation.queue(
    { id: 'op_1', accountId: 'acc_1', domainId: 'dom_1', actor: SERVICE, request: { kind: 'issue_auth_code' } },
    NOW,
  );
  return Operation.fromState({ ...queued.toState(), ...overrides });
}

function begun(attempts = 1): Operation {
  const operation = anOperation({ attempts: attempts - 1 });
  operation.begin('owner', later(15_000), NOW);
  return operation;
}

describe('an operation', () => {
  it('has a new transaction id for every attempt, in the form that EPP allows', () => {
    const operation = begun();
    const first = operation.transactionId;
    operation.markOutcomeUnknown(UNKNOWN, 0, NOW);
    operation.begin('owner', later(15_000), later(1_000));

    expect([first, operation.transactionId]).toEqual(['op-1-1', 'op-1-2']);
    expect(operation.transactionId).toMatch(/^[A-Za-z0-9-]{3,64}$/);
  });

  it('follows the waiting operations of its domain, even if clocks differ', () => {
    const { createdAt } = Operation.queue(
      anOperation().toState(),
      NOW,
      anOperation({ createdAt: later(5_000) }),
    ).toState();

    expect(createdAt).toEqual(later(5_001));
  });

  it.each([
    [0, 500, 1_000],
    [2_000, 1_000, 2_000],
    [16_000, 8_000, 16_000],
    [3_600_000, 150_000, 300_000],
  ])('waits longer the longer it has been in doubt: after %d ms from %d to %d ms', (lasting, shortest, longest) => {
    const waits = [0, 1].map((jitter) => {
      const operation = begun();
      operation.markOutcomeUnknown(UNKNOWN, jitter, NOW);
      operation.begin('owner', later(15_000), later(1_000));
      operation.markOutcomeUnknown(UNKNOWN, jitter, later(lasting));
      return operation.toState().nextAttemptAt.getTime() - later(lasting).getTime();
    });

    expect(waits).toEqual([shortest, longest]);
  });

  it('does not wait longer for a check because it could not be sent before', () => {
    const operation = begun(20);
    operation.markOutcomeUnknown(UNKNOWN, 1, NOW);

    expect(operation.toState().nextAttemptAt).toEqual(later(1_000));
  });

  it('has an unknown outcome after a lost response, during a repetition, and after its process stopped', () => {
    const doubted = begun();
    doubted.markOutcomeUnknown(UNKNOWN, 0, NOW);
    const repeated = Operation.fromState(doubted.toState());
    repeated.begin('owner', later(15_000), NOW);

    expect([anOperation(), begun(), doubted, repeated].map((operation) => operation.isOutcomeUnknown(NOW))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(begun().isOutcomeUnknown(later(15_001))).toBe(true);
  });

  it('has an unknown outcome from its second attempt on if the first was abandoned', () => {
    const operation = begun();

    operation.begin('another', later(30_000), later(15_000));

    expect(operation.mayHaveTakenEffect).toBe(true);
    expect(operation.toState().uncertainSince).toEqual(later(15_000));
  });

  it('remembers until it ends since when its outcome has been unknown', () => {
    const operation = begun();
    operation.markOutcomeUnknown(UNKNOWN, 0, NOW);
    operation.begin('owner', later(60_000), later(1_000));
    operation.markOutcomeUnknown(UNKNOWN, 0, later(2_000));

    expect(operation.toState().uncertainSince).toEqual(NOW);
    expect([operation.isUncertainTooLong(later(599_999)), operation.isUncertainTooLong(later(600_000))]).toEqual([
      false,
      true,
    ]);
    operation.begin('owner', later(60_000), later(3_000));
    operation.succeed(later(4_000));
    expect(operation.toState()).toMatchObject({
      status: 'succeeded',
      uncertainSince: null,
      error: null,
      leaseOwner: null,
      finishedAt: later(4_000),
    });
  });

  it('is due at once after it was released, and checked before it is repeated', () => {
    const operation = begun();

    operation.release(later(10));

    expect(operation.toState()).toMatchObject({ status: 'uncertain', leaseOwner: null, leaseUntil: null });
    expect(operation.isDue(later(10))).toBe(true);
    operation.begin('another', later(15_000), later(20));
    expect(operation.mayHaveTakenEffect).toBe(true);
  });

  it('keeps quoting the expiry that it quoted first', () => {
    const operation = anOperation({ request: { kind: 'renew', years: 1, price: { minor: 1044, currency: 'USD' } } });

    operation.setCurrentExpiry(later(1), NOW);
    operation.setCurrentExpiry(later(2), NOW);

    expect(operation.request).toMatchObject({ currentExpiry: later(1).toISOString() });
  });

  it('is leased by the process that started its current attempt', () => {
    const operation = begun();
    const first = operation.transactionId;
    operation.begin('another', later(60_000), later(20_000));

    expect(operation.isLeasedBy('owner', first)).toBe(false);
    expect(operation.isLeasedBy('another', first)).toBe(false);
    expect(operation.isLeasedBy('another', operation.transactionId)).toBe(true);
  });
});

describe('the next operation of a domain', () => {
  it('is the first requested operation', () => {
    const [first, second] = [anOperation(), anOperation({ id: 'op_2' })];

    expect(nextToRun([first, second], NOW)).toBe(first);
    expect(nextToRun([], NOW)).toBeUndefined();
  });

  it('waits while another runs under its lease', () => {
    expect(nextToRun([begun(), anOperation({ id: 'op_2' })], NOW)).toBeUndefined();
  });

  it('is never one that follows an operation whose outcome is unknown', () => {
    const doubted = begun();
    doubted.markOutcomeUnknown(UNKNOWN, 1, NOW);

    expect(nextToRun([doubted, anOperation({ id: 'op_2' })], NOW)).toBeUndefined();
    expect(nextToRun([doubted, anOperation({ id: 'op_2' })], later(1_000))).toBe(doubted);
  });
});
