import { inject, injectable } from '../ports/inject';
import type { Transfer } from '../../domain/registration/transfers/transfer';
import type { TransferState } from '../../domain/registration/transfers/transfer-state';
import { transferEnded, transferProgressed } from '../audit/transfer-audit';
import { EffectNotShown, RegistryNotContacted } from '../ports/registry/registry-errors';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';
import { TransferCompletion, type CompletionStores } from './transfer-completion';
import type { Progress } from './transfer-progress';

/** How often a pending transfer is read: some registries send the winner no message. It ends here within five minutes of its end there. */
const POLL_MS = 4 * 60_000;
/** The registry says that it is complete: the name is ours any moment. */
const APPROVED_POLL_MS = 60_000;

/** Applies the outcome of an attempt to a transfer: what the registry said, or an error. */
@injectable()
export class TransferOutcome {
  constructor(
    @inject(TransferCompletion) private readonly completion: TransferCompletion,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /** Within a unit of work. */
  async apply(stores: CompletionStores, transfer: Transfer, progress: Progress): Promise<void> {
    const now = this.lifecycleClock.now();
    if (progress.kind === 'completed') await this.completion.apply(stores, transfer, progress);
    else if (progress.kind === 'ended') transfer.end(progress.status, progress.error, now);
    else if (progress.kind === 'approved') transfer.approve(progress, later(now, APPROVED_POLL_MS), now);
    else {
      transfer.accept(progress.facts, this.nextCheck(transfer, progress, now), now);
      if (progress.cancelError) transfer.refuseCancellation(progress.cancelError, later(now, POLL_MS), now);
    }
  }

  /** Every four minutes, and at the end of the transfer period; sooner if it is to be cancelled. */
  private nextCheck(
    transfer: Transfer,
    { facts, cancelError }: Extract<Progress, { kind: 'pending' }>,
    now: Date,
  ): Date {
    const { cancelRequestedAt, status, endsAt: known } = transfer.toState();
    if (cancelRequestedAt && !cancelError) return status === 'queued' ? now : later(now, APPROVED_POLL_MS);
    const endsAt = facts.endsAt ?? known;
    const regular = later(now, POLL_MS);
    return endsAt && endsAt > now && endsAt < regular ? endsAt : regular;
  }

  /** Nothing was sent, or only the state was read: retried later. Otherwise the request may have taken effect. */
  delay(transfer: Transfer, error: unknown, readLagMs: number): void {
    const now = this.lifecycleClock.now();
    const jitter = Math.random();
    const isKnown =
      transfer.status !== 'queued' || (error instanceof RegistryNotContacted && !transfer.mayHaveTakenEffect);
    if (isKnown) {
      const seconds = error instanceof RegistryNotContacted ? error.retryAfterSeconds : 60;
      const message = transfer.status === 'queued' ? 'The request was not sent yet' : 'The registry did not respond';
      transfer.postpone({ code: 'REGISTRY_UNAVAILABLE', message }, later(now, (seconds + jitter) * 1_000), now);
    } else
      transfer.markOutcomeUnknown(
        { code: 'REGISTRY_UNAVAILABLE', message: 'The outcome at the registry is not known yet' },
        jitter,
        now,
        { isSent: !(error instanceof EffectNotShown), readLagMs },
      );
  }

  /** Within a unit of work: tells the account of a change, and ends what ends with a transfer that did not complete. */
  async record(
    { keySpending, audit, events }: Pick<Stores, 'audit' | 'events' | 'keySpending'>,
    before: TransferState,
    transfer: Transfer,
  ): Promise<void> {
    const [after, at] = [transfer.toState(), this.clock.now()];
    if (!transfer.finished) await events.append(...transferProgressed(before, after, at));
    else if (transfer.status !== 'completed') {
      await keySpending.release(transfer.id);
      await audit.append(transferEnded(after, at));
    }
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
