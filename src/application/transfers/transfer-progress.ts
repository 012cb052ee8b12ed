import { inject, injectable } from '../ports/inject';
import type { Registrant } from '../../domain/registration/registrant';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import type { RequestFacts, Transfer } from '../../domain/registration/transfers/transfer';
import type { TransferError, TransferState } from '../../domain/registration/transfers/transfer-state';
import { addDays } from '../../domain/shared/time/calendar';
import type { Money } from '../../domain/shared/money';
import { resolveBeforeRetry, rethrowAsUnknown } from '../operations/resolve-before-retry';
import { AccountRegistries } from '../ports/registry/registries';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { RegistryDomain, RegistryPort } from '../ports/registry/registry-port';
import type { RegistryTransfer } from '../ports/registry/registry-transfers';
import { LifecycleClock, SealBroken, SecretBox } from '../ports/system';
import { authCodePurpose } from './auth-code-purpose';

/** Where a transfer stands at the registry, committed by `TransferRunner`. */
export type Progress =
  | { readonly kind: 'pending'; readonly facts: RequestFacts; readonly cancelError?: TransferError }
  | { readonly kind: 'approved'; readonly charged?: Money | undefined }
  | {
      readonly kind: 'completed';
      readonly held: RegistryDomain;
      /** Null if the registry does not show it. */
      readonly registrant: Registrant | null;
      readonly charged?: Money | undefined;
    }
  | {
      readonly kind: 'ended';
      readonly status: 'rejected' | 'cancelled' | 'expired';
      readonly error: TransferError | null;
    };

type Found = { readonly transfer?: RegistryTransfer; readonly held?: RegistryDomain };

/** Tolerances when the registry's time of a request is compared with ours. */
const CLOCK_SKEW_MS = 60_000;
/** After an unknown outcome: only one transfer of a name can be pending. */
const PENDING_TOLERANCE_MS = 24 * 3_600_000;
/** Some registries round one time in different ways. */
const ROUNDING_MS = 1_000;
/** A request that never reached the registry is given up after this time: auth codes do not live longer. */
const MAX_QUEUED_DAYS = 30;
/** How long after its end the registry may still report nothing about a request. */
const SILENCE_DAYS = 7;

/** Brings a transfer a step further at the registry: sends its request once, then reads what became of it. */
@injectable()
export class TransferProgress {
  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** @throws RegistryNotContacted: nothing was sent; RegistryUnavailable: the outcome of the request is unknown, if it was queued */
  async advance(transfer: Transfer): Promise<Progress> {
    return transfer.status === 'queued' ? this.send(transfer) : this.follow(transfer);
  }

  private async send(transfer: Transfer): Promise<Progress> {
    const { createdAt, cancelRequestedAt, registrant, price, years } = transfer.toState();
    if (!transfer.mayHaveTakenEffect) {
      if (cancelRequestedAt) return { kind: 'ended', status: 'cancelled', error: null };
      if (addDays(createdAt, MAX_QUEUED_DAYS) <= this.clock.now())
        return ended(
          'expired',
          'REGISTRY_UNAVAILABLE',
          `The registry could not be reached for ${MAX_QUEUED_DAYS} days`,
        );
    }
    const authCode = this.authCodeOf(transfer.toState());
    try {
      const found = await resolveBeforeRetry<Found>(transfer, {
        check: () => this.find(transfer),
        send: async () => {
          if (authCode === undefined || !registrant || cancelRequestedAt) throw new NotSent();
          return {
            transfer: await this.registryOf(transfer).requestTransfer({
              name: transfer.name,
              term: RegistrationTerm.ofYears(years),
              registrant,
              authCode,
              price,
              transactionId: transfer.transactionId,
              idempotencyKey: transfer.idempotencyKey,
            }),
          };
        },
      });
      return await this.readProgress(transfer, found);
    } catch (error) {
      if (error instanceof NotSent)
        return cancelRequestedAt
          ? { kind: 'ended', status: 'cancelled', error: null }
          : ended(
              'rejected',
              'SERVICE_UNAVAILABLE',
              'The stored auth code cannot be decrypted. Request the transfer again',
            );
      if (error instanceof RegistryRejected) return ended('rejected', error.code, error.details ?? error.message);
      throw error;
    }
  }

  /** Cancels the request if that was asked for; otherwise only reads. */
  private async follow(transfer: Transfer): Promise<Progress> {
    const progress = await this.read(transfer);
    if (!transfer.toState().cancelRequestedAt || progress.kind !== 'pending') return progress;
    try {
      return await this.readProgress(transfer, {
        transfer: await this.registryOf(transfer).cancelTransfer(transfer.name, transfer.transactionId),
      });
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      const after = await this.read(transfer);
      const message = `The registry refused to cancel the transfer: ${error.details ?? error.message}`;
      return after.kind === 'pending' ? { ...after, cancelError: { code: error.code, message } } : after;
    }
  }

  private async read(transfer: Transfer): Promise<Progress> {
    const found = await this.find(transfer);
    if (found) return this.readProgress(transfer, found);
    const { status, requestedAt, createdAt, endsAt } = transfer.toState();
    const days = this.policies.forName(transfer.name)?.periods.transfer ?? 0;
    const silentSince = endsAt ?? addDays(requestedAt ?? createdAt, days);
    if (addDays(silentSince, SILENCE_DAYS) <= this.clock.now())
      return ended(
        'expired',
        'REGISTRY_REJECTED',
        'The registry no longer reports the transfer, and the name is not ours',
      );
    return status === 'approved'
      ? { kind: 'approved' }
      : { kind: 'pending', facts: { requestedAt: null, endsAt: null } };
  }

  /** What the registry reports about this request; undefined if nothing, so that no attempt took effect. */
  private async find(transfer: Transfer): Promise<Found | undefined> {
    const registry = this.registryOf(transfer);
    const held = await registry.info(transfer.name);
    const latest = await registry.transferStatus(transfer.name);
    const isOurs = latest?.direction === 'in' && isSince(latest, transfer);
    if (held?.sponsoredByUs) return { held, ...(isOurs && { transfer: latest }) };
    if (!latest && held?.transferPending && transfer.mayHaveTakenEffect) return { transfer: presumed(transfer) };
    return isOurs ? { transfer: latest } : undefined;
  }

  private async readProgress(claimed: Transfer, { transfer, held: known }: Found): Promise<Progress> {
    const charged = transfer?.charged;
    if (!known && transfer && transfer.status !== 'completed') {
      const { requestedAt, endsAt = null } = transfer;
      if (transfer.status === 'pending') return { kind: 'pending', facts: { requestedAt, endsAt, charged } };
      return transfer.status === 'cancelled'
        ? { kind: 'ended', status: 'cancelled', error: null }
        : ended('rejected', 'REGISTRY_REJECTED', 'The present registrar rejected the transfer');
    }
    const held = known ?? (await this.registryOf(claimed).info(claimed.name).catch(rethrowAsUnknown));
    if (!held?.sponsoredByUs) return { kind: 'approved', charged };
    return { kind: 'completed', held, registrant: await this.readRegistrant(claimed), charged };
  }

  private async readRegistrant(transfer: Transfer): Promise<Registrant | null> {
    try {
      return (await this.registryOf(transfer).registrant(transfer.name)) ?? null;
    } catch (error) {
      if (error instanceof RegistryRejected) return null;
      return rethrowAsUnknown(error);
    }
  }

  private registryOf(transfer: Transfer): RegistryPort {
    return this.registries.forAccount(transfer.toState().accountId);
  }

  private authCodeOf({ id, sealedAuthCode }: TransferState): string | undefined {
    if (sealedAuthCode === null) return undefined;
    try {
      return this.secrets.open(sealedAuthCode, authCodePurpose(id));
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

/** The command cannot or must not be sent, and no earlier attempt took effect. */
class NotSent extends Error {}

/** Some vendors do not report whose request is pending. After a lost response it counts as ours, so that it is not given up. */
function presumed(transfer: Transfer): RegistryTransfer {
  const { createdAt } = transfer.toState();
  return { name: transfer.name, direction: 'in', status: 'pending', requestedAt: createdAt };
}

/**
 * Whether the registry got the request after we stored ours. One that has ended may be an earlier one, so that the clocks must agree,
 * unless the registry has reported when it got ours.
 */
function isSince(found: RegistryTransfer, transfer: Transfer): boolean {
  const { createdAt, requestedAt } = transfer.toState();
  const tolerance = toleranceFor(found, transfer);
  const known = requestedAt ? requestedAt.getTime() - ROUNDING_MS : Infinity;
  const earliest = Math.min(createdAt.getTime() - tolerance, known);
  return found.requestedAt.getTime() >= earliest;
}

function toleranceFor({ status }: RegistryTransfer, { mayHaveTakenEffect }: Transfer): number {
  if (status === 'pending' && mayHaveTakenEffect) return PENDING_TOLERANCE_MS;
  return status === 'pending' || status === 'completed' ? CLOCK_SKEW_MS : 0;
}

function ended(status: 'rejected' | 'expired', code: TransferError['code'], message: string): Progress {
  return { kind: 'ended', status, error: { code, message } };
}
