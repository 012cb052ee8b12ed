import { Reauthenticate } from '../../../../src/application/access/sign-in/reauthenticate';
import type { Passwords } from '../../../../src/application/ports/access/authentication';
import type { User } from '../../../../src/domain/access/people/user';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { givenPerson, givenSession, PASSWORD } from '../../../support/use-cases/people';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('entering the password again', () => {
  let around: UseCaseContext;
  let person: User;
  let attempts: CountingRateLimiter;
  const enter = (password: string, passwords: Passwords = around.passwords, userId = person.id) =>
    new Reauthenticate(
      around.storage.users,
      around.storage,
      passwords,
      attempts,
      around.storage.factors,
      { execute: async () => {} },
      around.clock,
    ).execute({
      userId,
      sessionDigest: 'mine',
      password,
    });
  const authenticatedAt = (digest: string) => around.storage.tables.sessions.get(digest)?.authenticatedAt;

  beforeEach(async () => {
    around = new UseCaseContext();
    attempts = new CountingRateLimiter(2, around.clock);
    person = await givenPerson(around);
    for (const digest of ['mine', 'another browser']) await givenSession(around, person.id, digest);
  });

  it('is recorded in the session, and in no other', async () => {
    await enter(PASSWORD);

    expect([authenticatedAt('mine'), authenticatedAt('another browser')]).toEqual([around.clock.now(), null]);
  });

  it('is refused with a wrong password', async () => {
    await expect(enter('a guess')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'confirm_password' }],
    });

    expect(authenticatedAt('mine')).toBeNull();
  });

  it('is refused after too many attempts, also with the right password', async () => {
    for (const guess of ['one', 'two']) await expect(enter(guess)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });

    await expect(enter(PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });

    expect(authenticatedAt('mine')).toBeNull();
  });

  it('counts the attempts of a person, in whichever account', async () => {
    const { id } = await givenPerson(around, { personId: person.id, linked: true });
    await expect(enter('one')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(enter('two', around.passwords, id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });

    await expect(enter('three', around.passwords, id)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('is refused if the password is changed meanwhile', async () => {
    const overtaken: Passwords = {
      isWeak: () => false,
      matching: async () => [],
      hash: (text) => around.passwords.hash(text),
      matches: async (text, hash) => {
        await around.storage.run(async ({ users }) => {
          person.setPasswordHash('another hash', around.clock.now());
          await users.save(person);
        });
        return around.passwords.matches(text, hash);
      },
    };

    await expect(enter(PASSWORD, overtaken)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });

    expect(authenticatedAt('mine')).toBeNull();
  });
});
