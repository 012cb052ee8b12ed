import { inject, injectable } from '../../ports/inject';
import type { Domain } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Operation } from '../../../domain/registration/operations/operation';
import type { RequestOf } from '../../../domain/registration/operations/operation-request';
import { AccountRegistries } from '../../ports/registry/registries';
import { unsupportedBy } from '../../ports/registry/registry-errors';
import type { RegistryDomain, RegistryPort } from '../../ports/registry/registry-port';
import type { Effect } from '../operation-outcome';
import { resolveBeforeRetry, rethrowAsUnknown } from '../resolve-before-retry';

/** Approves and rejects transfers that other registrars have requested, and releases domains to them. */
@injectable()
export class TransfersOut {
  constructor(@inject(AccountRegistries) private readonly registries: AccountRegistries) {}

  /** The name is lost at once. @throws RegistryRejected, RegistryUnavailable */
  async approve({ accountId, name }: Domain, operation: Operation): Promise<Effect> {
    const registry = this.registries.forAccount(accountId);
    const isLost = await resolveBeforeRetry(operation, {
      check: async () => ((await registry.info(name))?.sponsoredByUs ? undefined : true),
      send: async () =>
        (await registry.approveTransfer(name, operation.transactionId)).status === 'completed' ||
        !(await registry.info(name).catch(rethrowAsUnknown))?.sponsoredByUs,
    });
    return { apply: (current, now) => (isLost ? current.markTransferredOut(now) : current.schedule(now)) };
  }

  /** Turns the transfer lock on again, if it was on. @throws RegistryRejected, RegistryUnavailable */
  async reject(
    { accountId, name, transferLocked }: Domain,
    operation: Operation,
    lock: (held: RegistryDomain) => Promise<RegistryDomain>,
  ): Promise<Effect> {
    const registry = this.registries.forAccount(accountId);
    const held = await resolveBeforeRetry(operation, {
      check: () => findRejected(registry, name),
      send: async () => {
        await registry.rejectTransfer(name, operation.transactionId);
        return (await findRejected(registry, name).catch(rethrowAsUnknown)) ?? null;
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
  async release(
    { accountId, name }: Domain,
    { registrarTag }: RequestOf<'release'>,
    operation: Operation,
  ): Promise<Effect> {
    const registry = this.registries.forAccount(accountId);
    if (!registry.release) throw unsupportedBy('The registry', 'releases to another registrar');
    const hasLeft = async () => !(await registry.info(name))?.sponsoredByUs;
    const end = await resolveBeforeRetry<'lost' | 'pending'>(operation, {
      check: async () => (operation.mayHaveTakenEffect && (await hasLeft()) ? 'lost' : undefined),
      send: async () => {
        await registry.release?.(name, registrarTag, operation.transactionId);
        return (await hasLeft().catch(rethrowAsUnknown)) ? 'lost' : 'pending';
      },
    });
    return { apply: (current, now) => (end === 'lost' ? current.markTransferredOut(now) : current.markReleased(now)) };
  }
}

/** The registry's data once no transfer is pending; a request that the other registrar cancelled counts as rejected. */
async function findRejected(registry: RegistryPort, name: DomainName): Promise<RegistryDomain | undefined> {
  const held = await registry.info(name);
  return held?.sponsoredByUs && !held.transferPending ? held : undefined;
}
