import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import type { ApiKey, ApiKeyStatus } from '../../../domain/access/api-key';
import { InvalidApiKey } from '../../../domain/access/access-errors';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';
import type { ListPosition } from '../../ports/storage/page';
import { Clock } from '../../ports/system';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';

/** A key with its status at the time of the list. */
export interface ListedKey {
  readonly key: ApiKey;
  readonly status: ApiKeyStatus;
}

interface ListApiKeysCommand extends Reader {
  /** Only keys that are active, or only those that are not. */
  readonly active?: boolean | undefined;
  readonly limit: number;
  readonly after?: ListPosition | undefined;
}

/** The keys of an account, newest first: those that the requesting key could have issued. @throws InvalidApiKey, LimitedKey */
@injectable()
export class ListApiKeys {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** A page of a limited key may be short; `last` tells whether another one follows. */
  async execute({
    accountId,
    actor,
    active,
    limit,
    after,
  }: ListApiKeysCommand): Promise<{ readonly items: readonly ListedKey[]; readonly last: ListPosition | undefined }> {
    assertActionAllowed(actor, 'settings');
    const own = actor.kind === 'key' ? await this.keys.find(actor.id) : undefined;
    if (actor.kind === 'key' && !own) throw new InvalidApiKey();
    const now = this.clock.now();
    const filter = active === undefined ? {} : { [active ? 'activeAt' : 'inactiveAt']: now };
    const found = await this.keys.page(accountId, filter, limit + 1, after);
    const page = found.slice(0, limit);
    const items = await runCooperatively(manageable(page, own, now), accountId);
    const last = found.length > limit ? page.at(-1)?.toState() : undefined;
    return { items, last: last && { createdAt: last.createdAt, id: last.keyId } };
  }
}

function* manageable(keys: readonly ApiKey[], own: ApiKey | undefined, now: Date): CooperativeTask<ListedKey[]> {
  const listed: ListedKey[] = [];
  for (const key of keys) {
    if (!own || own.manages(key)) listed.push({ key, status: key.status(now) });
    yield;
  }
  return listed;
}
