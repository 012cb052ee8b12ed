import { groupedBy } from '../shared/grouped-by';
import { actorText, type Actor } from './actor';
import { actorOfKey, type ApiKey } from './api-key';

/**
 * The keys that `creator` created, the keys that were created with these, and so on: who knows the secret of a key may know
 * those of the keys that it created. A revoked key leads to the keys that it created, so `keys` has all keys of the account.
 */
export function keysCreatedBy(creator: Actor, keys: readonly ApiKey[]): readonly ApiKey[] {
  const keysOf = groupedBy(keys, creatorText);
  const creators = new Set([actorText(creator)]);
  // The loop reaches the creators that it adds.
  for (const each of creators)
    for (const key of keysOf.get(each) ?? []) creators.add(actorText(actorOfKey(key.toState())));
  return keys.filter((key) => creators.has(creatorText(key)));
}

function creatorText(key: ApiKey): string {
  const { createdBy } = key.toState();
  return createdBy ? actorText(createdBy) : '';
}
