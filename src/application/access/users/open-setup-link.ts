import { inject, injectable } from 'inversify';
import { SetupLinkInvalid } from '../../../domain/access/errors';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import { isOpen, tokenDigest, type SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system/clock';

export interface OpenedLink {
  readonly user: User;
  /** Whether the user's person has a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether the user's person has users in other accounts. */
  readonly isShared: boolean;
}

/** Reads a set-up link without using it. */
@injectable()
export class OpenSetupLink {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws SetupLinkInvalid if the link was used, revoked or has expired */
  async execute(token: string): Promise<OpenedLink> {
    return this.unitOfWork.run((stores) => openLink(stores, token, this.clock.now()));
  }
}

/** @throws SetupLinkInvalid if the link was used, revoked or has expired */
export async function openLink(
  { factors, setupLinks, users }: Pick<Stores, 'factors' | 'setupLinks' | 'users'>,
  token: string,
  now: Date,
): Promise<OpenedLink> {
  const user = await users.lock(assertOpens(await setupLinks.find(tokenDigest(token)), now).userId);
  if (!user) throw new SetupLinkInvalid();
  const { personId } = user.toState();
  return {
    user,
    hasSecondFactor: hasSecondFactor(await factors.ofUser(personId)),
    isShared: (await users.lockPerson(personId)).some(({ id }) => id !== user.id),
  };
}

/** @throws SetupLinkInvalid */
export function assertOpens(link: SetupLink | undefined, now: Date): SetupLink {
  if (!link || !isOpen(link, now)) throw new SetupLinkInvalid();
  return link;
}
