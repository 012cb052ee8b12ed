import type { IdempotencyRecordRepository } from '../../../../../src/application/ports/access/idempotency-and-used-tokens';
import { IdempotencyRecord, type IdempotencyRecordState } from '../../../../../src/domain/access/idempotency-record';
import type { Tables } from '../tables';

export class InMemoryIdempotencyRecordRepository implements IdempotencyRecordRepository {
  constructor(private readonly tables: Tables) {}

  async add(request: IdempotencyRecord): Promise<boolean> {
    if (this.tables.idempotencyRecords.has(placeOf(request.toState()))) return false;
    await this.save(request);
    return true;
  }

  async lock(accountId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const state = this.tables.idempotencyRecords.get(placeOf({ accountId, key }));
    return state && IdempotencyRecord.fromState(state);
  }

  async save(request: IdempotencyRecord): Promise<void> {
    this.tables.idempotencyRecords.set(placeOf(request.toState()), request.toState());
  }

  async respond(
    { accountId, key, holder }: Parameters<IdempotencyRecordRepository['respond']>[0],
    response: string,
    { isFinal }: { readonly isFinal: boolean },
  ): Promise<boolean> {
    const place = placeOf({ accountId, key });
    const state = this.tables.idempotencyRecords.get(place);
    if (state?.holder !== holder) return false;
    const ended = isFinal ? { holder: null, heldUntil: null } : {};
    this.tables.idempotencyRecords.set(place, { ...state, response, ...ended });
    return true;
  }

  async extend(holders: readonly string[], heldUntil: Date): Promise<void> {
    this.change(({ holder }) => holder !== null && holders.includes(holder), { heldUntil });
  }

  async endLeases(until: Date): Promise<void> {
    this.change(({ heldUntil }) => heldUntil !== null && heldUntil <= until, { holder: null, heldUntil: null });
  }

  private change(which: (state: IdempotencyRecordState) => boolean, part: Partial<IdempotencyRecordState>): void {
    for (const [place, state] of this.tables.idempotencyRecords)
      if (which(state)) this.tables.idempotencyRecords.set(place, { ...state, ...part });
  }
}

function placeOf({ accountId, key }: Pick<IdempotencyRecordState, 'accountId' | 'key'>): string {
  return `${accountId} ${key}`;
}
