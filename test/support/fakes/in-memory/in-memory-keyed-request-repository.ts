import type { KeyedRequestRepository } from '../../../../src/application/ports/access/keyed-request-repository';
import { KeyedRequest, type KeyedRequestState } from '../../../../src/domain/access/keyed-request';
import type { Tables } from './tables';

export class InMemoryKeyedRequestRepository implements KeyedRequestRepository {
  constructor(private readonly tables: Tables) {}

  async add(request: KeyedRequest): Promise<boolean> {
    if (this.tables.keyedRequests.has(placeOf(request.toState()))) return false;
    await this.save(request);
    return true;
  }

  async lock(accountId: string, key: string): Promise<KeyedRequest | undefined> {
    const state = this.tables.keyedRequests.get(placeOf({ accountId, key }));
    return state && KeyedRequest.restore(state);
  }

  async save(request: KeyedRequest): Promise<void> {
    this.tables.keyedRequests.set(placeOf(request.toState()), request.toState());
  }

  async extend(holders: readonly string[], heldUntil: Date): Promise<void> {
    this.change(({ holder }) => holder !== null && holders.includes(holder), { heldUntil });
  }

  async letGo(until: Date): Promise<void> {
    this.change(({ heldUntil }) => heldUntil !== null && heldUntil <= until, { holder: null, heldUntil: null });
  }

  private change(which: (state: KeyedRequestState) => boolean, part: Partial<KeyedRequestState>): void {
    for (const [place, state] of this.tables.keyedRequests)
      if (which(state)) this.tables.keyedRequests.set(place, { ...state, ...part });
  }
}

function placeOf({ accountId, key }: Pick<KeyedRequestState, 'accountId' | 'key'>): string {
  return `${accountId} ${key}`;
}
