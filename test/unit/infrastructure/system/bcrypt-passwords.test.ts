import { BcryptPasswords } from '../../../../src/infrastructure/system/bcrypt-passwords';

describe('the bcrypt queue', () => {
  it('runs two password checks, queues twenty and rejects more with SERVICE_UNAVAILABLE', async () => {
    const passwords = new BcryptPasswords();
    // The lowest cost, for a fast test.
    const stored = '$2b$04$LEMrNhb2mHFeFRvW0ts8GuTZbYSXBUQQNrEYkzlAgrXy3VcZvVNNe';

    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => passwords.matches('nine violet tractors', stored)),
    );

    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 3 });
  });

  it('accepts password checks after a burst', async () => {
    const passwords = new BcryptPasswords();
    const hash = await passwords.hash('nine violet tractors');

    expect(await passwords.matches('nine violet tractors', hash)).toBe(true);
    expect(await passwords.matches('nine violet tractor', hash)).toBe(false);
  });
});
