import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { DomainNotFound } from '../../domain/shared/domain-errors';
import { DomainName } from '../../domain/shared/domain-name';
import type { DomainState } from '../../domain/registration/domain';
import { transferOutSteps, type TransferOutStep } from '../../domain/registration/transfers/transfer-out-steps';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { requireDomain } from '../access/require-domain';
import { LeavingWarnings } from '../ports/dns/hosted-names';
import { DomainReader } from '../ports/registration/domain-repository';
import { LifecycleClock } from '../ports/system';

export interface TransferOutProgress {
  readonly domain: DomainState;
  readonly steps: readonly TransferOutStep[];
  /** What of its DNS would stop working. */
  readonly warnings: readonly string[];
  /** How many days a release waits for the other registrar; undefined at registries that have no releases. */
  readonly releaseDays: number | undefined;
}

/** How far a domain is on its way to another registrar. @throws DomainNotFound, LimitedKey */
@injectable()
export class ReadTransferOut {
  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'find'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LeavingWarnings) private readonly leaving: Pick<LeavingWarnings, 'ofTransfer' | 'ofNameserversLeft'>,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async execute({ accountId, actor, domainId }: Reader & { readonly domainId: string }): Promise<TransferOutProgress> {
    const domain = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'read').toState();
    const policy = this.policies.forName(DomainName.fromState(domain.name));
    if (!policy) throw new DomainNotFound();
    const warnings =
      domain.keptZone || domain.status === 'transferred_out'
        ? []
        : [...(await this.leaving.ofTransfer(domainId)), ...this.leaving.ofNameserversLeft(domain.nameservers)];
    const steps = transferOutSteps(domain, policy, { now: this.clock.now(), stopsWorking: warnings.length > 0 });
    return { domain, steps, warnings, releaseDays: policy.releases ? policy.periods.transfer : undefined };
  }
}
