import { InviteUser } from '../../../../src/application/access/users/invite-user';
import { IssueSetupLink } from '../../../../src/application/access/users/issue-setup-link';
import { OpenSetupLink } from '../../../../src/application/access/users/open-setup-link';
import { RemoveUser } from '../../../../src/application/access/users/remove-user';
import { SetPassword } from '../../../../src/application/access/users/set-password';
import { ChangePassword } from '../../../../src/application/access/sign-in/change-password';
import { ChangeRole } from '../../../../src/application/access/users/change-role';
import { RevokeSetupLink } from '../../../../src/application/access/users/revoke-setup-link';
import type { Passwords } from '../../../../src/application/ports/access/passwords';
import { OPERATOR, type Requester } from '../../../../src/domain/access/actor';
import type { Role } from '../../../../src/domain/access/people/role';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { PlainPasswords } from '../../../support/fakes/plain-passwords';
import { givenAccount, issueApiKey } from '../../../support/use-cases/credentials';
import { givenPerson, givenSession, PASSWORD } from '../../../support/use-cases/people';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const INVITATION = { ...OURS, email: 'Grace@Example.com', role: 'manager' } as const;

/** No person of these tests has a second factor. */
const NO_FACTOR = { execute: () => Promise.reject(new Error('was asked for a second factor')) };

let around: UseCaseContext;
const invite = (rest: Partial<Requester & { email: string; role: Role }> = {}) =>
  new InviteUser(around.storage, around.ids, around.tokens, around.clock).execute({ ...INVITATION, ...rest });
const setPasswordWith = ({ storage, ids, clock }: UseCaseContext, passwords: Passwords) => {
  const openLink = new OpenSetupLink(storage.setupLinks, storage.users, storage.factors, clock);
  return new SetPassword(storage, passwords, NO_FACTOR, openLink, ids, clock);
};
const setPassword = (token: string, password = PASSWORD) =>
  setPasswordWith(around, around.passwords).execute({ token, password });
const issueLink = (userId: string, { accountId, actor } = OURS) =>
  new IssueSetupLink(around.storage, around.tokens, around.clock).execute({ accountId, actor, userId });
const remove = (userId: string, { accountId, actor } = OURS, revokeKeys = false) =>
  new RemoveUser(around.storage, around.clock).execute({ accountId, actor, userId, revokeKeys });
const changeRole = (userId: string, role: Role, { accountId, actor } = BY_OPERATOR, tags?: readonly string[]) =>
  new ChangeRole(around.storage, around.clock).execute({ accountId, actor, userId, role, tags });
const revokeLink = (userId: string, { accountId, actor } = OURS) =>
  new RevokeSetupLink(around.storage, around.clock).execute({ accountId, actor, userId });
const changePassword = ({ id }: { id: string }) =>
  new ChangePassword(
    around.storage.users,
    around.storage,
    around.passwords,
    new CountingRateLimiter(99, around.clock),
    around.clock,
  ).execute({ userId: id, currentPassword: PASSWORD, newPassword: 'coffee at a quarter to', keepSession: '' });
const opens = async (token: string) =>
  setPassword(token).then(
    () => true,
    () => false,
  );
const actions = () => around.auditEntries.map(({ action, subject }) => [action, subject]);
const BY_OPERATOR: Requester = { ...OURS, actor: OPERATOR };
const asUser = ({ id }: { id: string }) => ({ ...OURS, actor: { kind: 'user', id } as const });
const knows = async (userId: string, password: string) =>
  around.passwords.matches(password, (await around.storage.users.find(userId))?.toState().passwordHash ?? null);

beforeEach(async () => {
  around = new UseCaseContext();
  await givenAccount(around);
});

describe('InviteUser', () => {
  it('adds the user to the account with a lower-case e-mail and without a password', async () => {
    const { user } = await invite();

    const now = around.clock.now();
    const expected = {
      id: user.id,
      accountId: OURS.accountId,
      email: 'grace@example.com',
      role: 'manager',
      tags: null,
      linked: false,
      personId: user.id,
      passwordHash: null,
      createdAt: now,
      updatedAt: now,
    };
    expect((await around.storage.users.find(user.id))?.toState()).toEqual(expected);
  });

  it('returns the token of a link, which is not stored', async () => {
    const { token } = await invite();

    const everything = JSON.stringify([
      ...around.storage.tables.setupLinks.values(),
      ...around.storage.tables.users.values(),
      ...around.auditEntries,
    ]);
    expect(token).toHaveLength(43);
    expect(everything).not.toContain(token);
  });

  it('records who invited whom, and the role', async () => {
    await invite();

    expect(around.auditEntries).toMatchObject([
      { ...OURS, action: 'user.invited', subject: 'grace@example.com', before: {}, after: { role: 'manager' } },
    ]);
  });

  it.each([
    ['to an account that is not known', { accountId: 'acc_unknown' }, 'account'],
    ['by what is no e-mail', { email: 'grace' }, 'email'],
    ['by an e-mail that a person of the account has', { email: 'TAKEN@example.com' }, 'email'],
  ])('%s is refused, and leaves nothing behind', async (_which, rest, field) => {
    await givenPerson(around, { email: 'taken@example.com' });
    const before = around.storage.tables;

    await expect(invite(rest)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: field }] });

    expect(around.storage.tables).toEqual(before);
  });
});

describe('inviting an e-mail that a person of another account has', () => {
  it('is like inviting any other, and leaves that person alone', async () => {
    const other = await givenPerson(around, { email: 'taken@example.com', accountId: STRANGER.accountId });

    const { user, token } = await invite({ email: 'taken@example.com' });
    await setPassword(token, 'coffee at a quarter to');

    expect(user.toState()).toMatchObject({ accountId: OURS.accountId, email: 'taken@example.com' });
    expect(await knows(other.id, PASSWORD)).toBe(true);
    expect(await knows(user.id, 'coffee at a quarter to')).toBe(true);
  });
});

describe('setting a password by a link', () => {
  it('sets the password of the user of the link', async () => {
    const { user, token } = await invite();

    expect((await setPassword(token)).id).toBe(user.id);

    expect(await knows(user.id, PASSWORD)).toBe(true);
    expect(around.auditEntries.at(-1)).toMatchObject({
      actor: { kind: 'user', id: user.id },
      action: 'user.password_set',
      before: {},
      after: {},
    });
  });

  it('works once, also for many at once', async () => {
    const { user, token } = await invite();

    const outcomes = await Promise.allSettled([
      setPassword(token, 'the first of three'),
      setPassword(token, 'the second of three'),
      setPassword(token, 'the third of three'),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await knows(user.id, 'the first of three')).toBe(true);
  });

  it('works for three days', async () => {
    const [{ token }, late] = [await invite(), await invite({ email: 'late@example.com' })];

    around.clock.advance({ days: 3, ms: -1 });
    await setPassword(token);
    around.clock.advance({ ms: 1 });

    await expect(setPassword(late.token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
  });

  it('ends all sessions of the user, and no others', async () => {
    const [person, other] = [await givenPerson(around), await givenPerson(around)];
    for (const digest of ['one', 'two']) await givenSession(around, person.id, digest);
    await givenSession(around, other.id, 'three');
    const { token } = await issueLink(person.id);

    await setPassword(token);

    expect([...around.storage.tables.sessions.keys()]).toEqual(['three']);
  });

  it.each([
    ['short', 'eleven chrs'],
    ['longer than bcrypt reads', 'x'.repeat(73)],
    ['longer than bcrypt reads, in bytes', 'ü'.repeat(37)],
    ['weak', 'correct horse'],
    ['the e-mail', 'grace@example.com'],
  ])('refuses one that is %s, and the link stays good', async (_what, password) => {
    const { token } = await invite();

    await expect(setPassword(token, password)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'password' }],
    });

    await setPassword(token);
  });

  it.each(['', 'never issued', 't'.repeat(43)])('refuses the token %j, which was never issued', async (token) => {
    await expect(setPassword(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
  });

  it('rejects the set-up link of a removed user', async () => {
    const { user, token } = await invite();
    await remove(user.id);

    await expect(setPassword(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
  });

  it('hashes no password for an invalid set-up token', async () => {
    const { token, link } = await invite();
    const hashed: string[] = [];
    const passwords = Object.assign(new PlainPasswords(), {
      hash: async (password: string) => `hash ${hashed.push(password)}`,
    });
    const useCase = setPasswordWith(around, passwords);
    const attempt = (text: string) => useCase.execute({ token: text, password: PASSWORD });

    await expect(attempt('made up')).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
    around.clock.advance({ ms: link.expiresAt.getTime() - around.clock.now().getTime() });
    await expect(attempt(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });

    expect(hashed).toEqual([]);
  });
});

describe('a new set-up link', () => {
  it('is valid, and the earlier one is not any more', async () => {
    const { user, token } = await invite();

    const link = await issueLink(user.id);

    await expect(setPassword(token)).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
    expect((await setPassword(link.token)).id).toBe(user.id);
  });

  it('keeps the password until the link is used', async () => {
    const { id } = await givenPerson(around);

    await issueLink(id);

    expect(await knows(id, PASSWORD)).toBe(true);
  });

  it('is recorded in the audit log, without the token', async () => {
    const { id, email } = await givenPerson(around);

    const { token } = await issueLink(id);

    expect(around.auditEntries).toMatchObject([{ ...OURS, action: 'user.link_issued', subject: email }]);
    expect(JSON.stringify(around.auditEntries)).not.toContain(token);
  });

  it('issues no set-up link for a user of another account or an unknown user', async () => {
    const { id } = await givenPerson(around);
    const before = around.storage.tables;

    await expect(issueLink(id, STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(issueLink('usr_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });

    expect(around.storage.tables).toEqual(before);
  });
});

describe('an open set-up link', () => {
  it('is revoked by a password change of the person that it is for', async () => {
    const person = await givenPerson(around);
    const { token } = await issueLink(person.id);

    await changePassword(person);

    expect(await opens(token)).toBe(false);
    expect(actions().at(-1)).toEqual(['user.link_revoked', person.email]);
  });

  it('is revoked by a password change of the owner who issued it', async () => {
    const [issuer, victim] = [await givenPerson(around), await givenPerson(around)];
    const { token } = await issueLink(victim.id, asUser(issuer));

    await changePassword(issuer);

    expect(await opens(token)).toBe(false);
  });

  it('is revoked by the removal of the owner who issued it, for existing people and for invited ones', async () => {
    const [leaving, victim] = [await givenPerson(around), await givenPerson(around)];
    const [toVictim, toInvited] = [await issueLink(victim.id, asUser(leaving)), await invite(asUser(leaving))];

    await remove(leaving.id, asUser(victim));

    expect([await opens(toVictim.token), await opens(toInvited.token)]).toEqual([false, false]);
    expect(await knows(victim.id, PASSWORD)).toBe(true);
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
      ? await issueLink(changed.id, asUser(other))
      : await issueLink(other.id, asUser(changed));

    await changeRole(changed.id, 'manager');

    expect(await opens(token)).toBe(false);
  });

  it('of the operator survives the removal of an owner', async () => {
    const [leaving, person] = [await givenPerson(around), await givenPerson(around)];
    const { token } = await issueLink(person.id, BY_OPERATOR);

    await remove(leaving.id, BY_OPERATOR);

    expect(await opens(token)).toBe(true);
  });

  it('is revoked once by an owner, and recorded', async () => {
    const { user, token } = await invite();

    await revokeLink(user.id);

    expect(await opens(token)).toBe(false);
    expect(around.auditEntries.at(-1)).toMatchObject({ ...OURS, action: 'user.link_revoked', subject: user.email });
    await expect(revokeLink(user.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(revokeLink(user.id, STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves no open link behind when an owner is removed while issuing one', async () => {
    const [leaving, victim] = [await givenPerson(around), await givenPerson(around)];

    const [issued] = await Promise.allSettled([
      issueLink(victim.id, asUser(leaving)),
      remove(leaving.id, asUser(victim)),
    ]);

    expect(issued.status === 'fulfilled' && (await opens(issued.value.token))).toBe(false);
  });

  it('is refused to a person who is no longer an owner', async () => {
    const [former, other] = [await givenPerson(around), await givenPerson(around)];
    await changeRole(former.id, 'manager');

    for (const attempt of [
      () => issueLink(other.id, asUser(former)),
      () => invite(asUser(former)),
      () => revokeLink(other.id, asUser(former)),
      () => remove(other.id, asUser(former)),
      () => changeRole(other.id, 'manager', asUser(former)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'ROLE_FORBIDS' });
    }
  });
});

describe('changing a role', () => {
  it('is recorded with the role before and after', async () => {
    const [person] = [await givenPerson(around), await givenPerson(around)];

    await changeRole(person.id, 'manager');
    await changeRole(person.id, 'manager');

    expect(around.storage.tables.users.get(person.id)?.role).toBe('manager');
    expect(around.auditEntries).toMatchObject([
      {
        actor: OPERATOR,
        action: 'user.role_changed',
        subject: person.email,
        before: { role: 'owner' },
        after: { role: 'manager' },
      },
    ]);
  });

  it('limits it to tags, keeps them unless others are given, and removes them for an owner', async () => {
    const [person] = [await givenPerson(around), await givenPerson(around)];
    const tagsAfter = async (role: Role, tags?: readonly string[]) =>
      (await changeRole(person.id, role, BY_OPERATOR, tags)).toState().tags;

    expect(await tagsAfter('manager', ['Shop', 'blog', 'shop'])).toEqual(['blog', 'shop']);
    expect(await tagsAfter('viewer')).toEqual(['blog', 'shop']);
    expect(await tagsAfter('viewer', ['blog'])).toEqual(['blog']);
    expect(await tagsAfter('owner')).toBeNull();
    expect(await tagsAfter('viewer', ['blog'])).toEqual(['blog']);
    expect(await tagsAfter('viewer', [])).toBeNull();
    expect(around.auditEntries.map(({ before, after: changed }) => [before, changed])).toEqual([
      [{ role: 'owner' }, { role: 'manager', tags: ['blog', 'shop'] }],
      [
        { role: 'manager', tags: ['blog', 'shop'] },
        { role: 'viewer', tags: ['blog', 'shop'] },
      ],
      [
        { role: 'viewer', tags: ['blog', 'shop'] },
        { role: 'viewer', tags: ['blog'] },
      ],
      [{ role: 'viewer', tags: ['blog'] }, { role: 'owner' }],
      [{ role: 'owner' }, { role: 'viewer', tags: ['blog'] }],
      [{ role: 'viewer', tags: ['blog'] }, { role: 'viewer' }],
    ]);
  });

  it('is refused with tags for an owner, and with a word that is no tag', async () => {
    const [person] = [await givenPerson(around, { role: 'viewer' }), await givenPerson(around)];
    const tagsRefused = { code: 'VALIDATION_ERROR', issues: [{ path: 'tags' }] };

    await expect(changeRole(person.id, 'owner', BY_OPERATOR, ['shop'])).rejects.toMatchObject(tagsRefused);
    await expect(changeRole(person.id, 'viewer', BY_OPERATOR, ['?'])).rejects.toMatchObject(tagsRefused);
    expect(around.storage.tables.users.get(person.id)).toMatchObject({ role: 'viewer', tags: null });
  });

  it('is refused for the last owner, and for a person of another account', async () => {
    const [owner] = [await givenPerson(around), await givenPerson(around, { accountId: STRANGER.accountId })];

    await expect(changeRole(owner.id, 'manager')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'user' }],
    });
    await expect(changeRole(owner.id, 'manager', STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves one of two owners who demote each other at once', async () => {
    const [one, other] = [await givenPerson(around), await givenPerson(around)];

    await Promise.allSettled([
      changeRole(one.id, 'manager', asUser(other)),
      changeRole(other.id, 'manager', asUser(one)),
    ]);

    expect([...around.storage.tables.users.values()].filter(({ role }) => role === 'owner')).toHaveLength(1);
  });
});

describe('RemoveUser', () => {
  it('revokes the API keys that they created if asked to, and no others', async () => {
    const [leaving, staying] = [await givenPerson(around), await givenPerson(around)];
    const issue = async (requester: Requester) =>
      (await issueApiKey(around).execute({ ...requester, name: 'A key' })).key.toState().keyId;
    const [theirs, others] = [await issue(asUser(leaving)), await issue(asUser(staying))];
    await remove(leaving.id, BY_OPERATOR);
    expect(around.storage.tables.apiKeys.get(theirs)?.revokedAt).toBeNull();
    const second = await givenPerson(around);
    const revoked = await issue(asUser(second));

    const keys = await remove(second.id, BY_OPERATOR, true);

    expect(keys.map((key) => key.toState().keyId)).toEqual([revoked]);
    expect([theirs, others, revoked].map((keyId) => around.storage.tables.apiKeys.get(keyId)?.revokedAt)).toEqual([
      null,
      null,
      around.clock.now(),
    ]);
    expect(around.auditEntries.at(-1)).toMatchObject({ action: 'key.revoked', subject: revoked, actor: OPERATOR });
  });

  it('leaves no working key that they create at the same moment, if keys are revoked', async () => {
    const [leaving] = [await givenPerson(around), await givenPerson(around)];

    await Promise.allSettled([
      remove(leaving.id, BY_OPERATOR, true),
      issueApiKey(around).execute({ ...asUser(leaving), name: 'A key' }),
    ]);

    expect([...around.storage.tables.apiKeys.values()].filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });

  it('removes the user and their sessions and no others', async () => {
    const [leaving, staying] = [await givenPerson(around), await givenPerson(around)];
    await givenSession(around, leaving.id, 'one');
    await givenSession(around, staying.id, 'two');

    await remove(leaving.id);

    expect([...around.storage.tables.users.keys()]).toEqual([staying.id]);
    expect([...around.storage.tables.sessions.keys()]).toEqual(['two']);
    expect(around.auditEntries).toMatchObject([
      { ...OURS, action: 'user.removed', subject: leaving.email, before: { role: 'owner' }, after: {} },
    ]);
  });

  it('makes room for another of that e-mail', async () => {
    const { id, email } = await givenPerson(around, { role: 'manager' });
    await remove(id);

    expect((await invite({ email })).user.email).toBe(email);
  });

  it('is refused to oneself', async () => {
    const [{ id }] = [await givenPerson(around), await givenPerson(around)];

    await expect(remove(id, { ...OURS, actor: { kind: 'user', id } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'user' }],
    });

    expect(around.storage.tables.users.size).toBe(2);
  });

  it('keeps the last owner, even if the operator asks and members exist', async () => {
    const [owner, member] = [await givenPerson(around), await givenPerson(around, { role: 'manager' })];
    await givenPerson(around, { accountId: STRANGER.accountId });

    await expect(remove(owner.id, BY_OPERATOR)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'user', message: 'must not be the last owner of the account' }],
    });
    expect(around.storage.tables.users.size).toBe(3);

    await remove(member.id, BY_OPERATOR);
    expect(around.storage.tables.users.size).toBe(2);
  });

  it('takes a member out of an account that has no owner', async () => {
    const { id } = await givenPerson(around, { role: 'manager' });

    await remove(id, BY_OPERATOR);

    expect(around.storage.tables.users.size).toBe(0);
  });

  it('leaves one of two owners whom the operator removes at once', async () => {
    const [one, other] = [await givenPerson(around), await givenPerson(around)];

    await Promise.allSettled([remove(one.id, BY_OPERATOR), remove(other.id, BY_OPERATOR)]);

    expect(around.storage.tables.users.size).toBe(1);
  });

  it('leaves one of two owners who remove each other at once', async () => {
    const [one, other] = [await givenPerson(around), await givenPerson(around)];

    const outcomes = await Promise.allSettled([remove(other.id, asUser(one)), remove(one.id, asUser(other))]);

    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'ROLE_FORBIDS' } },
    ]);
    expect(around.storage.tables.users.size).toBe(1);
  });

  it('does not affect another account', async () => {
    const { id } = await givenPerson(around);

    await expect(remove(id, STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    expect(around.storage.tables.users.size).toBe(1);
  });
});
