import { KnownBrowsers } from '../../../../src/application/access/sign-in/known-browsers';
import { SignIn } from '../../../../src/application/access/sign-in/sign-in';
import type { User } from '../../../../src/domain/access/people/user';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { givenPerson, PASSWORD } from '../../../support/use-cases/people';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('signing in', () => {
  let around: UseCaseContext;
  let ada: User;
  let useCase: SignIn;
  const browsers = new KnownBrowsers(Buffer.alloc(32, 1));
  const signIn = (email: string, password = PASSWORD, clientAddress = '192.0.2.1', marks: readonly string[] = []) =>
    useCase.execute({ email, password, clientAddress, marks });
  /** How an attempt ended, in one word. */
  const attempt = (...arguments_: Parameters<typeof signIn>): Promise<string> =>
    signIn(...arguments_).then(
      () => 'in',
      (error: unknown) => (error as Error).name,
    );
  const fromKnown = (password = PASSWORD, marks: readonly string[] = [browsers.markOf(ada)]) =>
    attempt('ada@example.com', password, '192.0.2.1', marks);
  /** Until neither the e-mail nor their address has an attempt left. */
  const strangersTry = async (): Promise<void> => {
    for (let index = 0; index < 6; index += 1) await attempt('ada@example.com', 'wrong');
    expect(await attempt('ada@example.com')).toBe('RateLimitExceeded');
  };

  beforeEach(async () => {
    around = new UseCaseContext();
    ada = await givenPerson(around, { id: 'usr_ada', email: 'ada@example.com' });
    const limiter = (limit: number) => new CountingRateLimiter(limit, around.clock);
    useCase = new SignIn(around.storage.users, around.passwords, limiter(6), limiter(3), limiter(3), browsers);
  });

  it('finds the user by the password, in any case of the e-mail', async () => {
    expect((await signIn('ada@example.com')).id).toBe('usr_ada');
    expect((await signIn(' Ada@EXAMPLE.com ')).id).toBe('usr_ada');
  });

  it.each([
    ['a wrong password', 'ada@example.com', 'tea at half past five'],
    ['a password in other case', 'ada@example.com', PASSWORD.toUpperCase()],
    ['no password', 'ada@example.com', ''],
    ['an unknown e-mail', 'bob@example.com', PASSWORD],
    ['no e-mail', '', PASSWORD],
    ['a user who has not set a password yet', 'new@example.com', PASSWORD],
    ['a user who has not set a password yet, with none', 'new@example.com', ''],
    ['a password longer than bcrypt reads, though it begins rightly', 'long@example.com', `${'x'.repeat(72)}y`],
  ])('says the same of %s', async (_what, email, password) => {
    await givenPerson(around, { email: 'new@example.com', passwordHash: null });
    await givenPerson(around, {
      email: 'long@example.com',
      passwordHash: await around.passwords.hash(`${'x'.repeat(72)}y`),
    });

    await expect(signIn(email, password)).rejects.toMatchObject({
      code: 'WRONG_CREDENTIALS',
      message: 'The e-mail or the password is wrong',
    });
  });

  it('finds the user whose password matches if an e-mail belongs to users of several accounts', async () => {
    const other = await givenPerson(around, {
      email: 'ada@example.com',
      accountId: STRANGER.accountId,
      passwordHash: await around.passwords.hash('another password'),
    });

    expect((await signIn('ada@example.com')).id).toBe('usr_ada');
    expect((await signIn('ada@example.com', 'another password')).id).toBe(other.id);
  });

  it('asks for the account if e-mail and password match several', async () => {
    const other = await givenPerson(around, { email: 'ada@example.com', accountId: STRANGER.accountId });
    const choose = (accountId: string, password = PASSWORD) =>
      useCase.execute({
        email: 'ada@example.com',
        password,
        accountId,
        clientAddress: '192.0.2.1',
        marks: [browsers.markOf(other)],
      });

    await expect(signIn('ada@example.com')).rejects.toMatchObject({
      code: 'ACCOUNT_CHOICE_NEEDED',
      accountIds: expect.arrayContaining([OURS.accountId, STRANGER.accountId]) as string[],
    });

    expect((await choose(STRANGER.accountId)).id).toBe(other.id);
    await expect(choose('acc_unknown')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
    await expect(choose(STRANGER.accountId, 'a guess')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  });

  it('is limited per e-mail, from any address, and returns when to retry', async () => {
    for (let index = 0; index < 3; index += 1) await attempt('ada@example.com', 'wrong', `192.0.2.${index}`);
    around.clock.advance({ ms: 15_000 });

    await expect(signIn('ada@example.com', PASSWORD, '192.0.2.9')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: 45,
    });

    around.clock.advance({ ms: 45_000 });
    expect(await attempt('ada@example.com')).toBe('in');
  });

  it('limits attempts per e-mail in any spelling, also for unknown e-mails', async () => {
    for (const email of ['unknown@example.com', 'UNKNOWN@example.com', ' unknown@example.com']) await attempt(email);

    expect(await attempt('unknown@example.com')).toBe('RateLimitExceeded');
  });

  it.each(['usr_ada', 'second factor usr_ada', 'per_1', 'ada', ' '])(
    'does not count %j, which is no e-mail, apart from the attempts of the address',
    async (text) => {
      const counts = {
        address: jest.fn(() => Promise.resolve(undefined)),
        email: jest.fn(() => Promise.resolve(undefined)),
      };
      const [byAddress, byEmail] = [{ consume: counts.address }, { consume: counts.email }];
      useCase = new SignIn(around.storage.users, around.passwords, byAddress, byEmail, byEmail, browsers);

      expect(await attempt(text)).toBe('WrongCredentials');

      expect(counts.address).toHaveBeenCalledTimes(1);
      expect(counts.email).not.toHaveBeenCalled();
    },
  );

  it('is limited for each address, over all e-mails', async () => {
    for (let index = 0; index < 6; index += 1) await attempt(`person-${index}@example.com`);

    expect(await attempt('ada@example.com')).toBe('RateLimitExceeded');
    expect(await attempt('ada@example.com', PASSWORD, '192.0.2.2')).toBe('in');
  });

  it('is counted before it is judged, so that many at once win nothing', async () => {
    const guesses = ['one', 'two', 'three', 'four', PASSWORD];

    const outcomes = await Promise.all(guesses.map((guess) => attempt('ada@example.com', guess)));

    expect(outcomes.toSorted()).toEqual([
      'RateLimitExceeded',
      'RateLimitExceeded',
      'WrongCredentials',
      'WrongCredentials',
      'WrongCredentials',
    ]);
  });

  describe('from a known browser', () => {
    it('stays available after failed attempts of others, also from the same address', async () => {
      await strangersTry();

      expect(await fromKnown()).toBe('in');
    });

    it('is limited as well', async () => {
      const outcomes = [await fromKnown('one'), await fromKnown('two'), await fromKnown('three'), await fromKnown()];

      expect(outcomes).toEqual(['WrongCredentials', 'WrongCredentials', 'WrongCredentials', 'RateLimitExceeded']);
    });

    it('does not count the right password as an attempt of strangers', async () => {
      for (let index = 0; index < 3; index += 1) expect(await fromKnown()).toBe('in');

      expect(await attempt('ada@example.com')).toBe('in');
    });

    describe('of another person with the same e-mail', () => {
      const OTHER_PASSWORD = 'an owner set it for ada@example.com';
      let mark: string;
      const fromOther = (password: string, accountId?: string) =>
        useCase
          .execute({
            email: 'ada@example.com',
            password,
            clientAddress: '192.0.2.1',
            marks: [mark],
            ...(accountId !== undefined && { accountId }),
          })
          .then(
            (user) => user.toState().accountId,
            (error: unknown) => (error as Error).name,
          );

      beforeEach(async () => {
        const other = await givenPerson(around, {
          email: 'ada@example.com',
          accountId: STRANGER.accountId,
          passwordHash: await around.passwords.hash(OTHER_PASSWORD),
        });
        mark = browsers.markOf(other);
      });

      it('does not use up the attempts of the person in their known browser', async () => {
        for (let index = 0; index < 4; index += 1) await fromOther('a guess');

        expect(await fromKnown()).toBe('in');
      });

      it('guesses the password of the person within the limits of unknown browsers only', async () => {
        await strangersTry();

        expect(await fromOther(PASSWORD)).toBe('WrongCredentials');
        expect(await fromOther(PASSWORD, OURS.accountId)).toBe('WrongCredentials');
        expect(await fromOther(OTHER_PASSWORD)).toBe(STRANGER.accountId);
      });

      it('counts its guesses as attempts from unknown browsers', async () => {
        for (let index = 0; index < 3; index += 1) await fromOther('a guess');

        expect(await attempt('ada@example.com')).toBe('RateLimitExceeded');
      });

      it('signs the person in as long as strangers could try', async () => {
        expect(await fromOther(PASSWORD)).toBe(OURS.accountId);
      });
    });

    it('is recognized among marks of other users', async () => {
      const bob = await givenPerson(around, { email: 'bob@example.com' });
      await strangersTry();

      expect(await fromKnown(PASSWORD, [browsers.markOf(bob), browsers.markOf(ada)])).toBe('in');
    });

    it.each([
      ['of another person', async () => browsers.markOf(await givenPerson(around, { email: 'bob@example.com' }))],
      [
        'of the password before',
        () => {
          const mark = browsers.markOf(ada);
          return around.storage.run(async ({ users }) => {
            ada.setPasswordHash(await around.passwords.hash('coffee at a quarter to'), around.clock.now());
            await users.save(ada);
            return mark;
          });
        },
      ],
      ['that another key has made', () => new KnownBrowsers(Buffer.alloc(32, 2)).markOf(ada)],
      ['that is no mark', () => 'known'],
      ['that is cut off', () => browsers.markOf(ada).slice(0, -2)],
    ])('is none by a mark %s', async (_what, mark) => {
      const shown = await mark();
      await strangersTry();

      expect(await fromKnown(PASSWORD, [shown])).toBe('RateLimitExceeded');
    });

    it('recognizes no browser of a user without password', async () => {
      const invited = await givenPerson(around, { email: 'new@example.com', passwordHash: null });

      expect([...browsers.knownPersonIds([invited], [browsers.markOf(invited)])]).toEqual([]);
    });
  });
});
