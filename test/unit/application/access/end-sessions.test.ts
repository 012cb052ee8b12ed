import { EndSessions } from '../../../../src/application/access/sign-in/end-sessions';
import type { User } from '../../../../src/domain/access/people/user';
import { givenPerson, givenSession } from '../../../support/use-cases/people';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('ending sessions', () => {
  let around: UseCaseContext;
  let person: User;
  let other: User;
  const endSessions = () => new EndSessions(around.storage);
  const left = () => [...around.storage.tables.sessions.keys()];

  beforeEach(async () => {
    around = new UseCaseContext();
    person = await givenPerson(around);
    other = await givenPerson(around);
    for (const digest of ['mine', 'phone']) await givenSession(around, person.id, digest);
    await givenSession(around, other.id, 'theirs');
  });

  it('ends the named session', async () => {
    await endSessions().endOne({ userId: person.id, sessionId: 'ses_phone' });

    expect(left()).toEqual(['mine', 'theirs']);
  });

  it("does not end another user's session or one that has ended", async () => {
    await endSessions().endOne({ userId: person.id, sessionId: 'ses_phone' });

    for (const sessionId of ['ses_theirs', 'ses_phone', 'ses_unknown'])
      await expect(endSessions().endOne({ userId: person.id, sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });

    expect(left()).toEqual(['mine', 'theirs']);
  });

  it('ends all sessions of a user except the current one', async () => {
    await endSessions().endAll({ userId: person.id, keep: 'mine' });
    expect(left()).toEqual(['mine', 'theirs']);

    await endSessions().endAll({ userId: person.id });
    expect(left()).toEqual(['theirs']);
  });
});
