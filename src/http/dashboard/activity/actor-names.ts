import { inject, injectable } from '../../../application/ports/inject';
import { ApiKeyReader } from '../../../application/ports/access/accounts-and-api-keys';
import { UserReader } from '../../../application/ports/access/users';
import { actorText, type Actor, type Requester } from '../../../domain/access/actor';
import type { KeyLimits } from '../../../domain/access/key-limits';
import { limitsOf } from '../../../domain/access/key-permissions';
import { mayShareDomains } from '../../../domain/access/people/role';

/** Display names of the actors of an account, by `actorText`. */
export type ActorNames = ReadonlyMap<string, string>;

/**
 * Users are named by e-mail and API keys by name, also revoked ones. Removed users have no name, and neither have, for people who
 * are limited to tags, users and keys that cannot have domains of theirs.
 */
@injectable()
export class ActorDirectory {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
  ) {}

  async of({ accountId, actor }: Requester): Promise<ActorNames> {
    const [users, keys] = await Promise.all([this.users.ofAccount(accountId), this.keys.ofAccount(accountId)]);
    const readerTags = limitsOf(actor)?.tags ?? null;
    const people = users.map((user) => user.toState()).filter(({ tags }) => mayShareDomains(readerTags, tags));
    const named = keys.map((key) => key.toState()).filter(({ limits }) => mayShareDomains(readerTags, tagsOf(limits)));
    return new Map([
      ...people.map(({ id, email }): [string, string] => [actorText({ kind: 'user', id }), email]),
      ...named.map(({ keyId, name }): [string, string] => [actorText({ kind: 'key', id: keyId }), `API key “${name}”`]),
    ]);
  }
}

/** A key for some names is not named to people who are limited to tags: the names may be those of others. */
function tagsOf(limits: KeyLimits | null): readonly string[] | null {
  return limits?.tags ?? (limits?.domains ? [] : null);
}

export function getActorName(actor: Actor, names: ActorNames): string {
  if (actor.kind === 'operator') return 'The operator';
  if (actor.kind === 'service') return 'Namewright';
  return names.get(actorText(actor)) ?? (actor.kind === 'user' ? `Former user (${actor.id})` : `API key ${actor.id}`);
}
