import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { RecordReader, type ZoneFacts } from '../../ports/dns/zone-queries';
import { HostedNameReader, type HostedNameRef } from '../../ports/dns/hosted-names';

export interface ListedZone extends ZoneFacts {
  readonly name: string;
}

/** Lists the zones of the domains that the requester may see, without those of domains that left. @throws LimitedKey */
@injectable()
export class ListZones {
  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(RecordReader) private readonly records: RecordReader,
  ) {}

  async *all(requester: Reader): AsyncGenerator<readonly ListedZone[]> {
    for await (const page of this.names.all(requester)) yield this.of(page);
  }

  /** Of names that the caller has found. */
  async of(names: readonly HostedNameRef[]): Promise<readonly ListedZone[]> {
    const facts = await this.records.facts(names.map(({ id }) => id));
    return names.flatMap(({ id, name }) => {
      const zone = facts.get(id);
      return zone ? [{ name, ...zone }] : [];
    });
  }
}
