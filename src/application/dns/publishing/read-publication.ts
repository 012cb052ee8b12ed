import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { maySeeRecord } from '../../../domain/access/key-permissions';
import { delegationOf, type Delegation } from '../../../domain/dns/delegation';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { requireDomain } from '../../access/require-domain';
import { AliasReader, type AliasStatus } from '../../ports/dns/alias-repository';
import { DomainReader } from '../../ports/registration/domain-repository';
import { ZonePublisher, type SecondaryReport } from '../../ports/dns/zone-publisher';
import { RecordReader } from '../../ports/dns/zone-repository';
import { RegistrationSettings } from '../../registration/registration-settings';
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
  readonly state: Delegation;
  /** The domain's, as they are at the registry. */
  readonly nameservers: readonly string[];
  readonly ourNameservers: readonly string[];
}

const MAX_ALIASES = 20;

/** Whether the world sees a zone as it is, asked of every secondary now. @throws DomainNotFound */
@injectable()
export class ReadPublication {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  async execute({ accountId, actor, domainId }: Reader & { domainId: string }): Promise<PublicationReport> {
    const domain = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'read');
    const zone = await this.records.find(domainId);
    if (!zone) throw new DomainNotFound();
    const { version, serial } = zone;
    const { name: zoneName, nameservers } = domain.toState();
    const { defaultNameservers: ourNameservers } = this.settings;
    const reports = await this.publisher.querySecondaries({ domainId, zoneName, serial });
    const secondaries = reports.map((report) => ({ ...report, isCurrent: hasReached(serial, report) }));
    const delegation = { state: delegationOf(nameservers, ourNameservers), nameservers, ourNameservers };
    const failing = await this.aliases.failing(domainId, MAX_ALIASES);
    const failingAliases = failing.filter(({ name }) => maySeeRecord(actor, { name, type: 'ALIAS' }));
    return { version, serial, published: isPublished(serial, reports), secondaries, delegation, failingAliases };
  }
}
