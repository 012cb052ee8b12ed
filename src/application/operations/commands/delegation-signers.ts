import { inject, injectable } from 'inversify';
import { matchesSigners, type DelegationSigner } from '../../../domain/dns/delegation-signer';
import type { Domain } from '../../../domain/registration/domain';
import type { Operation } from '../../../domain/registration/operation';
import { AccountRegistries } from '../../ports/registry/account-registries';
import { resolveBeforeRetry } from '../resolve-before-retry';

/** Sets DS records at the registry. */
@injectable()
export class DelegationSigners {
  constructor(@inject(AccountRegistries) private readonly registries: AccountRegistries) {}

  /** After an unknown outcome, reads the registry's DS records before it sends them again. @throws RegistryRejected, RegistryUnavailable */
  async set({ accountId, name }: Domain, signers: readonly DelegationSigner[], operation: Operation): Promise<void> {
    const registry = this.registries.forAccount(accountId);
    await resolveBeforeRetry<readonly DelegationSigner[]>(operation, {
      check: async () => {
        const present = await registry.delegationSigners(name);
        return matchesSigners(name.value, signers, present) ? present : undefined;
      },
      send: () => registry.setDelegationSigners(name, signers, operation.transactionId),
    });
  }
}
