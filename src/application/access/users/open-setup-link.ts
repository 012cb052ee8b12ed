import { inject, injectable } from '../../ports/inject';
import { SetupLinkInvalid } from '../../../domain/access/access-errors';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import { isOpen, isOwnReset, tokenDigest, type SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { FactorReader } from '../../ports/access/authentication';
import { SetupLinkReader, UserReader } from '../../ports/access/users';
import { Clock } from '../../ports/system';

export interface OpenedLink {
  readonly user: User;
  /** Whether the user's person has a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether the user's person has users in other accounts, whose passwords the link does not set. */
  readonly isShared: boolean;
  /** Of all users whose passwords it sets. */
  readonly accountIds: readonly string[];
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
    const link = assertOpens(await this.links.find(tokenDigest(token)), this.clock.now());
    const user = await this.users.find(link.userId);
    if (!user) throw new SetupLinkInvalid();
    const { accountId, personId } = user.toState();
    const others = (await this.users.ofPerson(personId)).filter(({ id }) => id !== user.id);
    const isOwn = isOwnReset(link, user, others);
    return {
      user,
      hasSecondFactor: hasSecondFactor(await this.factors.ofUser(personId)),
      isShared: others.length > 0 && !isOwn,
      accountIds: [accountId, ...(isOwn ? others.map((other) => other.toState().accountId) : [])],
    };
  }
}

/** @throws SetupLinkInvalid */
export function assertOpens(link: SetupLink | undefined, now: Date): SetupLink {
  if (!link || !isOpen(link, now)) throw new SetupLinkInvalid();
  return link;
}
