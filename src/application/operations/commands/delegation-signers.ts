import { inject, injectable } from 'inversify';
import { matchesSigners, type DelegationSigner } from '../../../domain/dns/delegation-signer';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Operation } from '../../../domain/registration/operation';
import { RegistryPort } from '../../ports/registry/registry-port';
import { resolveBeforeRetry } from '../resolve-before-retry';

/** Sets DS records at the registry. */
@injectable()
export class DelegationSigners {
  constructor(@inject(RegistryPort) private readonly registry: RegistryPort) {}

  /** After an unknown outcome, reads the registry's DS records before it sends them again. @throws RegistryRejected, RegistryUnavailable */
  async set(name: DomainName, signers: readonly DelegationSigner[], operation: Operation): Promise<void> {
    await resolveBeforeRetry<readonly DelegationSigner[]>(operation, {
      check: async () => {
        const present = await this.registry.delegationSigners(name);
        return matchesSigners(name.value, signers, present) ? present : undefined;
      },
      send: () => this.registry.setDelegationSigners(name, signers, operation.transactionId),
    });
  }
}
