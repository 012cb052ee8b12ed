import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import { DnsRecord, type DnsRecordState } from '../../domain/dns/records/dns-record';
import { ptrPlaces } from '../../domain/dns/zone-names/ptr-place';
import { isReverseName } from '../../domain/dns/zone-names/reverse-tree';
import { ServiceError } from '../../domain/shared/service-error';
import { PtrWritings } from '../dns/zones/ptr-writings';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { HostedNameReader, type HostedNameRef } from '../ports/dns/hosted-names';
import { RecordReader } from '../ports/dns/zone-queries';
import type { OwnedDomain } from '../ports/registration/domain-repository';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { runCooperatively, type CooperativeTask } from '../shared/run-cooperatively';

const RECORDS_AT_ONCE = 1_000;

/** Gives addresses that ask for a PTR record the one that they could not have before their reverse zone came. Repetition changes nothing. */
@injectable()
export class FillReverseZone {
  constructor(
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'all' | 'among'>,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'withPtr'>,
    @inject(PtrWritings) private readonly ptrs: Pick<PtrWritings, 'plan'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'write'>,
  ) {}

  /** Does nothing for a zone of another kind. */
  async execute({ accountId, name }: OwnedDomain): Promise<void> {
    if (!isReverseName(name)) return;
    for await (const page of this.names.all({ accountId, actor: SERVICE }))
      for (const zone of page) await this.fillFrom(zone, { accountId, name });
  }

  /** One zone at a time: each can have 10,000 records. */
  private async fillFrom({ id, name }: HostedNameRef, reverse: Omit<OwnedDomain, 'id'>): Promise<void> {
    const states = await runCooperatively(recordsIn(reverse.name, await this.records.withPtr(id)), reverse.accountId);
    for (let from = 0; from < states.length; from += RECORDS_AT_ONCE)
      await this.fill(states.slice(from, from + RECORDS_AT_ONCE), { accountId: reverse.accountId, name });
  }

  private async fill(states: readonly DnsRecordState[], zone: Omit<OwnedDomain, 'id'>): Promise<void> {
    const requester = { accountId: zone.accountId, actor: SERVICE };
    const added = states.map((state) => DnsRecord.fromState(state));
    const { writings } = await this.ptrs.plan(this.names, requester, zone, {
      change: { added, changed: [], removed: [] },
    });
    for (const { request, decide } of writings) {
      try {
        await this.writer.write(request, decide);
      } catch (error) {
        // The reverse zone is full, or was deleted meanwhile.
        if (!(error instanceof ServiceError) || error instanceof StorageUnavailable) throw error;
      }
    }
  }
}

function* recordsIn(reverseZone: string, records: readonly DnsRecordState[]): CooperativeTask<DnsRecordState[]> {
  const found: DnsRecordState[] = [];
  for (const record of records) {
    yield;
    if (ptrPlaces(record.content).some(({ zoneName }) => zoneName === reverseZone)) found.push(record);
  }
  return found;
}
