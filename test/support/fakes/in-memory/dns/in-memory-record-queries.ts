import type {
  NamedPosition,
  RecordSearch,
  RecordQueries,
} from '../../../../../src/application/ports/dns/zone-repository';
import type { DnsRecordState } from '../../../../../src/domain/dns/records/dns-record';
import { toUnicodeName } from '../../../../../src/domain/shared/idna';
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
    const matching = this.recordsOf(domainId).filter(
      (record) =>
        (type === undefined || record.type === type) &&
        (record.name.includes(contains) ||
          [record.content, record.comment, record.managedBy].some((text) => text?.toLowerCase().includes(contains)) ||
          [record.name, record.content].some((text) => toUnicodeName(text)?.includes(contains))),
    );
    const beyond = after ? matching.filter((record) => compareNamed(record, after) > 0) : matching;
    return beyond.toSorted(compareNamed).slice(0, limit);
  }

  async find(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    return this.recordsOf(domainId).find(({ id }) => id === recordId);
  }

  private recordsOf(domainId: string): readonly DnsRecordState[] {
    return this.committed().zones.get(domainId)?.records ?? [];
  }
}

function compareNamed(left: NamedPosition, right: NamedPosition): number {
  return compareTexts(left.name, right.name) || compareTexts(left.id, right.id);
}
