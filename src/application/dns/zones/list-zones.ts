import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { RecordReader, type ZoneFacts } from '../../ports/dns/zone-repository';
import type { NamedDomain } from '../../ports/registration/domain-repository';
import { ListDomains } from '../../registration/list-domains';

export interface ListedZone extends ZoneFacts {
  readonly name: string;
}

/** Lists the zones of the domains that the requester may see, without those of domains that left. @throws LimitedKey */
@injectable()
export class ListZones {
  constructor(
    @inject(ListDomains) private readonly domains: ListDomains,
    @inject(RecordReader) private readonly records: RecordReader,
  ) {}

  async *all(requester: Reader): AsyncGenerator<readonly ListedZone[]> {
    for await (const page of this.domains.all(requester, {}))
      yield this.of(page.filter(({ status }) => status !== 'transferred_out'));
  }

  /** Of domains that the caller has found. */
  async of(domains: readonly NamedDomain[]): Promise<readonly ListedZone[]> {
    const facts = await this.records.facts(domains.map(({ id }) => id));
    return domains.flatMap(({ id, name }) => {
      const zone = facts.get(id);
      return zone ? [{ name, ...zone }] : [];
    });
  }
}
