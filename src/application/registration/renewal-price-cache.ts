import { setTimeout } from 'node:timers/promises';
import { inject, injectable } from '../ports/inject';
import { DomainName } from '../../domain/shared/domain-name';
import type { DomainStatus } from '../../domain/registration/domain-status';
import { groupedBy } from '../../domain/shared/grouped-by';
import type { Money } from '../../domain/shared/money';
import { Outage } from '../shared/outage';
import { Clock, Log } from '../ports/system';
import { AccountRegistries, RegistryDirectory } from '../ports/registry/registries';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { RenewalPriceStore, type KnownPrice } from '../ports/registration/domain-repository';

interface PricedDomain {
  readonly id: string;
  readonly name: string;
  readonly status: DomainStatus;
}

const DAY_MS = 86_400_000;
/** A price that was checked longer ago is checked again. */
const MAX_AGE_MS = 7 * DAY_MS;
/** How long a page waits for prices that are not known yet. */
const WAIT_MS = 800;
/** After a failure, so that not every page waits for a registry that does not respond. */
const PAUSE_MS = 60_000;
const QUOTED_TOGETHER = 10;
/** Domains whose prices are being checked, in this process. */
const MAX_CHECKING = 2_000;

/**
 * Renewal prices for display, per shortest term of the TLD. They are stored: registries are asked for missing ones and for old ones
 * in the background. A registry that does not respond leaves them as they are.
 */
@injectable()
export class RenewalPriceCache {
  private readonly checking = new Set<string>();
  /** By registry. */
  private readonly outages = new Map<string, Outage>();
  private readonly pausedUntil = new Map<string, Date>();

  constructor(
    @inject(RenewalPriceStore) private readonly store: RenewalPriceStore,
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(RegistryDirectory) private readonly directory: RegistryDirectory,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /**
   * The known prices by domain id. Waits at most `waitMs` for those that were never checked. Only domains that can be renewed
   * have prices.
   */
  async of(accountId: string, domains: readonly PricedDomain[], waitMs = WAIT_MS): Promise<ReadonlyMap<string, Money>> {
    const renewable = domains.filter(({ status }) => status === 'active' || status === 'expired');
    const known = new Map((await this.store.find(renewable.map(({ id }) => id))).map((each) => [each.domainId, each]));
    const oldest = this.clock.now().getTime() - MAX_AGE_MS;
    const isDue = ({ id }: PricedDomain): boolean => (known.get(id)?.checkedAt.getTime() ?? 0) < oldest;
    const found: KnownPrice[] = [];
    const checked = this.check(accountId, renewable.filter(isDue), found);
    if (renewable.some(({ id }) => !known.has(id)))
      await Promise.race([checked, setTimeout(waitMs, undefined, { ref: false })]);
    for (const price of found) known.set(price.domainId, price);
    return new Map([...known.values()].flatMap(({ domainId, price }) => (price ? [[domainId, price] as const] : [])));
  }

  /** Adds the prices to `found` as they become known. Never rejects: what could not be checked is due again a minute later. */
  private async check(accountId: string, due: readonly PricedDomain[], found: KnownPrice[]): Promise<void> {
    const domains = due.filter(({ id }) => !this.checking.has(id)).slice(0, MAX_CHECKING - this.checking.size);
    for (const { id } of domains) this.checking.add(id);
    const byRegistry = groupedBy(domains, ({ name }) => this.registryOf(name));
    await Promise.all([...byRegistry].map(([registry, some]) => this.checkAt(registry, accountId, some, found)));
    for (const { id } of domains) this.checking.delete(id);
  }

  /** A registry that does not respond delays its own prices only. */
  private async checkAt(
    registry: string,
    accountId: string,
    domains: readonly PricedDomain[],
    found: KnownPrice[],
  ): Promise<void> {
    if (this.clock.now() < (this.pausedUntil.get(registry) ?? 0)) return;
    const outage =
      this.outages.get(registry) ?? new Outage(this.log, 'checking renewal prices', { registry }, 'on demand');
    this.outages.set(registry, outage);
    try {
      for (let from = 0; from < domains.length; from += QUOTED_TOGETHER) {
        const some = domains.slice(from, from + QUOTED_TOGETHER);
        const prices = await Promise.all(some.map((domain) => this.quote(accountId, domain)));
        found.push(...prices);
        await this.store.save(accountId, prices);
      }
      outage.recordSuccess();
    } catch (error) {
      outage.recordFailure(error);
      this.pausedUntil.set(registry, new Date(this.clock.now().getTime() + PAUSE_MS));
    }
  }

  private registryOf(name: string): string {
    return this.directory.registryFor(DomainName.fromState(name))?.registry ?? '';
  }

  private async quote(accountId: string, { id, name }: PricedDomain): Promise<KnownPrice> {
    const checkedAt = this.clock.now();
    try {
      const { renewal } = await this.registries.forAccount(accountId).price(DomainName.fromState(name));
      return { domainId: id, price: renewal, checkedAt };
    } catch (error) {
      if (error instanceof RegistryRejected) return { domainId: id, price: null, checkedAt };
      throw error;
    }
  }
}
