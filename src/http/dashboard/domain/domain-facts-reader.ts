import { inject, injectable } from '../../../application/ports/inject';
import { LifecyclePlan } from '../../../application/operations/lifecycle-plan';
import { HealthReader } from '../../../application/ports/health/health-repository';
import { RegistryDirectory } from '../../../application/ports/registry/registries';
import { RenewalPriceCache } from '../../../application/registration/renewal-price-cache';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainName } from '../../../domain/shared/domain-name';
import type { TimelinePoint } from '../../../domain/registration/lifecycle/lifecycle-timeline';
import type { DomainFactsProps } from './domain-facts';

export type DomainFactsOf = Omit<DomainFactsProps, 'domain'> & { readonly timeline: readonly TimelinePoint[] };

/** Reads what the domain page says first. */
@injectable()
export class DomainFactsReader {
  constructor(
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(RenewalPriceCache) private readonly prices: RenewalPriceCache,
    @inject(HealthReader) private readonly health: HealthReader,
  ) {}

  async of(domain: DomainState): Promise<DomainFactsOf> {
    const timeline = this.plan.timeline(domain);
    return {
      registry: this.registries.registryFor(DomainName.fromState(domain.name))?.registry,
      renewalPrice: (await this.prices.of(domain.accountId, [domain])).get(domain.id),
      renewsAt: timeline.find(({ event }) => event === 'renewal')?.at,
      health: (await this.health.statesOf([domain.id])).get(domain.id),
      timeline,
    };
  }
}
