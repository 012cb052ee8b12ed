import { inject, injectable } from '../../ports/inject';
import { mayShareDomains } from '../../../domain/access/people/role';
import type { SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { FactorReader } from '../../ports/access/authentication';
import { IdentityReader, SetupLinkReader, UserReader } from '../../ports/access/users';

export interface Team {
  readonly users: readonly User[];
  readonly links: readonly SetupLink[];
  /** The ids of users with a password, a passkey or a linked provider; the others are invited. */
  readonly active: ReadonlySet<string>;
}

/** The users of an account. To people who are limited to tags: those who may have domains of theirs. */
@injectable()
export class ReadTeam {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(SetupLinkReader) private readonly links: SetupLinkReader,
    @inject(IdentityReader) private readonly identities: IdentityReader,
    @inject(FactorReader) private readonly factors: Pick<FactorReader, 'ofUser'>,
  ) {}

  async execute(accountId: string, readerTags: readonly string[] | null = null): Promise<Team> {
    const [all, links] = await Promise.all([this.users.ofAccount(accountId), this.links.ofAccount(accountId)]);
    const users = all.filter((user) => mayShareDomains(readerTags, user.toState().tags));
    const states = users.map((user) => user.toState());
    const linked = new Set(
      (await this.identities.ofPersons(states.map((each) => each.personId))).map((each) => each.personId),
    );
    const active = new Set<string>();
    for (const { id, personId, passwordHash } of states)
      if (passwordHash !== null || linked.has(personId) || (await this.factors.ofUser(personId)).passkeys.length > 0)
        active.add(id);
    return { users, links, active };
  }
}
