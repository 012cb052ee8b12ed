import { inject, injectable } from '../../ports/inject';
import { actorText, type Actor } from '../../../domain/access/actor';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';

/** Keys that keys made. */
const MAX_CREATORS = 20;

/** Who is behind what keys do. */
@injectable()
export class People {
  constructor(@inject(ApiKeyReader) private readonly keys: Pick<ApiKeyReader, 'find'>) {}

  /** Whether one person is behind both: the user, or who made the key, or the key that made it. */
  async areSame(one: Actor, other: Actor): Promise<boolean> {
    const [first, second] = await Promise.all([this.behind(one), this.behind(other)]);
    return first === second;
  }

  private async behind(actor: Actor): Promise<string> {
    let known = actor;
    for (let hops = 0; known.kind === 'key' && hops < MAX_CREATORS; hops += 1) {
      const creator: Actor | null | undefined = (await this.keys.find(known.id))?.toState().createdBy;
      if (!creator || creator.kind === 'operator' || creator.kind === 'service') break;
      known = creator;
    }
    return actorText(known);
  }
}
