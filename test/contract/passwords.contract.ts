import type { Passwords } from '../../src/application/ports/access/authentication';

/** What all passwords must do. `weak` is a text that is easy to guess. */
export function passwordsContract(title: string, open: () => Passwords, weak: string): void {
  describe(title, () => {
    const passwords = open();

    it('match the hash of the same text only', async () => {
      const hash = await passwords.hash('Grüße aus Köln');

      expect(await passwords.matches('Grüße aus Köln', hash)).toBe(true);
      expect(await passwords.matches('grüße aus köln', hash)).toBe(false);
      expect(await passwords.matches('Grüße aus Köln ', hash)).toBe(false);
      expect(await passwords.matches('', hash)).toBe(false);
    });

    it('do not match a text with the same beginning', async () => {
      const longest = 'a long one '.repeat(7).slice(0, 72);
      const hash = await passwords.hash(longest);

      expect(await passwords.matches(longest, hash)).toBe(true);
      expect(await passwords.matches(`${longest}y`, hash)).toBe(false);
    });

    it('match every hash of the same text, regardless of its salt', async () => {
      const first = await passwords.hash('nine violet tractors');
      const [same, other, salted] = [
        await passwords.hash('nine violet tractors', first),
        await passwords.hash('ten violet tractors', first),
        await passwords.hash('nine violet tractors'),
      ];

      expect(await passwords.matching('nine violet tractors', [first, other, salted])).toEqual([first, salted]);
      expect(same).toBe(first);
      expect(await passwords.matching('no such text', [first, other])).toEqual([]);
      expect(await passwords.matching('nine violet tractors', [])).toEqual([]);
    });

    it('match nothing without a hash', async () => {
      expect(await passwords.matches('', null)).toBe(false);
      expect(await passwords.matches('any password', null)).toBe(false);
    });

    it('have hashes that fit their column and do not show the password', async () => {
      const password = 'x'.repeat(72);

      const hash = await passwords.hash(password);

      expect(hash.length).toBeLessThanOrEqual(72);
      expect(hash).not.toContain('xxxx');
    });

    it('are rejected if they are easy to guess', () => {
      expect(passwords.isWeak(weak, [])).toBe(true);
      expect(passwords.isWeak('ada@example.com', ['ada@example.com'])).toBe(true);
      expect(passwords.isWeak('yqzk-8wpm-3vnd', ['ada@example.com'])).toBe(false);
    });
  });
}
