import type { Clock } from '../../../../application/ports/system/clock';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { RegistryDomain } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/registration/domain-name';
import type { TldPolicies } from '../../../../domain/registration/tld-policy';
import type { EppClient } from '../session/epp-client';
import type { EppTld } from '../epp-tld';
import { infoDomain } from '../mapping/domain-commands';
import { domainInfoOf, foreignDomain, registryDomainOf, type DomainInfo } from '../mapping/domain-data';
import { readable } from '../readable';
import { detailsOf, NAME_FAULTS, RESULT, succeeded } from '../mapping/result-codes';

/** Looks at domains. */
export class EppDomains {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly clientId: string,
    private readonly clock: Clock,
  ) {}

  /** What the registry holds of a name, undefined where nobody holds it. */
  async find(name: DomainName): Promise<RegistryDomain | undefined> {
    const policy = this.tlds.forName(name);
    const seen = policy && (await this.look(name));
    if (!policy || !seen) return undefined;
    return seen === 'hidden'
      ? foreignDomain(name)
      : readable(() =>
          registryDomainOf(seen, {
            clientId: this.clientId,
            periods: policy.periods,
            addedYears: policy.renewalYears.min,
            now: this.clock.now(),
          }),
        );
  }

  /** What a command that was carried out has left. @throws RegistryUnavailable where the registry does not show it: rejected it is not */
  async afterwards(name: DomainName): Promise<RegistryDomain> {
    const held = await this.find(name);
    if (!held?.sponsoredByUs) throw new RegistryUnavailable(`The registry does not show ${name.value} as ours yet`);
    return held;
  }

  /** In the registry's own words. @throws RegistryRejected (`not_held`) where we do not hold it */
  async own(name: DomainName): Promise<DomainInfo> {
    const seen = this.tlds.forName(name) && (await this.look(name));
    if (!seen || seen === 'hidden' || seen.sponsor !== this.clientId)
      throw new RegistryRejected('not_held', `We do not hold ${name.value}`);
    return seen;
  }

  private async look(name: DomainName): Promise<DomainInfo | 'hidden' | undefined> {
    const response = await this.client.ask(infoDomain(name.value));
    if (response.code === RESULT.missing || NAME_FAULTS.has(response.code)) return undefined;
    if (response.code === RESULT.notSponsor) return 'hidden';
    if (!succeeded(response)) throw new RegistryUnavailable(detailsOf(response));
    return readable(() => domainInfoOf(response));
  }
}
