import { isWeak } from '../../../../src/infrastructure/system/password-strength';

describe('the password strength check', () => {
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
  ])('rejects %s', (password) => {
    expect(isWeak(password, [])).toBe(true);
  });

  it.each(['nine violet tractors', 'tea at half past four', 'yqzk-8wpm-3vnd', 'Grüße aus Köln am Rhein'])(
    'accepts %s',
    (password) => {
      expect(isWeak(password, ['ada@example.com'])).toBe(false);
    },
  );

  it('rejects a password that is the e-mail address of the person', () => {
    expect(isWeak('zq.lovelace@example.com', [])).toBe(false);
    expect(isWeak('zq.lovelace@example.com', ['zq.lovelace@example.com'])).toBe(true);
  });
});
