import type { Transfer } from '../../../../../src/domain/registration/transfers/transfer';
import { aTransfer } from '../../../../support/data/a-transfer';

const T0 = new Date('2026-01-01T00:00:00.000Z');
const after = (ms: number) => new Date(T0.getTime() + ms);
const ERROR = { code: 'REGISTRY_UNAVAILABLE', message: 'no answer' } as const;

function begun(): Transfer {
  const transfer = aTransfer({}, T0);
  transfer.begin('worker', after(15_000), after(1));
  return transfer;
}

describe('a transfer', () => {
  it('has a new transaction id for every attempt', () => {
    const transfer = begun();
    const first = transfer.transactionId;
    transfer.postpone(ERROR, after(2), after(2));
    transfer.begin('worker', after(15_000), after(3));

    expect([first, transfer.transactionId]).toEqual(['tr-1-1', 'tr-1-2']);
    expect(transfer.isLeasedBy('worker', first)).toBe(false);
  });

  it('is taken for sent if a process left the attempt to send it', () => {
    const transfer = begun();
    expect([transfer.isDue(after(14_999)), transfer.isDue(after(15_000))]).toEqual([false, true]);

    transfer.begin('another', after(40_000), after(20_000));

    expect(transfer.mayHaveTakenEffect).toBe(true);
  });

  it('is not taken for sent if the attempt ended without a command', () => {
    const transfer = begun();
    transfer.postpone(ERROR, after(5), after(5));

    transfer.begin('worker', after(40_000), after(10));

    expect(transfer.mayHaveTakenEffect).toBe(false);
  });

  it('erases the auth code when the registry accepts the request, and the registrant when it ends', () => {
    const transfer = begun();

    transfer.accept({ requestedAt: after(2), endsAt: after(100) }, after(50), after(2));
    expect(transfer.toState()).toMatchObject({ status: 'pending', sealedAuthCode: null, nextAttemptAt: after(50) });
    expect(transfer.toState().registrant).not.toBeNull();
    transfer.complete('dom_1', {}, after(3));

    expect(transfer.toState()).toMatchObject({
      status: 'completed',
      domainId: 'dom_1',
      registrant: null,
      nextAttemptAt: null,
      leaseOwner: null,
      finishedAt: after(3),
    });
  });

  it('erases the auth code when it ends without an acceptance', () => {
    const transfer = begun();
    transfer.end('rejected', ERROR, after(2));

    expect(transfer.toState()).toMatchObject({ status: 'rejected', sealedAuthCode: null, error: ERROR });
  });

  it('is cancelled at once before anything was sent', () => {
    const transfer = aTransfer({}, T0);
    transfer.requestCancellation(after(1));

    expect(transfer.toState()).toMatchObject({ status: 'cancelled', finishedAt: after(1) });
  });

  it.each([
    ['during an attempt', begun],
    [
      'if it may have been sent',
      () => {
        const transfer = begun();
        transfer.markOutcomeUnknown(ERROR, 1, after(2));
        return transfer;
      },
    ],
  ])('stays open after a request to cancel it %s', (_when, make) => {
    const transfer = make();
    transfer.requestCancellation(after(3));

    expect(transfer.toState()).toMatchObject({
      status: 'queued',
      cancelRequestedAt: after(3),
      nextAttemptAt: after(3),
    });
  });

  it('repeats at once if it was requested during an attempt', () => {
    const transfer = begun();
    transfer.expedite(after(2));
    transfer.accept({ requestedAt: after(1), endsAt: null }, after(3_600_000), after(3));

    expect(transfer.toState().nextAttemptAt).toEqual(after(2));
  });

  it.each(['completed', 'rejected', 'expired'] as const)('cannot be cancelled once it is %s', (status) => {
    const transfer = begun();
    transfer.end(status, null, after(2));

    expect(() => transfer.requestCancellation(after(3))).toThrow(
      expect.objectContaining({ details: `The transfer is ${status} and can no longer be cancelled` }),
    );
  });

  it('waits longer the longer the outcome is unknown, up to five minutes', () => {
    const waits = [0, 60_000, 3_600_000].map((since) => {
      const transfer = begun();
      transfer.markOutcomeUnknown(ERROR, 1, after(2));
      transfer.begin('worker', after(since + 20_000), after(2 + since));
      transfer.markOutcomeUnknown(ERROR, 1, after(2 + since));
      return Number(transfer.toState().nextAttemptAt) - Number(after(2 + since));
    });

    expect(waits).toEqual([1_000, 60_000, 300_000]);
  });
});
