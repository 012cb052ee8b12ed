import { inject, injectable } from '../../ports/inject';
import { matchesDsRecords, type DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { Domain } from '../../../domain/registration/domain';
import type { Operation } from '../../../domain/registration/operations/operation';
import { AccountRegistries } from '../../ports/registry/registries';
import { resolveBeforeRetry } from '../resolve-before-retry';

/** Sets DS records at the registry. */
@injectable()
export class DsRecords {
  constructor(@inject(AccountRegistries) private readonly registries: AccountRegistries) {}

  /** After an unknown outcome, reads the registry's DS records before it sends them again. @throws RegistryRejected, RegistryUnavailable */
  async set({ accountId, name }: Domain, dsRecords: readonly DsRecord[], operation: Operation): Promise<void> {
    const registry = this.registries.forAccount(accountId);
    await resolveBeforeRetry<readonly DsRecord[]>(operation, {
      check: async () => {
        const present = await registry.dsRecords(name);
        return matchesDsRecords(name.value, dsRecords, present) ? present : undefined;
      },
      send: () => registry.setDsRecords(name, dsRecords, operation.transactionId),
    });
  }
}
