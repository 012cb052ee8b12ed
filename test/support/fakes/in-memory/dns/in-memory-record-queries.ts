import type { NamedPosition, RecordSearch, RecordQueries } from '../../../../../src/application/ports/dns/zone-queries';
import type { DnsRecordState } from '../../../../../src/domain/dns/records/dns-record';
import type { RecordSetSize } from '../../../../../src/domain/dns/records/name-tree';
import { recordMatcher } from '../../../../../src/domain/dns/records/record-search';
import { compareTexts } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryRecordQueries implements RecordQueries {
  constructor(private readonly committed: () => Tables) {}

  async page(
    domainId: string,
    { type, contains = '' }: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]> {
    const isWanted = recordMatcher(contains);
    const matching = this.recordsOf(domainId).filter(
      (record) => (type === undefined || record.type === type) && isWanted(record),
    );
    const beyond = after ? matching.filter((record) => compareNamed(record, after) > 0) : matching;
    return beyond.toSorted(compareNamed).slice(0, limit);
  }

  async among(
    domainIds: readonly string[],
    search: RecordSearch,
  ): Promise<readonly { readonly domainId: string; readonly record: DnsRecordState }[]> {
    const pages = await Promise.all(domainIds.map((domainId) => this.page(domainId, search, Infinity)));
    return domainIds.flatMap((domainId, index) => (pages[index] ?? []).map((record) => ({ domainId, record })));
  }

  async sets(
    domainId: string,
    limit: number,
    after?: Pick<RecordSetSize, 'name' | 'type'>,
  ): Promise<readonly RecordSetSize[]> {
    const sets = new Map<string, RecordSetSize>();
    for (const { name, type } of this.recordsOf(domainId)) {
      const key = `${name} ${type}`;
      sets.set(key, { name, type, records: (sets.get(key)?.records ?? 0) + 1 });
    }
    return [...sets.values()]
      .toSorted(compareSets)
      .filter((set) => !after || compareSets(set, after) > 0)
      .slice(0, limit);
  }

  async find(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    return this.recordsOf(domainId).find(({ id }) => id === recordId);
  }

  private recordsOf(domainId: string): readonly DnsRecordState[] {
    return this.committed().zones.get(domainId)?.records ?? [];
  }
}

function compareSets(left: Pick<RecordSetSize, 'name' | 'type'>, right: Pick<RecordSetSize, 'name' | 'type'>): number {
  return compareTexts(left.name, right.name) || compareTexts(left.type, right.type);
}

function compareNamed(left: NamedPosition, right: NamedPosition): number {
  return compareTexts(left.name, right.name) || compareTexts(left.id, right.id);
}
