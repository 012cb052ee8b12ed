import { PlainPasswords } from '../../../support/fakes/plain-passwords';
import { givenAccount } from '../../../support/use-cases/credentials';
import { givenPerson, givenSession, PASSWORD } from '../../../support/use-cases/people';
import { asUser, BY_OPERATOR, PeopleScenario } from '../../../support/use-cases/people-scenario';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

let around: UseCaseContext;
let people: PeopleScenario;
const actions = () => around.auditEntries.map(({ action, subject }) => [action, subject]);

beforeEach(async () => {
  around = new UseCaseContext();
  people = new PeopleScenario(around);
  await givenAccount(around);
});

describe('setting a password by a link', () => {
  it('sets the password of the user of the link', async () => {
    const { user, token } = await people.invite();

    expect((await people.setPassword(token)).id).toBe(user.id);

    expect(await people.knows(user.id, PASSWORD)).toBe(true);
    expect(around.auditEntries.at(-1)).toMatchObject({
      actor: { kind: 'user', id: user.id },
      action: 'user.password_set',
      before: {},
      after: {},
    });
  });

  it('works once, also for many at once', async () => {
    const { user, token } = await people.invite();

    const outcomes = await Promise.allSettled([
      people.setPassword(token, 'the first of three'),
      people.setPassword(token, 'the second of three'),
      people.setPassword(token, 'the third of three'),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await people.knows(user.id, 'the first of three')).toBe(true);
  });

  it('works for three days', async () => {
    const [{ token }, late] = [await people.invite(), await people.invite({ email: 'late@example.com' })];

    around.clock.advance({ days: 3, ms: -1 });
    await people.setPassword(token);
    around.clock.advance({ ms: 1 });

    await expect(people.setPassword(late.token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
  });

  it('ends all sessions of the user, and no others', async () => {
    const [person, other] = [await givenPerson(around), await givenPerson(around)];
    for (const digest of ['one', 'two']) await givenSession(around, person.id, digest);
    await givenSession(around, other.id, 'three');
    const { token } = await people.issueLink(person.id);

    await people.setPassword(token);

    expect([...around.storage.tables.sessions.keys()]).toEqual(['three']);
  });

  it.each([
    ['short', 'eleven chrs'],
    ['longer than bcrypt reads', 'x'.repeat(73)],
    ['longer than bcrypt reads, in bytes', 'ü'.repeat(37)],
    ['weak', 'correct horse'],
    ['the e-mail', 'grace@example.com'],
  ])('refuses one that is %s, and the link stays valid', async (_what, password) => {
    const { token } = await people.invite();

    await expect(people.setPassword(token, password)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'password' }],
    });

    await people.setPassword(token);
  });

  it.each(['', 'never issued', 't'.repeat(43)])('refuses the token %j, which was never issued', async (token) => {
    await expect(people.setPassword(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
  });

  it('rejects the set-up link of a removed user', async () => {
    const { user, token } = await people.invite();
    await people.remove(user.id);

    await expect(people.setPassword(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
  });

  it('hashes no password for an invalid set-up token', async () => {
    const { token, link } = await people.invite();
    const hashed: string[] = [];
    const passwords = Object.assign(new PlainPasswords(), {
      hash: async (password: string) => `hash ${hashed.push(password)}`,
    });
    const attempt = (text: string) => people.setPassword(text, PASSWORD, passwords);

    await expect(attempt('made up')).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
    around.clock.advance({ ms: link.expiresAt.getTime() - around.clock.now().getTime() });
    await expect(attempt(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });

    expect(hashed).toEqual([]);
  });
});

describe('a new set-up link', () => {
  it('is valid, and replaces the earlier one', async () => {
    const { user, token } = await people.invite();

    const link = await people.issueLink(user.id);

    await expect(people.setPassword(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
    expect((await people.setPassword(link.token)).id).toBe(user.id);
  });

  it('keeps the password until the link is used', async () => {
    const { id } = await givenPerson(around);

    await people.issueLink(id);

    expect(await people.knows(id, PASSWORD)).toBe(true);
  });

  it('is recorded in the audit log, without the token', async () => {
    const { id, email } = await givenPerson(around);

    const { token } = await people.issueLink(id);

    expect(around.auditEntries).toMatchObject([{ ...OURS, action: 'user.link_issued', subject: email }]);
    expect(JSON.stringify(around.auditEntries)).not.toContain(token);
  });

  it('issues no set-up link for a user of another account or an unknown user', async () => {
    const { id } = await givenPerson(around);
    const before = around.storage.tables;

    await expect(people.issueLink(id, STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(people.issueLink('usr_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });

    expect(around.storage.tables).toEqual(before);
  });
});

describe('an open set-up link', () => {
  it('is revoked by a password change of the person that it is for', async () => {
    const person = await givenPerson(around);
    const { token } = await people.issueLink(person.id);

    await people.changePassword(person);

    expect(await people.opens(token)).toBe(false);
    expect(actions().at(-1)).toEqual(['user.link_revoked', person.email]);
  });

  it('is revoked by a password change of the owner who issued it', async () => {
    const [issuer, victim] = [await givenPerson(around), await givenPerson(around)];
    const { token } = await people.issueLink(victim.id, asUser(issuer));

    await people.changePassword(issuer);

    expect(await people.opens(token)).toBe(false);
  });

  it('is revoked by the removal of the owner who issued it, for existing people and for invited ones', async () => {
    const [leaving, victim] = [await givenPerson(around), await givenPerson(around)];
    const [toVictim, toInvited] = [
      await people.issueLink(victim.id, asUser(leaving)),
      await people.invite(asUser(leaving)),
    ];

    await people.remove(leaving.id, asUser(victim));

    expect([await people.opens(toVictim.token), await people.opens(toInvited.token)]).toEqual([false, false]);
    expect(await people.knows(victim.id, PASSWORD)).toBe(true);
    expect(actions()).toEqual(
      expect.arrayContaining([
        ['user.link_revoked', victim.email],
        ['user.link_revoked', 'grace@example.com'],
      ]),
    );
  });

  it.each(['for the person whose role changes', 'by the person whose role changes'])('%s is revoked', async (which) => {
    const [changed, other] = [await givenPerson(around), await givenPerson(around)];
    const { token } = which.startsWith('for')
      ? await people.issueLink(changed.id, asUser(other))
      : await people.issueLink(other.id, asUser(changed));

    await people.changeRole(changed.id, 'manager');

    expect(await people.opens(token)).toBe(false);
  });

  it('survives the removal of an owner if it is the operator’s', async () => {
    const [leaving, person] = [await givenPerson(around), await givenPerson(around)];
    const { token } = await people.issueLink(person.id, BY_OPERATOR);

    await people.remove(leaving.id, BY_OPERATOR);

    expect(await people.opens(token)).toBe(true);
  });

  it('is revoked once by an owner, and recorded', async () => {
    const { user, token } = await people.invite();

    await people.revokeLink(user.id);

    expect(await people.opens(token)).toBe(false);
    expect(around.auditEntries.at(-1)).toMatchObject({ ...OURS, action: 'user.link_revoked', subject: user.email });
    await expect(people.revokeLink(user.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(people.revokeLink(user.id, STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves no open link behind when an owner is removed while issuing one', async () => {
    const [leaving, victim] = [await givenPerson(around), await givenPerson(around)];

    const [issued] = await Promise.allSettled([
      people.issueLink(victim.id, asUser(leaving)),
      people.remove(leaving.id, asUser(victim)),
    ]);

    expect(issued.status === 'fulfilled' && (await people.opens(issued.value.token))).toBe(false);
  });

  it('is refused to a person who is no longer an owner', async () => {
    const [former, other] = [await givenPerson(around), await givenPerson(around)];
    await people.changeRole(former.id, 'manager');

    for (const attempt of [
      () => people.issueLink(other.id, asUser(former)),
      () => people.invite(asUser(former)),
      () => people.revokeLink(other.id, asUser(former)),
      () => people.remove(other.id, asUser(former)),
      () => people.changeRole(other.id, 'manager', asUser(former)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'ROLE_FORBIDS' });
    }
  });
});
