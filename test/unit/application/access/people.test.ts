import { RevokeApiKey } from '../../../../src/application/access/api-keys/revoke-api-key';
import { OPERATOR, type Requester } from '../../../../src/domain/access/actor';
import type { Role } from '../../../../src/domain/access/people/role';
import { givenAccount, issueApiKey } from '../../../support/use-cases/credentials';
import { givenPerson, givenSession, PASSWORD } from '../../../support/use-cases/people';
import { asUser, BY_OPERATOR, PeopleScenario } from '../../../support/use-cases/people-scenario';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

let around: UseCaseContext;
let people: PeopleScenario;

beforeEach(async () => {
  around = new UseCaseContext();
  people = new PeopleScenario(around);
  await givenAccount(around);
});

const asKey = (id: string): Requester => ({ ...OURS, actor: { kind: 'key', id } });

describe('InviteUser', () => {
  it('adds the user to the account with a lower-case e-mail and without a password', async () => {
    const { user } = await people.invite();

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
    const { token } = await people.invite();

    const everything = JSON.stringify([
      ...around.storage.tables.setupLinks.values(),
      ...around.storage.tables.users.values(),
      ...around.auditEntries,
    ]);
    expect(token).toHaveLength(43);
    expect(everything).not.toContain(token);
  });

  it('records who invited whom, and the role', async () => {
    await people.invite();

    expect(around.auditEntries).toMatchObject([
      { ...OURS, action: 'user.invited', subject: 'grace@example.com', before: {}, after: { role: 'manager' } },
    ]);
  });

  it('is refused beyond 500 people', async () => {
    for (let index = 0; index < 500; index += 1) await people.invite({ email: `p${index}@example.com` });

    await expect(people.invite({ email: 'one-more@example.com' })).rejects.toMatchObject({
      issues: [{ path: 'email', message: 'cannot be invited: an account has at most 500 people' }],
    });
  });

  it.each([
    ['to an unknown account', { accountId: 'acc_unknown' }, 'account'],
    ['for an invalid e-mail', { email: 'grace' }, 'email'],
    ['for an e-mail with a zero-width space', { email: 'gra\u200bce@example.com' }, 'email'],
    ['for an e-mail with a zero-width joiner in its domain', { email: 'grace@exam\u200dple.com' }, 'email'],
    ['for an e-mail with a right-to-left override', { email: 'grace\u202emoc@example.com' }, 'email'],
    ['for an e-mail with an invisible letter', { email: 'grace@example\u3164.com' }, 'email'],
    ['for an e-mail with a soft hyphen', { email: 'gra\u00adce@example.com' }, 'email'],
    ['for an e-mail that a person of the account has', { email: 'TAKEN@example.com' }, 'email'],
  ])('is refused %s, and nothing is stored', async (_which, rest, field) => {
    await givenPerson(around, { email: 'taken@example.com' });
    const before = around.storage.tables;

    await expect(people.invite(rest)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: field }] });

    expect(around.storage.tables).toEqual(before);
  });
});

describe('inviting an e-mail that a person of another account has', () => {
  it('is like inviting any other, and leaves that person alone', async () => {
    const other = await givenPerson(around, { email: 'taken@example.com', accountId: STRANGER.accountId });

    const { user, token } = await people.invite({ email: 'taken@example.com' });
    await people.setPassword(token, 'coffee at a quarter to');

    expect(user.toState()).toMatchObject({ accountId: OURS.accountId, email: 'taken@example.com' });
    expect(await people.knows(other.id, PASSWORD)).toBe(true);
    expect(await people.knows(user.id, 'coffee at a quarter to')).toBe(true);
  });
});

describe('changing a role', () => {
  it('is recorded with the role before and after', async () => {
    const [person] = [await givenPerson(around), await givenPerson(around)];

    await people.changeRole(person.id, 'manager');
    await people.changeRole(person.id, 'manager');

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
      (await people.changeRole(person.id, role, BY_OPERATOR, tags)).toState().tags;

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

  it('is refused with tags for an owner, and with an invalid tag', async () => {
    const [person] = [await givenPerson(around, { role: 'viewer' }), await givenPerson(around)];
    const tagsRefused = { code: 'VALIDATION_ERROR', issues: [{ path: 'tags' }] };

    await expect(people.changeRole(person.id, 'owner', BY_OPERATOR, ['shop'])).rejects.toMatchObject(tagsRefused);
    await expect(people.changeRole(person.id, 'viewer', BY_OPERATOR, ['?'])).rejects.toMatchObject(tagsRefused);
    expect(around.storage.tables.users.get(person.id)).toMatchObject({ role: 'viewer', tags: null });
  });

  it('is refused for the last owner, and for a person of another account', async () => {
    const [owner] = [await givenPerson(around), await givenPerson(around, { accountId: STRANGER.accountId })];

    await expect(people.changeRole(owner.id, 'manager')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'user' }],
    });
    await expect(people.changeRole(owner.id, 'manager', STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves one of two owners who demote each other at once', async () => {
    const [one, other] = [await givenPerson(around), await givenPerson(around)];

    await Promise.allSettled([
      people.changeRole(one.id, 'manager', asUser(other)),
      people.changeRole(other.id, 'manager', asUser(one)),
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
    await people.remove(leaving.id, BY_OPERATOR);
    expect(around.storage.tables.apiKeys.get(theirs)?.revokedAt).toBeNull();
    const second = await givenPerson(around);
    const revoked = await issue(asUser(second));

    const keys = await people.remove(second.id, BY_OPERATOR, true);

    expect(keys.map((key) => key.toState().keyId)).toEqual([revoked]);
    expect([theirs, others, revoked].map((keyId) => around.storage.tables.apiKeys.get(keyId)?.revokedAt)).toEqual([
      null,
      null,
      around.clock.now(),
    ]);
    expect(around.auditEntries.at(-1)).toMatchObject({ action: 'key.revoked', subject: revoked, actor: OPERATOR });
  });

  it('revokes with the API keys that they created those that were created with these keys, also with revoked ones', async () => {
    const [leaving] = [await givenPerson(around), await givenPerson(around)];
    const issue = async (requester: Requester) =>
      (await issueApiKey(around).execute({ ...requester, name: 'A key' })).key.toState().keyId;
    const first = await issue(asUser(leaving));
    const second = await issue(asKey(first));
    const third = await issue(asKey(second));
    const other = await issue(BY_OPERATOR);
    await new RevokeApiKey(around.storage, around.clock).execute({ actor: OPERATOR, keyId: second });

    const keys = await people.remove(leaving.id, BY_OPERATOR, true);

    expect(keys.map((key) => key.toState().keyId)).toEqual([first, third]);
    expect(around.storage.tables.apiKeys.get(other)?.revokedAt).toBeNull();
  });

  it('leaves no working key that they create at the same moment, if keys are revoked', async () => {
    const [leaving] = [await givenPerson(around), await givenPerson(around)];

    await Promise.allSettled([
      people.remove(leaving.id, BY_OPERATOR, true),
      issueApiKey(around).execute({ ...asUser(leaving), name: 'A key' }),
    ]);

    expect([...around.storage.tables.apiKeys.values()].filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });

  it('removes the user and their sessions and no others', async () => {
    const [leaving, staying] = [await givenPerson(around), await givenPerson(around)];
    await givenSession(around, leaving.id, 'one');
    await givenSession(around, staying.id, 'two');

    await people.remove(leaving.id);

    expect([...around.storage.tables.users.keys()]).toEqual([staying.id]);
    expect([...around.storage.tables.sessions.keys()]).toEqual(['two']);
    expect(around.auditEntries).toMatchObject([
      { ...OURS, action: 'user.removed', subject: leaving.email, before: { role: 'owner' }, after: {} },
    ]);
  });

  it('allows another invitation of that e-mail', async () => {
    const { id, email } = await givenPerson(around, { role: 'manager' });
    await people.remove(id);

    expect((await people.invite({ email })).user.email).toBe(email);
  });

  it('is refused for the person who requests it', async () => {
    const [{ id }] = [await givenPerson(around), await givenPerson(around)];

    await expect(people.remove(id, { ...OURS, actor: { kind: 'user', id } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'user' }],
    });

    expect(around.storage.tables.users.size).toBe(2);
  });

  it('keeps the last owner, even if the operator asks and members exist', async () => {
    const [owner, member] = [await givenPerson(around), await givenPerson(around, { role: 'manager' })];
    await givenPerson(around, { accountId: STRANGER.accountId });

    await expect(people.remove(owner.id, BY_OPERATOR)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'user', message: 'must not be the last owner of the account' }],
    });
    expect(around.storage.tables.users.size).toBe(3);

    await people.remove(member.id, BY_OPERATOR);
    expect(around.storage.tables.users.size).toBe(2);
  });

  it('removes a member from an account that has no owner', async () => {
    const { id } = await givenPerson(around, { role: 'manager' });

    await people.remove(id, BY_OPERATOR);

    expect(around.storage.tables.users.size).toBe(0);
  });

  it('leaves one of two owners whom the operator removes at once', async () => {
    const [one, other] = [await givenPerson(around), await givenPerson(around)];

    await Promise.allSettled([people.remove(one.id, BY_OPERATOR), people.remove(other.id, BY_OPERATOR)]);

    expect(around.storage.tables.users.size).toBe(1);
  });

  it('leaves one of two owners who remove each other at once', async () => {
    const [one, other] = [await givenPerson(around), await givenPerson(around)];

    const outcomes = await Promise.allSettled([
      people.remove(other.id, asUser(one)),
      people.remove(one.id, asUser(other)),
    ]);

    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'ROLE_FORBIDS' } },
    ]);
    expect(around.storage.tables.users.size).toBe(1);
  });

  it('does not affect another account', async () => {
    const { id } = await givenPerson(around);

    await expect(people.remove(id, STRANGER)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    expect(around.storage.tables.users.size).toBe(1);
  });
});
