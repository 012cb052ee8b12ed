import { inject, injectable } from 'inversify';
import type { SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { IdentityReader } from '../../ports/access/identity-repository';
import { SetupLinkReader, UserReader } from '../../ports/access/user-repository';

export interface Team {
  readonly users: readonly User[];
  readonly links: readonly SetupLink[];
  /** The ids of users who sign in with a provider. */
  readonly withProvider: ReadonlySet<string>;
}

/** The users of an account. */
@injectable()
export class ReadTeam {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(SetupLinkReader) private readonly links: SetupLinkReader,
    @inject(IdentityReader) private readonly identities: IdentityReader,
  ) {}

  async execute(accountId: string): Promise<Team> {
    const [users, links] = await Promise.all([this.users.ofAccount(accountId), this.links.ofAccount(accountId)]);
    const identities = await this.identities.ofPeople(users.map((user) => user.toState().personId));
    const people = new Set(identities.map(({ personId }) => personId));
    const withProvider = new Set(users.filter((user) => people.has(user.toState().personId)).map(({ id }) => id));
    return { users, links, withProvider };
  }
}
