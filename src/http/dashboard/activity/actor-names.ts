import { inject, injectable } from 'inversify';
import { ApiKeyReader } from '../../../application/ports/access/access-repositories';
import { UserReader } from '../../../application/ports/access/user-repository';
import { actorText, type Actor } from '../../../domain/access/actor';

/** Display names of the actors of an account, by `actorText`. */
export type ActorNames = ReadonlyMap<string, string>;

/** Users are named by e-mail and API keys by name, also revoked ones. Removed users have no name. */
@injectable()
export class ActorDirectory {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
  ) {}

  async of(accountId: string): Promise<ActorNames> {
    const [users, keys] = await Promise.all([this.users.ofAccount(accountId), this.keys.ofAccount(accountId)]);
    return new Map([
      ...users.map((user): [string, string] => [actorText({ kind: 'user', id: user.id }), user.email]),
      ...keys.map((key): [string, string] => [
        actorText({ kind: 'key', id: key.toState().keyId }),
        `API key “${key.toState().name}”`,
      ]),
    ]);
  }
}

export function getActorName(actor: Actor, names: ActorNames): string {
  if (actor.kind === 'operator') return 'The operator';
  if (actor.kind === 'service') return 'Namewright';
  return names.get(actorText(actor)) ?? (actor.kind === 'user' ? `Removed user (${actor.id})` : `API key ${actor.id}`);
}
