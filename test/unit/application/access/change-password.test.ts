import { ChangePassword } from '../../../../src/application/access/sign-in/change-password';
import type { Passwords } from '../../../../src/application/ports/access/authentication';
import type { User } from '../../../../src/domain/access/people/user';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { givenPerson, givenSession, PASSWORD } from '../../../support/use-cases/people';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const NEXT = 'coffee at a quarter to';

describe('changing a password', () => {
  let around: UseCaseContext;
  let person: User;
  let attempts: CountingRateLimiter;
  const change = (currentPassword: string, newPassword = NEXT, userId = person.id) =>
    new ChangePassword(around.storage.users, around.storage, around.passwords, attempts, around.clock).execute({
      userId,
      currentPassword,
      newPassword,
      keepSession: 'mine',
    });
  const hash = () => around.storage.tables.users.get(person.id)?.passwordHash ?? null;

  beforeEach(async () => {
    around = new UseCaseContext();
    attempts = new CountingRateLimiter(3, around.clock);
    person = await givenPerson(around);
    for (const digest of ['mine', 'another browser']) await givenSession(around, person.id, digest);
  });

  it('accepts the new password and no longer the old one', async () => {
    await change(PASSWORD);

    expect([await around.passwords.matches(NEXT, hash()), await around.passwords.matches(PASSWORD, hash())]).toEqual([
      true,
      false,
    ]);
  });

  it('ends all sessions except the current one', async () => {
    await change(PASSWORD);

    expect([...around.storage.tables.sessions.keys()]).toEqual(['mine']);
  });

  it('is recorded in the audit log, without the old or the new password', async () => {
    await change(PASSWORD);

    expect(around.auditEntries).toMatchObject([
      {
        actor: { kind: 'user', id: person.id },
        action: 'user.password_set',
        subject: person.email,
        before: {},
        after: {},
      },
    ]);
  });

  it.each([
    ['without the present one', '', NEXT, 'current_password'],
    ['with a wrong present one', 'a wrong password', NEXT, 'current_password'],
    ['to a short one', PASSWORD, 'short', 'new_password'],
    ['to one that is longer than bcrypt reads', PASSWORD, 'x'.repeat(73), 'new_password'],
    ['to a weak one', PASSWORD, 'correct horse', 'new_password'],
    ['to their e-mail', PASSWORD, 'usr_000001@example.com', 'new_password'],
  ])('%s is refused, and changes nothing', async (_which, current, next, field) => {
    const before = around.storage.tables;

    await expect(change(current, next)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: field }] });

    expect(around.storage.tables).toEqual(before);
  });

  it('rejects a password that was changed after it was verified', async () => {
    const { passwords, storage, clock } = around;
    const resetHash = await passwords.hash('set by a link meanwhile');
    const overtaken: Passwords = {
      isWeak: (text, personal) => passwords.isWeak(text, personal),
      matching: (text, hashes) => passwords.matching(text, hashes),
      hash: (text) => passwords.hash(text),
      matches: async (text, known) => {
        await storage.run(async ({ users }) => {
          const user = await users.lock(person.id);
          user?.setPasswordHash(resetHash, clock.now());
          if (user) await users.save(user);
        });
        return passwords.matches(text, known);
      },
    };
    const changing = new ChangePassword(storage.users, storage, overtaken, attempts, clock).execute({
      userId: person.id,
      currentPassword: PASSWORD,
      newPassword: NEXT,
      keepSession: 'mine',
    });

    await expect(changing).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'current_password' }] });

    expect(hash()).toBe(resetHash);
  });

  it('is refused for a while after too many attempts, also with the right password', async () => {
    for (const guess of ['one', 'two', 'three'])
      await expect(change(guess)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const before = around.storage.tables;

    await expect(change(PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });

    expect(around.storage.tables).toEqual(before);
  });

  it('rejects a user who was removed', async () => {
    await expect(change(PASSWORD, NEXT, 'usr_unknown')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
