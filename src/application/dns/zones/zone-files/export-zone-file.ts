import { inject, injectable } from '../../../ports/inject';
import type { Reader } from '../../../../domain/access/actor';
import { maySeeRecord, seesSomeRecords } from '../../../../domain/access/key-permissions';
import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import type { HostedName } from '../../../../domain/dns/hosted-name';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { startOfAuthority } from '../../../../domain/dns/start-of-authority';
import { zoneFileLines } from '../../../../domain/dns/zone-file/write-zone-file';
import { DomainNotFound } from '../../../../domain/shared/domain-errors';
import { requireName } from '../../../access/require-domain';
import { HostedNameReader } from '../../../ports/dns/hosted-names';
import { ZoneHistory } from '../../../ports/dns/zone-queries';
import type { ZonePast } from '../../../ports/dns/zone-repository';
import { runCooperatively } from '../../../shared/run-cooperatively';
import { inPieces } from '../../../shared/text-pieces';
import { AuthoritySettings } from '../../dns-settings';

interface ExportedZone {
  readonly zoneName: string;
  readonly zoneVersion: number;
  readonly text: ZoneFileText;
}

/** UTF-8, shared by the responses with the same text: who sends it must not change it. */
type ZoneFileText = readonly Buffer[];

/** The records of a domain that the requester may see as a zone file, of one moment. @throws DomainNotFound, LimitedKey */
@injectable()
export class ExportZoneFile {
  /** Texts that responses are being sent from, by what they show. */
  private readonly texts = new Map<string, WeakRef<ZoneFileText>>();

  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(ZoneHistory) private readonly zones: ZoneHistory,
    @inject(AuthoritySettings) private readonly settings: AuthoritySettings,
  ) {}

  async execute(reader: Reader, domainId: string): Promise<ExportedZone> {
    const { accountId, actor } = reader;
    const found = requireName(await this.names.find(accountId, domainId), { actor }, 'read');
    const { name: zoneName, nameservers } = found;
    // All in one turn of the account: else many exports would hold their records while they wait for slices of the event loop.
    const zone = await this.zones.withPast({ accountId, domainId }, async (past) => {
      const shown = JSON.stringify([domainId, past.version, past.serial, zoneName, nameservers]);
      const render = () => this.render(reader, found, past);
      return {
        zoneVersion: past.version,
        text: await (seesSomeRecords(actor) ? render() : this.reuseOrRender(shown, render)),
      };
    });
    if (!zone) throw new DomainNotFound();
    return { zoneName, ...zone };
  }

  private async reuseOrRender(shown: string, render: () => Promise<ZoneFileText>): Promise<ZoneFileText> {
    const present = this.texts.get(shown)?.deref();
    if (present) return present;
    const text = await render();
    for (const [key, each] of this.texts) if (!each.deref()) this.texts.delete(key);
    this.texts.set(shown, new WeakRef(text));
    return text;
  }

  private async render(
    { accountId, actor }: Reader,
    { name: zoneName, nameservers }: HostedName,
    past: ZonePast,
  ): Promise<ZoneFileText> {
    const records = (await past.records()).filter((record) => maySeeRecord(actor, record)).toSorted(byName);
    const authority = startOfAuthority({ zoneName, serial: past.serial, nameservers }, this.settings);
    return runCooperatively(inPieces(zoneFileLines({ zoneName, authority, nameservers, records })), accountId);
  }
}

/** The root first. */
function byName(one: DnsRecordState, other: DnsRecordState): number {
  return (
    compare(one.name === ROOT ? '' : one.name, other.name === ROOT ? '' : other.name) || compare(one.type, other.type)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
