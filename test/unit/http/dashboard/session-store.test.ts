import { promisify } from 'node:util';
import type { SessionData } from 'express-session';
import type { UsedTokenReader } from '../../../../src/application/ports/access/idempotency-and-used-tokens';
import type { SessionReader } from '../../../../src/application/ports/access/users';
import type { StoreName, UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { identityId } from '../../../../src/domain/access/people/identity';
import {
  providerSessionKey,
  SessionStore,
  sessionDigest,
} from '../../../../src/http/dashboard/middleware/session-store';
import { givenPerson, givenSession } from '../../../support/use-cases/people';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('the store of sessions', () => {
  let around: UseCaseContext;
  let store: SessionStore;
  const storeOf = (
    storage: UnitOfWork<StoreName> & { readonly sessions: SessionReader; readonly usedTokens: UsedTokenReader },
  ) => new SessionStore(storage.sessions, storage.usedTokens, storage, around.ids, around.clock);
  const read = (id: string) =>
    promisify((done: (error: unknown, session?: SessionData | null) => void) => store.get(id, done))();
  const touch = (id: string, session: SessionData) =>
    promisify((done: (error: unknown) => void) => store.touch(id, session, done))();
  const open = (userId: string, passwordHash: string | null, more: Partial<SessionData> = {}, by = store) => {
    const session = {
      userId,
      clientAddress: '192.0.2.1',
      userAgent: 'a browser',
      passwordHash,
      ...more,
    } as SessionData;
    return promisify((done: (error: unknown) => void) => by.set('opened', session, done))();
  };
  const lastSeen = () => around.storage.tables.sessions.get(sessionDigest('mine'))?.lastSeenAt;
  /** The store with `other` run after that many of its reads and transactions. */
  const storeInterruptedAfter = (steps: number, other: () => Promise<unknown>) => {
    let taken = 0;
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      if (taken++ === steps) await other();
      return work();
    };
    const { sessions, usedTokens } = around.storage;
    return storeOf({
      sessions: {
        find: (digest) => sessions.find(digest),
        ofUser: (id) => step(() => sessions.ofUser(id)),
        containing: (text) => step(() => sessions.containing(text)),
      },
      usedTokens: { usedUntil: (digests) => step(() => usedTokens.usedUntil(digests)) },
      run: (work) => step(() => around.storage.run(work)),
    });
  };

  beforeEach(async () => {
    around = new UseCaseContext();
    store = storeOf(around.storage);
    await givenSession(around, (await givenPerson(around)).id, sessionDigest('mine'));
  });

  it('stores when a user was last seen once a minute, not on every request', async () => {
    const before = lastSeen();

    around.clock.advance({ ms: 59_999 });
    await touch('mine', (await read('mine'))!);
    const soon = lastSeen();
    around.clock.advance({ ms: 1 });
    await touch('mine', (await read('mine'))!);

    expect(soon).toEqual(before);
    expect(lastSeen()).toEqual(around.clock.now());
  });

  it('stores a new session without the password hash', async () => {
    await givenPerson(around, { id: 'usr_opening', passwordHash: 'hash' });

    await open('usr_opening', 'hash');

    expect(await read('opened')).toMatchObject({ userId: 'usr_opening' });
    expect(JSON.stringify(around.storage.tables.sessions.get(sessionDigest('opened')))).not.toContain('hash');
  });

  it.each([
    ['whose password was changed meanwhile', { passwordHash: 'new hash' }],
    ['who was removed meanwhile', { id: 'usr_another', passwordHash: 'hash' }],
  ])('opens no session for a person %s', async (_who, person) => {
    await givenPerson(around, { id: 'usr_opening', ...person });

    await expect(open('usr_opening', 'hash')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });

    expect(await read('opened')).toBeNull();
  });

  describe('with a logout of the provider during a sign-in', () => {
    const [provider, issuer] = ['acme', 'https://id.example'];
    const identity = identityId({ issuer, subject: 'ada' });
    let lastLogout: number;
    beforeEach(async () => {
      const { personId } = (await givenPerson(around, { id: 'usr_opening', passwordHash: null })).toState();
      const known = { issuer, subject: 'ada', personId, name: 'Ada', createdAt: around.clock.now(), lastUsedAt: null };
      await around.storage.run(({ identities }) => identities.add(known));
      lastLogout = await store.lastLogout();
    });

    const signInWith = (sid: string | undefined, by = store) => {
      const session = sid === undefined ? {} : { providerSession: providerSessionKey(provider, sid) };
      return open('usr_opening', null, { provider, ...session, identity, lastLogout }, by).then(
        () => 'open',
        (error: unknown) => error,
      );
    };
    const logOut = (of: { readonly person?: boolean; readonly sid?: string }, by = store) =>
      by.endOfProvider({
        provider,
        identity: of.person ? identity : undefined,
        userIds: of.person ? ['usr_opening'] : undefined,
        sid: of.sid,
        id: around.ids.next('op'),
        expiresAt: new Date(around.clock.now().getTime() + 120_000),
      });
    it.each([
      ['the person', { person: true }, 'desk', false],
      ['the person', { person: true }, undefined, false],
      ['that session', { sid: 'desk' }, 'desk', false],
      ['that session of the person', { person: true, sid: 'desk' }, 'desk', false],
      ['a session of the person, which may be that one', { person: true, sid: 'desk' }, undefined, false],
      ['another session of the person', { person: true, sid: 'phone' }, 'desk', true],
      ['another session', { sid: 'phone' }, undefined, true],
    ])('opens, with a logout of %s, a session only if it is another one (%j, %s)', async (_whom, of, sid, opens) => {
      await logOut(of);

      const outcome = await signInWith(sid);

      expect(outcome).toEqual(opens ? 'open' : expect.objectContaining({ code: 'WRONG_CREDENTIALS' }));
      expect((await read('opened')) !== null).toBe(opens);
    });

    it.each([0, 1])('keeps no session if it arrives after %d steps of the sign-in', async (steps) => {
      const interrupted = storeInterruptedAfter(steps, () => logOut({ person: true }));

      await signInWith('desk', interrupted);

      expect(await read('opened')).toBeNull();
    });

    it.each([0, 1, 2, 3])('keeps no session if the sign-in ends after %d steps of the logout', async (steps) => {
      const interrupted = storeInterruptedAfter(steps, () => signInWith('desk'));

      await logOut({ person: true }, interrupted);

      expect(await read('opened')).toBeNull();
    });

    it('keeps no session if the clock of its process is behind that of earlier logouts', async () => {
      around.clock.advance({ ms: 60_000 });
      await logOut({ sid: 'phone' });
      around.clock.advance({ ms: -60_000 });
      lastLogout = await store.lastLogout();
      await logOut({ person: true });

      expect(await signInWith('desk')).toMatchObject({ code: 'WRONG_CREDENTIALS' });
    });

    it('opens one for a sign-in that begins afterwards', async () => {
      await logOut({ person: true });
      lastLogout = await store.lastLogout();

      expect(await signInWith('desk')).toBe('open');
      expect(await read('opened')).not.toBeNull();
    });
  });

  it('finds a session by its id only', async () => {
    expect(await read('mine')).toMatchObject({ lastSeenAt: lastSeen()?.getTime() });
    expect(await read(sessionDigest('mine'))).toBeNull();
    expect(await read('another')).toBeNull();
  });
});
