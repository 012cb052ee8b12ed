import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { DomainName } from '../../domain/shared/domain-name';
import type { DomainState } from '../../domain/registration/domain';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue, type OperationChange } from '../operations/operation-queue';
import { assertSupported, isSupported } from '../operations/assert-supported';

/**
 * Turns the registrar's own renewal of a domain off, or on where only the registrar can renew. While it is off, the service renews
 * the domain if `autoRenew` is true; otherwise it expires. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class TakeOverRenewal {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  /** What auto-renewal as wanted makes of the registrar's own renewal; undefined if it stays as it is, also where the service deletes a domain before the renewal. */
  registrarRenewalFor(
    state: Pick<DomainState, 'name' | 'registrarRenews'>,
    { autoRenew, renewedBy }: { readonly autoRenew: boolean; readonly renewedBy?: 'service' | undefined },
  ): boolean | undefined {
    const name = DomainName.fromState(state.name);
    const isKept = autoRenew || this.policies.forName(name)?.deleteUnrenewedDays !== undefined;
    if (state.registrarRenews) return isKept && renewedBy !== 'service' ? undefined : false;
    const isOnlyThere =
      !isSupported(this.policies, name, 'renewal') && isSupported(this.policies, name, 'registrar_renewal');
    return autoRenew && isOnlyThere ? true : undefined;
  }

  async execute({
    domainId,
    autoRenew,
    enabled,
    ...requester
  }: Requester & { domainId: string; autoRenew: boolean; enabled: boolean }): Promise<OperationOutcome> {
    return this.operations.execute({ ...requester, domainId, ...this.change({ autoRenew, enabled }) });
  }

  change({ autoRenew, enabled }: { readonly autoRenew: boolean; readonly enabled: boolean }): OperationChange {
    return {
      action: 'change auto-renewal',
      request: ({ name }) => {
        assertSupported(this.policies, name, 'registrar_renewal');
        if (autoRenew && !enabled) assertSupported(this.policies, name, 'renewal');
        return { kind: 'set_registrar_renewal', enabled, autoRenew };
      },
    };
  }
}
