import type { Clock } from '../../../../application/ports/system';
import type { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../../application/ports/registry/registry-port';
import { DomainName } from '../../../../domain/shared/domain-name';
import { TldPolicies } from '../../../../domain/registration/names/tld-policy';
import type { Registration } from '../simulated/registration';
import { RegistryClock } from '../simulated/registry-clock';
import { RegistryCore } from '../simulated/registry-core';
import { isNeverForSale } from '../simulated/offers/reserved-names';
import type { TldOffer } from '../simulated/offers/tld-offer';
import { EppError, type EppErrorCode } from './epp-error';
import type { BackendStore } from './backend-store';
import type { DsRecordsAre, HostsAre, Personality } from './personalities/personality';

export interface BackendSettings {
  readonly store: BackendStore;
  /** Real time. The registry's may be ahead. */
  readonly clock: Clock;
  readonly priceList: readonly TldOffer[];
  readonly hostsAre: HostsAre;
  readonly dsRecordsAre: DsRecordsAre;
  readonly personality: Personality;
  /**
   * Whether an update commits `rem` hosts before it checks `add`, like Namingo: a rejected update then has removed
   * nameservers, and `rem` of a host without delegation returns 2305.
   */
  readonly removesFirst: boolean;
}

/** Shared by all command handlers: the registry, its storage and its offers. */
export class RegistryBackend {
  readonly store: BackendStore;
  readonly core: RegistryCore;
  readonly hostsAre: HostsAre;
  readonly dsRecordsAre: DsRecordsAre;
  readonly personality: Personality;
  readonly removesFirst: boolean;
  private readonly offers: TldPolicies<TldOffer>;

  constructor({ store, clock, priceList, hostsAre, dsRecordsAre, personality, removesFirst }: BackendSettings) {
    this.store = store;
    this.hostsAre = hostsAre;
    this.dsRecordsAre = dsRecordsAre;
    this.personality = personality;
    this.removesFirst = removesFirst;
    this.core = new RegistryCore(store.registry, new RegistryClock(clock), priceList);
    this.offers = new TldPolicies(priceList);
  }

  offerFor(name: DomainName): TldOffer | undefined {
    return this.offers.forName(name);
  }

  /** @throws EppError 2303 for an unregistered name */
  async requireRegistered(name: DomainName): Promise<Registration> {
    const held = await this.core.find(name);
    if (!held) throw new EppError(2303, `${name.value} is not registered`);
    return held;
  }

  /**
   * The superordinate domain of a host, registered or not; undefined for a host outside this registry's TLDs or under a
   * name that is never for sale.
   */
  superordinateOf(host: string): DomainName | undefined {
    const labels = host.split('.');
    const names = labels.map((_, index) => DomainName.fromState(labels.slice(index).join('.')));
    return names.find((candidate) => this.offers.forName(candidate) && !isNeverForSale(candidate.value));
  }
}

const CODES: Readonly<Record<RejectionReason, EppErrorCode>> = {
  unavailable: 2302,
  price_changed: 2004,
  expiry_differs: 2306,
  not_held: 2303,
  status: 2304,
  policy: 2306,
  credit: 2306,
  auth_code: 2202,
  unsupported: 2102,
};

export function toEppError({ reason, details, message }: RegistryRejected): EppError {
  return new EppError(CODES[reason], details ?? message);
}
