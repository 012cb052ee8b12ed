import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { assertActionAllowed, maySeeDomain, maySeeRecord } from '../../../domain/access/key-permissions';
import { NameTree, type NameNode, type RecordSetSize } from '../../../domain/dns/records/name-tree';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { RecordQueries, RecordReader } from '../../ports/dns/zone-queries';
import { readInTurn } from '../../shared/pages-of';

const SETS_AT_ONCE = 1_000;
/** A larger zone is shown in part. */
const MAX_SETS = 100_000;

export interface NamesOfZone {
  /** Undefined if the zone has no records there. */
  readonly node: NameNode | undefined;
  /** Whether all names were read. */
  readonly isComplete: boolean;
}

/** The names of a zone that have records, as a tree. @throws DomainNotFound, LimitedKey */
@injectable()
export class ReadNameTree {
  constructor(
    @inject(RecordReader) private readonly zones: Pick<RecordReader, 'findFor'>,
    @inject(RecordQueries) private readonly records: Pick<RecordQueries, 'sets'>,
  ) {}

  /** @param at a relative name: what is there and below */
  async execute({ accountId, actor }: Reader, domainId: string, at: string): Promise<NamesOfZone> {
    assertActionAllowed(actor, 'read');
    const zone = await this.zones.findFor(accountId, domainId);
    if (!zone || !maySeeDomain(actor, zone)) throw new DomainNotFound();
    const tree = new NameTree();
    let read = 0;
    let after: RecordSetSize | undefined;
    do {
      const from = after;
      const sets = await readInTurn(accountId, () => this.records.sets(domainId, SETS_AT_ONCE, from));
      for (const set of sets) if (maySeeRecord(actor, set)) tree.add(set);
      read += sets.length;
      after = sets.length < SETS_AT_ONCE ? undefined : sets.at(-1);
    } while (after && read < MAX_SETS);
    return { node: tree.at(at), isComplete: after === undefined };
  }
}
