import type { Clock } from '../../../../application/ports/system/clock';
import type { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../../application/ports/registry/registry-port';
import { DomainName } from '../../../../domain/registration/domain-name';
import { TldPolicies } from '../../../../domain/registration/tld-policy';
import type { Registration } from '../simulated/registration';
import { RegistryClock } from '../simulated/registry-clock';
import { RegistryCore } from '../simulated/registry-core';
import { isTakenForEver } from '../simulated/reserved-names';
import type { TldOffer } from '../simulated/tld-offer';
import { EppFailure, type FailureCode } from './epp-failure';
import type { BackendStore } from './backend-store';

/** What the front does with names of hosts: objects of their own, or attributes of domains (RFC 5731 1.1). */
export type HostsAre = 'objects' | 'attributes';

export interface BackendSettings {
  readonly store: BackendStore;
  /** Real time; the registry's own may be ahead of it. */
  readonly clock: Clock;
  readonly priceList: readonly TldOffer[];
  readonly hostsAre: HostsAre;
  /**
   * Whether an update commits its `rem` hosts before it checks its `add`, as Namingo does: a refused update then leaves the
   * domain without the removed nameservers, and a host to remove that is not there is refused with 2305.
   */
  readonly removesFirst: boolean;
}

/** What all desks of the front share: the registry behind it, and what is for sale. */
export class RegistryBackend {
  readonly store: BackendStore;
  readonly core: RegistryCore;
  readonly hostsAre: HostsAre;
  readonly removesFirst: boolean;
  private readonly offers: TldPolicies<TldOffer>;

  constructor({ store, clock, priceList, hostsAre, removesFirst }: BackendSettings) {
    this.store = store;
    this.hostsAre = hostsAre;
    this.removesFirst = removesFirst;
    this.core = new RegistryCore(store.registry, new RegistryClock(clock), priceList);
    this.offers = new TldPolicies(priceList);
  }

  offerFor(name: DomainName): TldOffer | undefined {
    return this.offers.forName(name);
  }

  /** @throws EppFailure for a name that nobody holds */
  async held(name: DomainName): Promise<Registration> {
    const held = await this.core.find(name);
    if (!held) throw new EppFailure(2303, `${name.value} is not registered`);
    return held;
  }

  /**
   * The name under one of our suffixes that a host is or lies under; undefined for a host of the outside world, to
   * which what was never for sale here belongs.
   */
  superordinateOf(host: string): DomainName | undefined {
    const labels = host.split('.');
    const names = labels.map((_, index) => DomainName.fromState(labels.slice(index).join('.')));
    return names.find((candidate) => this.offers.forName(candidate) && !isTakenForEver(candidate.value));
  }
}

const CODES: Readonly<Record<RejectionReason, FailureCode>> = {
  unavailable: 2302,
  price_changed: 2004,
  expiry_differs: 2306,
  not_held: 2303,
  status: 2304,
  policy: 2306,
  credit: 2306,
};

/** The registry's refusal as a result. */
export function failureOf({ reason, details, message }: RegistryRejected): EppFailure {
  return new EppFailure(CODES[reason], details ?? message);
}
