import { promisify } from 'node:util';
import type { SessionData } from 'express-session';
import { SessionStore, sessionDigest } from '../../../src/http/dashboard/middleware/session-store';
import { givenPerson, givenSession } from '../../support/use-cases/people';
import { Surroundings } from '../../support/use-cases/surroundings';

describe('the store of sessions', () => {
  let around: Surroundings;
  let store: SessionStore;
  const read = (id: string) => promisify((done: (error: unknown, session?: SessionData | null) => void) => store.get(id, done))();
  const touch = (id: string, session: SessionData) => promisify((done: (error: unknown) => void) => store.touch(id, session, done))();
  const lastSeen = () => around.storage.tables.sessions.get(sessionDigest('mine'))?.lastSeenAt;

  beforeEach(async () => {
    around = new Surroundings();
    store = new SessionStore(around.storage.sessions, around.storage, around.ids, around.clock);
    await givenSession(around, (await givenPerson(around)).id, sessionDigest('mine'));
  });

  it('writes down that somebody was seen, once a minute and not at every request', async () => {
    const before = lastSeen();

    around.clock.advance({ ms: 59_999 });
    await touch('mine', (await read('mine'))!);
    const soon = lastSeen();
    around.clock.advance({ ms: 1 });
    await touch('mine', (await read('mine'))!);

    expect(soon).toEqual(before);
    expect(lastSeen()).toEqual(around.clock.now());
  });

  it('knows a session by nothing but its own id', async () => {
    expect(await read('mine')).toMatchObject({ lastSeenAt: lastSeen()?.getTime() });
    expect(await read(sessionDigest('mine'))).toBeNull();
    expect(await read('another')).toBeNull();
  });
});
