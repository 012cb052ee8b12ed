import { inject, injectable } from '../../ports/inject';
import type { Actor, Reader } from '../../../domain/access/actor';
import { maySeeRecord } from '../../../domain/access/key-permissions';
import { delegationOf, type DelegationState } from '../../../domain/dns/delegation/delegation';
import { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { isOfOtherProvider } from '../../../domain/dns/zone-warnings';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { requireName } from '../../access/require-domain';
import { AliasReader, type AliasStatus } from '../../ports/dns/alias-repository';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { ZonePublisher, type SecondaryReport } from '../../ports/dns/publishing';
import { RecordReader } from '../../ports/dns/zone-queries';
import { NameserverSettings } from '../dns-settings';
import { hasReached, isPublished } from './publication';

export interface PublicationReport {
  readonly version: number;
  /** Of the SOA record, without its wrap-around. */
  readonly serial: number;
  readonly published: boolean;
  readonly secondaries: readonly (SecondaryReport & { readonly isCurrent: boolean })[];
  readonly delegation: DelegationReport;
  /** The ALIAS records whose target has an error; at most `MAX_ALIASES`. */
  readonly failingAliases: readonly AliasStatus[];
}

/** Whether resolvers ask this service's nameservers at all. */
interface DelegationReport {
  readonly state: DelegationState;
  /** Those at the registry; without a registration those that the parent named last. */
  readonly nameservers: readonly string[];
  readonly ourNameservers: readonly string[];
  /** Hosts of NS records at the apex that are not the domain's nameservers; at most `MAX_APEX_NS`. Resolvers may ask them, too. */
  readonly additionalNameservers: readonly string[];
}

const MAX_ALIASES = 20;
/** As many records as an RRset has by default. */
const MAX_APEX_NS = 100;

/** Whether the world sees a zone as it is, asked of every secondary now. @throws DomainNotFound */
@injectable()
export class ReadPublication {
  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(NameserverSettings) private readonly settings: NameserverSettings,
  ) {}

  async execute({ accountId, actor, domainId }: Reader & { domainId: string }): Promise<PublicationReport> {
    const found = await this.names.find(accountId, domainId);
    const { name: zoneName, nameservers, isRegistered } = requireName(found, { actor }, 'read');
    const zone = (await this.records.facts([domainId])).get(domainId);
    if (!zone) throw new DomainNotFound();
    const { version, serial } = zone;
    const { defaultNameservers: ourNameservers } = this.settings;
    const reports = await this.publisher.querySecondaries({ domainId, zoneName, serial });
    const secondaries = reports.map((report) => ({ ...report, isCurrent: hasReached(serial, report) }));
    const parent = isRegistered
      ? { state: delegationOf(nameservers, ourNameservers), nameservers }
      : (zone.delegation ?? { state: 'unknown' as const, nameservers: [] });
    const delegation = {
      state: parent.state,
      nameservers: parent.nameservers,
      ourNameservers,
      additionalNameservers: await this.additionalNameservers(actor, domainId, nameservers),
    };
    const failing = await this.aliases.failing(domainId, MAX_ALIASES);
    const failingAliases = failing.filter(({ name }) => maySeeRecord(actor, { name, type: 'ALIAS' }));
    return { version, serial, published: isPublished(serial, reports), secondaries, delegation, failingAliases };
  }

  private async additionalNameservers(
    actor: Actor,
    domainId: string,
    delegation: readonly string[],
  ): Promise<readonly string[]> {
    const apexNs = { name: ROOT, type: 'NS' } as const;
    if (!maySeeRecord(actor, apexNs)) return [];
    const records = await this.records.page(domainId, apexNs, MAX_APEX_NS);
    return records
      .filter((state) => isOfOtherProvider(DnsRecord.fromState(state), delegation))
      .map(({ content }) => content);
  }
}
