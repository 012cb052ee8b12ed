import { inject, injectable } from 'inversify';
import type { Domain } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Operation } from '../../../domain/registration/operation';
import { RegistryPort, type RegistryDomain } from '../../ports/registry/registry-port';
import type { Effect } from '../operation-effects';
import { resolveBeforeRetry, rethrowAsUnknown } from '../resolve-before-retry';

/** Approves and rejects transfers that other registrars have requested. */
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

  /** The registry's data once no transfer is pending; a request that the other registrar cancelled counts as rejected. */
  private async findRejected(name: DomainName): Promise<RegistryDomain | undefined> {
    const held = await this.registry.info(name);
    return held?.sponsoredByUs && !held.transferPending ? held : undefined;
  }

  private async read(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.registry.info(name).catch(rethrowAsUnknown);
  }
}
