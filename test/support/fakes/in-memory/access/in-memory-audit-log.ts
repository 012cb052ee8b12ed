import type {
  AuditFilter,
  AuditFinds,
  AuditLog,
  AuditReader,
  AuditSearch,
} from '../../../../../src/application/ports/access/audit-and-events';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import type { IdGenerator } from '../../../../../src/application/ports/system';
import { eventOfFact } from '../../../../../src/application/audit/event-of-fact';
import { recordTypesOf } from '../../../../../src/application/audit/record-lines';
import { actorText, addressOf, parseActor } from '../../../../../src/domain/access/actor';
import type { AuditEntry, AuditFact } from '../../../../../src/domain/access/audit-entry';
import { InMemoryEventLog } from './in-memory-events';
import { compareInTime, inOrder } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryAuditReader implements AuditReader {
  constructor(private readonly committed: () => Tables) {}

  async page(
    accountId: string,
    filter: AuditFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly AuditEntry[]> {
    const matching = [...this.committed().audit.values()].filter(
      (entry) => entry.accountId === accountId && matches(entry, filter) && this.isTagged(entry, filter),
    );
    const newestFirst = inOrder(matching.map((entry) => ({ entry, id: entry.id, createdAt: entry.at }))).toReversed();
    const older = after ? newestFirst.filter((place) => compareInTime(place, after) < 0) : newestFirst;
    return older.slice(0, limit).map(({ entry }) => entry);
  }

  async search(
    accountId: string,
    { domainNames, actions, recordType, ...filter }: AuditSearch,
    limit: number,
    after?: ListPosition,
  ): Promise<AuditFinds> {
    const all = await this.page(accountId, filter, Number.MAX_SAFE_INTEGER, after);
    const found = all.filter(
      (entry) =>
        (domainNames?.includes(entry.domain?.name ?? '') ?? true) &&
        (actions?.includes(entry.action) ?? true) &&
        (recordType === undefined || recordTypesOf(entry).includes(recordType)),
    );
    const entries = found.slice(0, limit);
    const last = found.length > limit ? entries.at(-1) : undefined;
    return { entries, searchedTo: last && { createdAt: last.at, id: last.id } };
  }

  private isTagged({ domain }: AuditEntry, { tags }: AuditFilter): boolean {
    const own = (domain && this.committed().domains.get(domain.id)?.tags) ?? [];
    return tags?.some((tag) => own.includes(tag)) ?? true;
  }
}

function matches(entry: AuditEntry, { domainId, domainName, actor, action, since, before }: AuditFilter): boolean {
  return (
    isOrAny(domainId, entry.domain?.id) &&
    isOrAny(domainName, entry.domain?.name) &&
    isOrAny(actor, actorText(entry.actor)) &&
    isOrAny(action, entry.action) &&
    (since === undefined || entry.at >= since) &&
    (before === undefined || entry.at < before)
  );
}

function isOrAny(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}

export class InMemoryAuditLog implements AuditLog {
  constructor(
    private readonly tables: Tables,
    private readonly ids: IdGenerator,
  ) {}

  async append(...facts: readonly AuditFact[]): Promise<void> {
    await new InMemoryEventLog(this.tables).append(...facts.flatMap((fact) => eventOfFact(fact) ?? []));
    for (const { eventData: _eventData, ...fact } of facts) {
      const id = this.ids.next('evt');
      const clientAddress = addressOf(fact.actor);
      const entry = { ...fact, id };
      this.tables.audit.set(
        id,
        clientAddress === undefined ? entry : { ...entry, actor: parseActor(actorText(fact.actor)), clientAddress },
      );
    }
  }
}
