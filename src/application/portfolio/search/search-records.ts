import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { assertActionAllowed, maySeeRecord } from '../../../domain/access/key-permissions';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import {
  parseRecordWords,
  wordsMatcher,
  wordsWithin,
  type RecordWords,
} from '../../../domain/dns/records/record-words';
import { RecordQueries, RecordReader, type NamedPosition, type RecordSearch } from '../../ports/dns/zone-queries';
import { DomainReader, type ListedDomain } from '../../ports/registration/domain-repository';
import { limitToVisible } from '../../registration/visible-domains';
import { readInTurn } from '../../shared/pages-of';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';
import type { ListPosition } from '../../ports/storage/page';

const ZONES_AT_ONCE = 500;
/** A statement compares at most so many records, or reads so many of a larger zone. */
const RECORDS_AT_ONCE = 2_000;
/** A search compares no more, and says that it is not complete. */
const MAX_RECORDS = 200_000;

export interface FoundRecord {
  readonly domain: Pick<ListedDomain, 'id' | 'name'>;
  readonly record: DnsRecordState;
}

export interface FoundRecords {
  readonly records: readonly FoundRecord[];
  /** Whether all zones were searched, or as many as it took to find `limit` records. */
  readonly isComplete: boolean;
}

interface Search extends Reader {
  readonly words: RecordWords;
  readonly limit: number;
}

/** Zones in which the same words are left to find. */
interface ZoneGroup {
  readonly words: readonly string[];
  readonly zones: Pick<ListedDomain, 'id' | 'name'>[];
}

/** The records of all zones that the requester may see which have a record type and words; those of the oldest zones first. */
@injectable()
export class SearchRecords {
  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'page'>,
    @inject(RecordReader) private readonly zones: Pick<RecordReader, 'facts'>,
    @inject(RecordQueries) private readonly records: Pick<RecordQueries, 'among' | 'page'>,
  ) {}

  /** Finds nothing if the text is too short. @param signal ends the search early, with what was found until then */
  async execute(requester: Reader, text: string, limit: number, signal?: AbortSignal): Promise<FoundRecords> {
    assertActionAllowed(requester.actor, 'read');
    const words = parseRecordWords(text);
    if (!words) return { records: [], isComplete: true };
    const search = { ...requester, words, limit };
    const found: FoundRecord[] = [];
    let compared = 0;
    for await (const zones of this.zonePages(requester)) {
      const facts = await this.zones.facts(zones.map(({ id }) => id));
      const sizeOf = (id: string) => facts.get(id)?.recordCount ?? 0;
      for (const { words: left, zones: some } of groupByWords(zones, words))
        for (const chunk of chunksOf(some, sizeOf)) {
          if (signal?.aborted || compared >= MAX_RECORDS) return { records: found, isComplete: false };
          found.push(...(await this.findIn(search, chunk, left, sizeOf)));
          if (found.length >= limit) return { records: found.slice(0, limit), isComplete: true };
          compared += chunk.reduce((sum, { id }) => sum + sizeOf(id), 0);
        }
    }
    return { records: found, isComplete: true };
  }

  private async *zonePages({ accountId, actor }: Reader): AsyncGenerator<readonly ListedDomain[]> {
    const filter = limitToVisible(actor, { of: 'zones' as const });
    let after: ListPosition | undefined;
    do {
      const { items, next } = await readInTurn(accountId, () =>
        this.domains.page(accountId, filter, ZONES_AT_ONCE, after),
      );
      yield items;
      after = next;
    } while (after);
  }

  private async findIn(
    { accountId, actor, words: { type }, limit }: Search,
    zones: ZoneGroup['zones'],
    words: readonly string[],
    sizeOf: (id: string) => number,
  ): Promise<readonly FoundRecord[]> {
    const search: RecordSearch = { type, contains: longestOf(words) };
    const isWanted = wordsMatcher(words);
    const wanted = (record: DnsRecordState) => maySeeRecord(actor, record) && isWanted(record);
    const byId = new Map(zones.map((zone) => [zone.id, zone]));
    const [first] = zones;
    if (first && sizeOf(first.id) > RECORDS_AT_ONCE) return this.findInLarge(accountId, first, search, wanted, limit);
    const matches = await readInTurn(accountId, () => this.records.among([...byId.keys()], search));
    return runCooperatively(
      recordsAmong(matches, byId, ({ record }) => wanted(record)),
      accountId,
    );
  }

  private async findInLarge(
    accountId: string,
    domain: FoundRecord['domain'],
    search: RecordSearch,
    isWanted: (record: DnsRecordState) => boolean,
    limit: number,
  ): Promise<readonly FoundRecord[]> {
    const found: FoundRecord[] = [];
    let after: NamedPosition | undefined;
    do {
      const from = after;
      const page = await readInTurn(accountId, () => this.records.page(domain.id, search, RECORDS_AT_ONCE, from));
      for (const record of page) if (isWanted(record)) found.push({ domain, record });
      after = page.length < RECORDS_AT_ONCE ? undefined : page.at(-1);
    } while (after && found.length < limit);
    return found;
  }
}

/** Zones whose records together are few enough for a statement; a larger zone is alone. */
function* chunksOf(zones: ZoneGroup['zones'], sizeOf: (id: string) => number): Generator<ZoneGroup['zones']> {
  let chunk: ZoneGroup['zones'] = [];
  let size = 0;
  for (const zone of zones) {
    const added = sizeOf(zone.id);
    if (added === 0) continue;
    if (chunk.length > 0 && size + added > RECORDS_AT_ONCE) {
      yield chunk;
      [chunk, size] = [[], 0];
    }
    chunk.push(zone);
    size += added;
  }
  if (chunk.length > 0) yield chunk;
}

function groupByWords(zones: ZoneGroup['zones'] | readonly ListedDomain[], words: RecordWords): Iterable<ZoneGroup> {
  const groups = new Map<string, ZoneGroup>();
  for (const { id, name } of zones) {
    const left = wordsWithin(name, words);
    const key = left.join(' ');
    const group = groups.get(key) ?? { words: left, zones: [] };
    group.zones.push({ id, name });
    groups.set(key, group);
  }
  return groups.values();
}

function* recordsAmong(
  matches: readonly { readonly domainId: string; readonly record: DnsRecordState }[],
  zones: ReadonlyMap<string, FoundRecord['domain']>,
  isWanted: (match: { readonly record: DnsRecordState }) => boolean,
): CooperativeTask<FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const match of matches) {
    const domain = zones.get(match.domainId);
    if (domain && isWanted(match)) found.push({ domain, record: match.record });
    yield;
  }
  return found;
}

/** The databases compare with one word, and the longest leaves the fewest records. */
function longestOf(words: readonly string[]): string | undefined {
  return words.toSorted((one, other) => other.length - one.length)[0];
}
