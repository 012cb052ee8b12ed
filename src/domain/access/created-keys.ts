import type { Task } from '../shared/sorted';
import { actorText, type Actor } from './actor';
import { actorOfKey, type ApiKey } from './api-key';

/**
 * The keys that `creator` created, the keys that were created with these, and so on: who knows the secret of a key may know
 * those of the keys that it created. A revoked key leads to the keys that it created, so `keys` has all keys of the account.
 */
export function* keysCreatedBy(creator: Actor, keys: readonly ApiKey[]): Task<readonly ApiKey[]> {
  const keysOf = new Map<string, ApiKey[]>();
  for (const key of keys) {
    yield;
    const { createdBy } = key.toState();
    if (!createdBy) continue;
    const others = keysOf.get(actorText(createdBy));
    if (others) others.push(key);
    else keysOf.set(actorText(createdBy), [key]);
  }
  const found = new Set<ApiKey>();
  const creators = new Set([actorText(creator)]);
  // The loop reaches the creators that it adds.
  for (const each of creators)
    for (const key of keysOf.get(each) ?? []) {
      yield;
      found.add(key);
      creators.add(actorText(actorOfKey(key.toState())));
    }
  return keys.filter((key) => found.has(key));
}
