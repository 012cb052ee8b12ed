import type {
  SessionReader,
  SessionRepository,
  StoredSession,
  SetupLinkReader,
  SetupLinkRepository,
  UserReader,
  UserRepository,
} from '../../../../../src/application/ports/access/users';
import type { SetupLink } from '../../../../../src/domain/access/people/setup-link';
import { actorText } from '../../../../../src/domain/access/actor';
import { User } from '../../../../../src/domain/access/people/user';
import { ValidationError } from '../../../../../src/domain/shared/validation-error';
import { InMemoryFactorRepository } from './in-memory-factors';
import { InMemoryIdentityRepository } from './in-memory-identities';
import { compareTexts, inOrder } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryUserReader implements UserReader {
  constructor(private readonly committed: () => Tables) {}

  async find(id: string): Promise<User | undefined> {
    const state = this.committed().users.get(id);
    return state && User.fromState(state);
  }

  async ofEmail(email: string): Promise<readonly User[]> {
    return inOrder([...this.committed().users.values()].filter((user) => user.email === email)).map((state) =>
      User.fromState(state),
    );
  }

  async ofAccount(accountId: string): Promise<readonly User[]> {
    return peopleOf(this.committed(), accountId);
  }

  async ofPerson(personId: string): Promise<readonly User[]> {
    return usersOfPerson(this.committed(), personId);
  }

  async lastUsed(personId: string): Promise<User | undefined> {
    const { enteredAt } = this.committed();
    const at = ({ id }: User): number => enteredAt.get(id)?.getTime() ?? 0;
    return (await this.ofPerson(personId)).toSorted((left, right) => at(right) - at(left))[0];
  }
}

export class InMemoryUserRepository implements UserRepository {
  constructor(private readonly tables: Tables) {}

  async lock(id: string): Promise<User | undefined> {
    const state = this.tables.users.get(id);
    return state && User.fromState(state);
  }

  async lockAll(accountId: string): Promise<readonly User[]> {
    return peopleOf(this.tables, accountId);
  }

  async lockPerson(personId: string): Promise<readonly User[]> {
    return usersOfPerson(this.tables, personId);
  }

  async add(user: User): Promise<void> {
    this.assertNewEmail(user);
    this.tables.users.set(user.id, user.toState());
  }

  async addFirst(user: User): Promise<void> {
    if ([...this.tables.users.values()].some(({ email }) => email === user.email))
      throw ValidationError.of('email', 'belongs to a person of the account already');
    await this.add(user);
  }

  async hashesOf(email: string): Promise<readonly string[]> {
    return inOrder([...this.tables.users.values()].filter((user) => user.email === email)).flatMap(
      ({ passwordHash }) => passwordHash ?? [],
    );
  }

  async save(user: User): Promise<void> {
    this.assertNewEmail(user);
    this.tables.users.set(user.id, user.toState());
  }

  private assertNewEmail(user: User): void {
    const { accountId } = user.toState();
    for (const other of this.tables.users.values())
      if (other.id !== user.id && other.email === user.email && other.accountId === accountId)
        throw ValidationError.of('email', 'belongs to a person of the account already');
  }

  async remove(user: User): Promise<void> {
    const { id } = user;
    const { personId } = user.toState();
    if (usersOfPerson(this.tables, personId).every((each) => each.id === id)) {
      await removeWaysToSignIn(this.tables, personId);
      this.tables.mailSettings.delete(personId);
    }
    for (const mail of this.tables.mails.values()) if (mail.userId === id) this.tables.mails.delete(mail.id);
    this.tables.users.delete(id);
    this.tables.setupLinks.delete(id);
    for (const [digest, { userId }] of this.tables.sessions) if (userId === id) this.tables.sessions.delete(digest);
  }
}

async function removeWaysToSignIn(tables: Tables, personId: string): Promise<void> {
  await new InMemoryFactorRepository(tables).removeAll(personId);
  await new InMemoryIdentityRepository(tables).removeAll(personId);
}

function usersOfPerson({ users }: Tables, personId: string): readonly User[] {
  return inOrder([...users.values()].filter((each) => each.personId === personId)).map((state) =>
    User.fromState(state),
  );
}

function idsOfPerson(tables: Tables, userId: string): readonly string[] {
  const { personId } = tables.users.get(userId) ?? {};
  return personId === undefined ? [userId] : usersOfPerson(tables, personId).map(({ id }) => id);
}

function peopleOf({ users }: Tables, accountId: string): readonly User[] {
  return inOrder([...users.values()].filter((user) => user.accountId === accountId)).map((state) =>
    User.fromState(state),
  );
}

export class InMemorySetupLinkReader implements SetupLinkReader {
  constructor(private readonly committed: () => Tables) {}

  async ofAccount(accountId: string): Promise<readonly SetupLink[]> {
    return inOrder(linksOf(this.committed(), accountId).map((link) => ({ ...link, id: link.userId }))).map(
      ({ id: _id, ...link }) => link,
    );
  }

  async find(tokenDigest: string): Promise<SetupLink | undefined> {
    return linkOf(this.committed(), tokenDigest);
  }
}

function linkOf({ setupLinks }: Tables, tokenDigest: string): SetupLink | undefined {
  return [...setupLinks.values()].find((each) => each.tokenDigest === tokenDigest);
}

function linksOf({ setupLinks, users }: Tables, accountId: string): readonly SetupLink[] {
  return [...setupLinks.values()].filter(({ userId }) => users.get(userId)?.accountId === accountId);
}

export class InMemorySetupLinkRepository implements SetupLinkRepository {
  constructor(private readonly tables: Tables) {}

  async put(link: SetupLink): Promise<void> {
    this.tables.setupLinks.set(link.userId, link);
  }

  async take(tokenDigest: string): Promise<SetupLink | undefined> {
    const link = linkOf(this.tables, tokenDigest);
    if (link) this.tables.setupLinks.delete(link.userId);
    return link;
  }

  async takeFor(userId: string): Promise<SetupLink | undefined> {
    const link = this.tables.setupLinks.get(userId);
    this.tables.setupLinks.delete(userId);
    return link;
  }

  async takeAllOf(user: User): Promise<readonly SetupLink[]> {
    const issuer = actorText({ kind: 'user', id: user.id });
    const links = linksOf(this.tables, user.toState().accountId).filter(
      ({ userId, issuedBy }) => userId === user.id || issuedBy === null || actorText(issuedBy) === issuer,
    );
    for (const { userId } of links) this.tables.setupLinks.delete(userId);
    return links;
  }
}

export class InMemorySessionReader implements SessionReader {
  constructor(private readonly committed: () => Tables) {}

  async find(digest: string): Promise<StoredSession | undefined> {
    return this.committed().sessions.get(digest);
  }

  async ofUser(userId: string): Promise<readonly StoredSession[]> {
    const ids = idsOfPerson(this.committed(), userId);
    const sessions = [...this.committed().sessions.values()].filter((session) => ids.includes(session.userId));
    return sessions.toSorted(
      (left, right) => right.lastSeenAt.getTime() - left.lastSeenAt.getTime() || compareTexts(left.id, right.id),
    );
  }

  async containing(text: string): Promise<readonly StoredSession[]> {
    return [...this.committed().sessions.values()].filter(({ data }) => data.includes(text));
  }
}

export class InMemorySessionRepository implements SessionRepository {
  constructor(private readonly tables: Tables) {}

  async add(session: StoredSession): Promise<void> {
    this.tables.sessions.set(session.digest, session);
    this.tables.enteredAt.set(session.userId, session.createdAt);
  }

  async saveData(digest: string, data: string): Promise<void> {
    this.change(digest, { data });
  }

  async recordSeen(digest: string, lastSeenAt: Date): Promise<void> {
    this.change(digest, { lastSeenAt });
  }

  async recordAuthentication(digest: string, authenticatedAt: Date): Promise<void> {
    this.change(digest, { authenticatedAt });
  }

  async recordSecondFactor(digest: string, secondFactorAt: Date): Promise<void> {
    this.change(digest, { secondFactorAt });
  }

  async end(digest: string): Promise<void> {
    this.tables.sessions.delete(digest);
  }

  async endOne(userId: string, id: string): Promise<boolean> {
    const ids = idsOfPerson(this.tables, userId);
    const found = [...this.tables.sessions.values()].find(
      (session) => session.id === id && ids.includes(session.userId),
    );
    return found !== undefined && this.tables.sessions.delete(found.digest);
  }

  async endOthers(userId: string, digest = ''): Promise<void> {
    const ids = idsOfPerson(this.tables, userId);
    this.removeWhere((session) => ids.includes(session.userId) && session.digest !== digest);
  }

  async endAt(userId: string): Promise<void> {
    this.removeWhere((session) => session.userId === userId);
  }

  async moveTo(digest: string, userId: string, at: Date): Promise<void> {
    this.change(digest, { userId });
    this.tables.enteredAt.set(userId, at);
  }

  private change(digest: string, part: Partial<StoredSession>): void {
    const session = this.tables.sessions.get(digest);
    if (session) this.tables.sessions.set(digest, { ...session, ...part });
  }

  private removeWhere(matches: (session: StoredSession) => boolean): void {
    for (const session of this.tables.sessions.values())
      if (matches(session)) this.tables.sessions.delete(session.digest);
  }
}
