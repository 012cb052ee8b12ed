import { SignIn } from '../../../../src/application/access/sign-in';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { givenPerson, PASSWORD } from '../../../support/use-cases/people';
import { Surroundings } from '../../../support/use-cases/surroundings';

describe('signing in', () => {
  let around: Surroundings;
  let useCase: SignIn;
  const signIn = (email: string, password = PASSWORD, clientAddress = '192.0.2.1') => useCase.execute({ email, password, clientAddress });
  /** How an attempt ended, in one word. */
  const attempt = (...arguments_: Parameters<typeof signIn>): Promise<string> => signIn(...arguments_).then(() => 'in', (error: unknown) => (error as Error).name);

  beforeEach(async () => {
    around = new Surroundings();
    await givenPerson(around, { id: 'usr_ada', email: 'ada@example.com' });
    useCase = new SignIn(around.storage.users, around.passwords, new CountingRateLimiter(6, around.clock), new CountingRateLimiter(3, around.clock));
  });

  it('finds the person who knows the password, however the e-mail is written', async () => {
    expect((await signIn('ada@example.com')).id).toBe('usr_ada');
    expect((await signIn(' Ada@EXAMPLE.com ')).id).toBe('usr_ada');
  });

  it.each([
    ['a wrong password', 'ada@example.com', 'tea at half past five'],
    ['a password in other case', 'ada@example.com', PASSWORD.toUpperCase()],
    ['no password', 'ada@example.com', ''],
    ['an e-mail that nobody has', 'bob@example.com', PASSWORD],
    ['no e-mail', '', PASSWORD],
    ['somebody who has not set a password yet', 'new@example.com', PASSWORD],
    ['somebody who has not set a password yet, with none', 'new@example.com', ''],
    ['a password longer than bcrypt reads, though it begins rightly', 'long@example.com', `${'x'.repeat(72)}y`],
  ])('says the same of %s', async (_what, email, password) => {
    await givenPerson(around, { email: 'new@example.com', passwordHash: null });
    await givenPerson(around, { email: 'long@example.com', passwordHash: await around.passwords.hash(`${'x'.repeat(72)}y`) });

    await expect(signIn(email, password)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS', message: 'The e-mail or the password is wrong' });
  });

  it('is limited for each e-mail, from wherever it is tried, and says until when', async () => {
    for (let index = 0; index < 3; index += 1) await attempt('ada@example.com', 'wrong', `192.0.2.${index}`);
    around.clock.advance({ ms: 15_000 });

    await expect(signIn('ada@example.com', PASSWORD, '192.0.2.9')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 45 });

    around.clock.advance({ ms: 45_000 });
    expect(await attempt('ada@example.com')).toBe('in');
  });

  it('is limited for an e-mail however it is written, and for one that nobody has', async () => {
    for (const email of ['nobody@example.com', 'NOBODY@example.com', ' nobody@example.com']) await attempt(email);

    expect(await attempt('nobody@example.com')).toBe('RateLimitExceeded');
  });

  it('is limited for each address, over all e-mails', async () => {
    for (let index = 0; index < 6; index += 1) await attempt(`person-${index}@example.com`);

    expect(await attempt('ada@example.com')).toBe('RateLimitExceeded');
    expect(await attempt('ada@example.com', PASSWORD, '192.0.2.2')).toBe('in');
  });

  it('is counted before it is judged, so that many at once win nothing', async () => {
    const guesses = ['one', 'two', 'three', 'four', PASSWORD];

    const outcomes = await Promise.all(guesses.map((guess) => attempt('ada@example.com', guess)));

    expect(outcomes.toSorted()).toEqual(['RateLimitExceeded', 'RateLimitExceeded', 'WrongCredentials', 'WrongCredentials', 'WrongCredentials']);
  });
});
