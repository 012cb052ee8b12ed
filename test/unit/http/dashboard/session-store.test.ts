import { promisify } from 'node:util';
import type { SessionData } from 'express-session';
import { SessionStore, sessionDigest } from '../../../../src/http/dashboard/middleware/session-store';
import { givenPerson, givenSession } from '../../../support/use-cases/people';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('the store of sessions', () => {
  let around: UseCaseContext;
  let store: SessionStore;
  const read = (id: string) =>
    promisify((done: (error: unknown, session?: SessionData | null) => void) => store.get(id, done))();
  const touch = (id: string, session: SessionData) =>
    promisify((done: (error: unknown) => void) => store.touch(id, session, done))();
  const open = (userId: string, passwordHash: string) => {
    const session = { userId, clientAddress: '192.0.2.1', userAgent: 'a browser', passwordHash } as SessionData;
    return promisify((done: (error: unknown) => void) => store.set('opened', session, done))();
  };
  const lastSeen = () => around.storage.tables.sessions.get(sessionDigest('mine'))?.lastSeenAt;

  beforeEach(async () => {
    around = new UseCaseContext();
    store = new SessionStore(around.storage.sessions, around.storage, around.ids, around.clock);
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

  it('finds a session by its id only', async () => {
    expect(await read('mine')).toMatchObject({ lastSeenAt: lastSeen()?.getTime() });
    expect(await read(sessionDigest('mine'))).toBeNull();
    expect(await read('another')).toBeNull();
  });
});
