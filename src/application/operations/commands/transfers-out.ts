import { inject, injectable } from 'inversify';
import type { Domain } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Operation, RequestOf } from '../../../domain/registration/operation';
import { unsupportedBy } from '../../ports/registry/registry-errors';
import { RegistryPort, type RegistryDomain } from '../../ports/registry/registry-port';
import type { Effect } from '../operation-effects';
import { resolveBeforeRetry, rethrowAsUnknown } from '../resolve-before-retry';

/** Approves and rejects transfers that other registrars have requested, and releases domains to them. */
@injectable()
export class TransfersOut {
  constructor(@inject(RegistryPort) private readonly registry: RegistryPort) {}

  /** The name is lost at once. @throws RegistryRejected, RegistryUnavailable */
  async approve({ name }: Domain, operation: Operation): Promise<Effect> {
    const isLost = await resolveBeforeRetry(operation, {
      check: async () => ((await this.registry.info(name))?.sponsoredByUs ? undefined : true),
      send: async () =>
        (await this.registry.approveTransfer(name, operation.transactionId)).status === 'completed' ||
        !(await this.read(name))?.sponsoredByUs,
    });
    return { apply: (current, now) => (isLost ? current.markTransferredOut(now) : current.schedule(now)) };
  }

  /** Turns the transfer lock on again, if it was on. @throws RegistryRejected, RegistryUnavailable */
  async reject(
    { name, transferLocked }: Domain,
    operation: Operation,
    lock: (held: RegistryDomain) => Promise<RegistryDomain>,
  ): Promise<Effect> {
    const held = await resolveBeforeRetry(operation, {
      check: () => this.findRejected(name),
      send: async () => {
        await this.registry.rejectTransfer(name, operation.transactionId);
        return (await this.findRejected(name).catch(rethrowAsUnknown)) ?? null;
      },
    });
    if (!held) return { apply: (current, now) => current.schedule(now) };
    const facts = transferLocked ? await lock(held).catch(rethrowAsUnknown) : held;
    return { apply: (current, now) => current.adopt(facts, now) };
  }

  /**
   * The domain is lost at once, or stays until the other registrar accepts it. A domain that had left before the first attempt
   * was not released by it, so that rejection stays one.
   * @throws RegistryRejected, RegistryUnavailable
   */
  async release({ name }: Domain, { registrarTag }: RequestOf<'release'>, operation: Operation): Promise<Effect> {
    if (!this.registry.release) throw unsupportedBy('The registry', 'releases to another registrar');
    const hasLeft = async () => !(await this.registry.info(name))?.sponsoredByUs;
    const end = await resolveBeforeRetry<'lost' | 'pending'>(operation, {
      check: async () => (operation.mayHaveTakenEffect && (await hasLeft()) ? 'lost' : undefined),
      send: async () => {
        await this.registry.release?.(name, registrarTag, operation.transactionId);
        return (await hasLeft().catch(rethrowAsUnknown)) ? 'lost' : 'pending';
      },
    });
    return { apply: (current, now) => (end === 'lost' ? current.markTransferredOut(now) : current.markReleased(now)) };
  }

  /** The registry's data once no transfer is pending; a request that the other registrar cancelled counts as rejected. */
  private async findRejected(name: DomainName): Promise<RegistryDomain | undefined> {
    const held = await this.registry.info(name);
    return held?.sponsoredByUs && !held.transferPending ? held : undefined;
  }

  private async read(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.registry.info(name).catch(rethrowAsUnknown);
  }
}
