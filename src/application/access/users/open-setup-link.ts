import { inject, injectable } from '../../ports/inject';
import { SetupLinkInvalid } from '../../../domain/access/access-errors';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import { isOpen, tokenDigest, type SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { FactorReader } from '../../ports/access/authentication-factors';
import { SetupLinkReader, UserReader } from '../../ports/access/users';
import { Clock } from '../../ports/system';

export interface OpenedLink {
  readonly user: User;
  /** Whether the user's person has a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether the user's person has users in other accounts. */
  readonly isShared: boolean;
}

/** Reads a set-up link without using it, and without locks, because strangers can ask for it. */
@injectable()
export class OpenSetupLink {
  constructor(
    @inject(SetupLinkReader) private readonly links: Pick<SetupLinkReader, 'find'>,
    @inject(UserReader) private readonly users: UserReader,
    @inject(FactorReader) private readonly factors: Pick<FactorReader, 'ofUser'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws SetupLinkInvalid if the link was used, revoked or has expired */
  async execute(token: string): Promise<OpenedLink> {
    const { userId } = assertOpens(await this.links.find(tokenDigest(token)), this.clock.now());
    const user = await this.users.find(userId);
    if (!user) throw new SetupLinkInvalid();
    const { personId } = user.toState();
    return {
      user,
      hasSecondFactor: hasSecondFactor(await this.factors.ofUser(personId)),
      isShared: (await this.users.ofPerson(personId)).some(({ id }) => id !== user.id),
    };
  }
}

/** @throws SetupLinkInvalid */
export function assertOpens(link: SetupLink | undefined, now: Date): SetupLink {
  if (!link || !isOpen(link, now)) throw new SetupLinkInvalid();
  return link;
}
