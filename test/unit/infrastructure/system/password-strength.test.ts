import { isWeak } from '../../../../src/infrastructure/system/password-strength';

describe('the strength of a password', () => {
  it.each([
    'aaaaaaaaaaaa',
    '123456789012',
    'abcdefghijkl',
    'qwertyuiopas',
    'password1234',
    'P@ssw0rd1234',
    'Password2024!',
    'iloveyouiloveyou',
    'abcabcabcabc',
    'x'.repeat(72),
    'namewright1234',
  ])('is too low for %s', (password) => {
    expect(isWeak(password, [])).toBe(true);
  });

  it.each(['nine violet tractors', 'tea at half past four', 'yqzk-8wpm-3vnd', 'Grüße aus Köln am Rhein'])(
    'is enough for %s',
    (password) => {
      expect(isWeak(password, ['ada@example.com'])).toBe(false);
    },
  );

  it('counts what is known of the person', () => {
    expect(isWeak('zq.lovelace@example.com', [])).toBe(false);
    expect(isWeak('zq.lovelace@example.com', ['zq.lovelace@example.com'])).toBe(true);
  });
});
