import { token } from '../inject';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordType } from '../../../domain/dns/records/types/record-types';

export interface RecordSearch {
  readonly type?: RecordType | undefined;
  /** Part of a name or of a content, in ASCII or Unicode form, or of a comment, as `foldNamePart` returns it. */
  readonly contains?: string | undefined;
}

/** A place in a list of records by name: what comes after it is the next page. */
export interface NamedPosition {
  readonly name: string;
  readonly id: string;
}

/** A zone's records as the dashboard lists them. Reads committed state. */
export interface RecordQueries {
  /** By name, those of one name oldest first, starting after `after`. */
  page(
    domainId: string,
    search: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]>;
  find(domainId: string, recordId: string): Promise<DnsRecordState | undefined>;
}
export const RecordQueries = token<RecordQueries>('RecordQueries');
