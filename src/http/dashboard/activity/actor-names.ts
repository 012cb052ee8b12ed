import { inject, injectable } from 'inversify';
import { ApiKeyReader } from '../../../application/ports/access/access-repositories';
import { UserReader } from '../../../application/ports/access/user-repository';
import { actorText, type Actor } from '../../../domain/access/actor';

/** Who each actor of an account is, by `actorText`. */
export type ActorNames = ReadonlyMap<string, string>;

/** Names people by their e-mail and keys by their name. Revoked keys are known; people who were removed are not. */
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
        `Key “${key.toState().name}”`,
      ]),
    ]);
  }
}

export function nameOf(actor: Actor, names: ActorNames): string {
  if (actor.kind === 'operator') return 'The operator';
  if (actor.kind === 'service') return 'Namewright';
  return (
    names.get(actorText(actor)) ?? (actor.kind === 'user' ? `Somebody removed since (${actor.id})` : `Key ${actor.id}`)
  );
}
