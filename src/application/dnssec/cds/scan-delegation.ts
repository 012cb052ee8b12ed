import { inject, injectable } from '../../ports/inject';
import { SERVICE } from '../../../domain/access/actor';
import { DelegatedChild, dsyncNames } from '../../../domain/dns/dnssec/parent/delegated-child';
import { matchesDsRecords, type DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { relativeOwnerName } from '../../../domain/dns/records/record-name';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { Domain, type DomainState } from '../../../domain/registration/domain';
import { isZoneServed } from '../../../domain/registration/domain-status';
import { parentsOf } from '../../../domain/shared/domain-name';
import { cdsRefused } from '../../audit/signing-audit';
import { ZoneWriter } from '../../dns/zones/zone-writer';
import { ChildZones } from '../../ports/dns/other-nameservers';
import { ZoneSigningReader } from '../../ports/dns/signing-repository';
import { ZoneReader } from '../../ports/dns/zone-repository';
import { DomainReader } from '../../ports/registration/domain-repository';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../../ports/system';
import { asksForDsRecords, decideForAll, silence } from './child-answers';

const NO_CHANGE: ZoneChange = { added: [], changed: [], removed: [] };
/** Refusals that are not repeated in the activity log. */
const MAX_REFUSALS = 1_000;

export interface ScannedDelegation {
  readonly name: string;
  readonly above: DomainState;
  readonly child: DelegatedChild;
}

/**
 * Changes the DS records of a zone that a zone here delegates to as its CDS and CDNSKEY records ask for (RFC 7344). Present DS records
 * must prove them, so first ones are not set. A repetition changes nothing.
 */
@injectable()
export class ScanDelegation {
  /** The last reason by name. */
  private readonly refusals = new Map<string, string>();

  constructor(
    @inject(ChildZones) private readonly childZones: Pick<ChildZones, 'read'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'zonesAmong'>,
    @inject(ZoneReader) private readonly zones: Pick<ZoneReader, 'recordsAt'>,
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'findByName'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'write'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Undefined unless a zone here takes NOTIFY(CDS) for the name. The DS records of a zone below that the service signs are kept by `ZoneAbove`. */
  async find(name: string): Promise<ScannedDelegation | undefined> {
    const zones = await this.domains.zonesAmong([name, ...parentsOf(name)]);
    const below = zones.find((each) => each.name === name);
    const [above] = zones
      .filter((each) => each !== below && isZoneServed(each))
      .toSorted((one, other) => other.name.length - one.name.length);
    if (!above) return undefined;
    const owner = relativeOwnerName(name, above.name);
    const names = [owner, ...dsyncNames(owner)];
    const records = (await this.zones.recordsAt([{ domainId: above.id, names }])).get(above.id) ?? [];
    const child = DelegatedChild.among(owner, records);
    if (!child) return undefined;
    const isKept = below?.accountId === above.accountId && (await this.signings.findByName(name));
    return isKept ? undefined : { name, above, child };
  }

  /** @throws ServiceError if the rules of the zone above forbid the change; StorageUnavailable */
  async execute(delegation: ScannedDelegation): Promise<void> {
    const { name, child } = delegation;
    const answers = await this.childZones.read(name, child.nameservers);
    const silent = silence(name, answers);
    if (silent === undefined && !answers.some(asksForDsRecords)) return;
    const present = child.dsRecords;
    const decision =
      silent === undefined
        ? decideForAll(answers, { zoneName: name, present, notBefore: child.notBefore })
        : ({ kind: 'refused', reason: silent } as const);
    if (decision.kind === 'refused') return this.refuse(delegation, decision.reason);
    this.refusals.delete(name);
    if (decision.kind === 'wanted' && !matchesDsRecords(name, decision.dsRecords, present))
      await this.write(delegation, decision.dsRecords);
  }

  private async refuse({ name, above }: ScannedDelegation, reason: string): Promise<void> {
    if (this.refusals.get(name) === reason) return;
    if (this.refusals.size >= MAX_REFUSALS) this.refusals.clear();
    this.refusals.set(name, reason);
    const fact = cdsRefused(Domain.fromState(above), `${name}: ${reason}`, this.clock.now());
    await this.unitOfWork.run(({ audit }) => audit.append(fact), above.accountId);
  }

  private async write({ name, above, child }: ScannedDelegation, wanted: readonly DsRecord[]): Promise<void> {
    const owner = relativeOwnerName(name, above.name);
    const names = [owner, ...dsyncNames(owner)];
    const newId = () => this.ids.next('rec');
    const changeAt = (records: readonly DnsRecord[]) => {
      const current = DelegatedChild.among(owner, records);
      // The decision was made for the delegation as it was.
      return current?.isSame(child) ? current.replaceDs(wanted, above.name, newId, this.clock.now()) : NO_CHANGE;
    };
    await this.writer.write(
      { accountId: above.accountId, actor: SERVICE, domainId: above.id },
      async ({ recordsAt }) => ({
        change: changeAt(await recordsAt(names)),
        keepsDelegations: true,
        result: undefined,
      }),
    );
  }
}
