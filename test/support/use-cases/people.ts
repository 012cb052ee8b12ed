import type { StoredSession } from '../../../src/application/ports/access/users';
import { User, type UserState } from '../../../src/domain/access/people/user';
import { OURS, type UseCaseContext } from './use-case-context';

export const PASSWORD = 'tea at half past four';

/** A person of our account who signs in with `PASSWORD`. */
export async function givenPerson(
  { storage, ids, passwords, clock }: UseCaseContext,
  overrides: Partial<UserState> = {},
): Promise<User> {
  const id = ids.next('usr');
  const passwordHash = await passwords.hash(PASSWORD);
  const now = clock.now();
  const user = User.fromState({
    id,
    accountId: OURS.accountId,
    email: `${id}@example.com`,
    role: 'owner',
    tags: null,
    personId: overrides.id ?? id,
    linked: false,
    passwordHash,
    createdAt: now,
    updatedAt: now,
    ...overrides,
  });
  await storage.run(({ users }) => users.add(user));
  return user;
}

/** A session of that person, by its digest. */
export async function givenSession({ storage, clock }: UseCaseContext, userId: string, digest: string): Promise<void> {
  const now = clock.now();
  const session: StoredSession = {
    digest,
    id: `ses_${digest}`,
    userId,
    clientAddress: '192.0.2.1',
    userAgent: 'a browser',
    data: '{}',
    createdAt: now,
    lastSeenAt: now,
    authenticatedAt: null,
    secondFactorAt: null,
  };
  await storage.run(({ sessions }) => sessions.add(session));
}
