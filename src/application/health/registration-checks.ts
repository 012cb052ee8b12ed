import { inject, injectable } from '../ports/inject';
import { delegationOf } from '../../domain/dns/delegation/delegation';
import { checkOf, type Finding, type HealthCheck } from '../../domain/health/health-check';
import {
  judgeDelegation,
  judgeExpiry,
  judgeParent,
  judgeTransferLock,
  type RegistryDelegation,
} from '../../domain/health/judge-registration';
import type { DomainState } from '../../domain/registration/domain';
import { isHosted } from '../../domain/registration/domain-status';
import { DomainName } from '../../domain/shared/domain-name';
import { LifecyclePlan } from '../operations/lifecycle-plan';
import { ParentalAgent } from '../ports/dns/other-nameservers';
import { RegistryPort } from '../ports/registry/registry-port';
import { LifecycleClock } from '../ports/system';
import { RegistrationSettings } from '../registration/registration-settings';

export interface RegistrationHealth {
  readonly checks: readonly HealthCheck[];
  /** At the registry, as far as it is known. */
  readonly nameservers: readonly string[];
  /** Whether this service serves the domain, alone or with others. */
  readonly isServedHere: boolean;
}

const NOT_REGISTERED: Finding = { state: 'not_applicable', summary: 'The name is not registered here.' };

/** The checks of a domain at its registry. */
@injectable()
export class RegistrationChecks {
  constructor(
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'info'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(LifecyclePlan) private readonly plan: Pick<LifecyclePlan, 'dates'>,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(ParentalAgent) private readonly parent: Pick<ParentalAgent, 'queryDelegation'>,
  ) {}

  /** @param asksRegistry if false, the nameservers stored by the last sync are checked */
  async execute(
    domain: DomainState,
    { asksRegistry, recordCount }: { readonly asksRegistry: boolean; readonly recordCount: number },
  ): Promise<RegistrationHealth> {
    if (isHosted(domain.status)) return this.checkParent(domain);
    const { defaultNameservers: ourNameservers } = this.settings;
    const registry: RegistryDelegation = asksRegistry ? await this.readRegistry(domain) : { kind: 'stored' };
    const nameservers = registry.kind === 'read' ? registry.nameservers : domain.nameservers;
    return {
      checks: [
        checkOf('delegation', judgeDelegation({ domain, registry, ourNameservers, recordCount })),
        checkOf(
          'expiry',
          judgeExpiry({
            domain,
            deletionDueAt: this.plan.dates(domain)?.deletionDueAt,
            today: this.lifecycleClock.now(),
          }),
        ),
        checkOf('transfer_lock', judgeTransferLock(domain)),
      ],
      nameservers,
      isServedHere: delegationOf(nameservers, ourNameservers) !== 'elsewhere',
    };
  }

  /** A name without a registration here: only its parent zone tells the delegation. */
  private async checkParent({ name, nameservers }: DomainState): Promise<RegistrationHealth> {
    const { defaultNameservers: ourNameservers } = this.settings;
    const sets = (await this.parent.queryDelegation(name))?.sets;
    const delegatedTo = sets && [...new Set(sets.flat())].toSorted();
    return {
      checks: [
        checkOf('delegation', judgeParent({ delegatedTo, ourNameservers })),
        checkOf('expiry', NOT_REGISTERED),
        checkOf('transfer_lock', NOT_REGISTERED),
      ],
      nameservers: delegatedTo?.length ? delegatedTo : nameservers,
      isServedHere: !delegatedTo?.length || delegationOf(delegatedTo, ourNameservers) !== 'elsewhere',
    };
  }

  private async readRegistry({ name }: DomainState): Promise<RegistryDelegation> {
    try {
      const facts = await this.registry.info(DomainName.fromState(name));
      if (!facts) return { kind: 'failed', reason: 'the name is not registered' };
      return { kind: 'read', nameservers: facts.nameservers.map((host) => host.toLowerCase()) };
    } catch {
      return { kind: 'failed', reason: 'the registry did not respond' };
    }
  }
}
