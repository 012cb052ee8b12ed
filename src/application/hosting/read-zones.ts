import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed } from '../../domain/access/key-permissions';
import { delegationOf, type DelegationState } from '../../domain/dns/delegation/delegation';
import type { DsRecord } from '../../domain/dns/delegation/ds-record';
import type { Domain, DomainState } from '../../domain/registration/domain';
import { isHosted } from '../../domain/registration/domain-status';
import { ReadSigning } from '../dnssec/read-signing';
import type { DomainFilter, ListedDomain, SortedPosition } from '../ports/registration/domain-repository';
import type { Page } from '../ports/storage/page';
import { RecordReader, type ZoneFacts } from '../ports/dns/zone-queries';
import { FindDomain } from '../registration/find-domain';
import { RegistrationSettings } from '../registration/registration-settings';
import { VisibleDomains } from '../registration/visible-domains';

/** A zone as a list shows it. */
export interface ZoneInList {
  readonly owner: ListedDomain;
  readonly facts: ZoneFacts;
  /** Host names of this service's nameservers. */
  readonly nameservers: readonly string[];
  readonly delegation: ParentDelegation;
}

/** What the parent zone says of a zone. */
export interface ParentDelegation {
  readonly state: DelegationState;
  readonly nameservers: readonly string[];
  /** When the parent was asked; null for what the registry says. */
  readonly askedAt: Date | null;
}

/** A zone with the DS records that its parent should have now. */
export interface ZoneReport extends ZoneInList {
  readonly owner: DomainState;
  readonly dsRecords: readonly DsRecord[];
}

export interface ZoneFilter extends Omit<DomainFilter, 'delegation'> {
  readonly delegation?: DelegationState | undefined;
}

/** Reads zones that the requester may see, of names with and without a registration. @throws LimitedKey */
@injectable()
export class ReadZones {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'facts'>,
    @inject(ReadSigning) private readonly signings: Pick<ReadSigning, 'of'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  /** In the order of names, after `after`. */
  async page(
    requester: Reader,
    { delegation: state, ...filter }: ZoneFilter,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<ZoneInList, SortedPosition>> {
    assertActionAllowed(requester.actor, 'read');
    const delegation = state && { state, ours: this.settings.defaultNameservers };
    const list = { ...filter, delegation, of: 'zones', order: 'name', descending: false } as const;
    const { items, next } = await this.domains.listed(requester, list, limit, after);
    const facts = await this.records.facts(items.map(({ id }) => id));
    const zones = items.flatMap((owner) => {
      const found = facts.get(owner.id);
      return found ? [this.inList(owner, found)] : [];
    });
    return { items: zones, next };
  }

  /** @throws DomainNotFound */
  async byId(query: Reader & { readonly domainId: string }): Promise<ZoneReport> {
    return this.of(await this.findDomain.zoneById(query));
  }

  /** @param query its name as users write it @throws DomainNotFound */
  async byName(query: Reader & { readonly name: string }): Promise<ZoneReport> {
    return this.of(await this.findDomain.zoneByName(query));
  }

  /** Of a name that the caller has found. @throws DomainNotFound if it has no zone */
  async of(domain: Domain): Promise<ZoneReport> {
    const [facts, signing] = await Promise.all([this.records.facts([domain.id]), this.signings.of(domain)]);
    const found = facts.get(domain.id);
    if (!found) throw new TypeError(`${domain.id} has no zone`);
    const dsRecords = signing.parent?.ds ?? signing.signing?.toState().dsRecords ?? [];
    return { ...this.inList(domain.toState(), found), dsRecords };
  }

  inList<O extends ListedDomain>(owner: O, facts: ZoneFacts): ZoneInList & { readonly owner: O } {
    const { defaultNameservers: ours } = this.settings;
    const { nameservers, status } = owner;
    const delegation: ParentDelegation = isHosted(status)
      ? (facts.delegation ?? { state: 'unknown', nameservers: [], askedAt: null })
      : { state: delegationOf(nameservers, ours), nameservers, askedAt: null };
    return { owner, facts, nameservers: ours, delegation };
  }
}
