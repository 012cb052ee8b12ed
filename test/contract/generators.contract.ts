import type { IdGenerator } from '../../src/application/ports/system';
import type { KeyGenerator } from '../../src/application/ports/access/accounts-and-api-keys';
import type { TokenGenerator } from '../../src/application/ports/access/users';
import { ApiKeyToken } from '../../src/domain/access/api-key';

/** What every generator of ids must do. */
export function idGeneratorContract(title: string, open: () => IdGenerator): void {
  describe(title, () => {
    it('gives ids that bear their prefix, fit their column, and survive as a transaction id', () => {
      const ids = open();

      for (const prefix of ['acc', 'dom', 'rec', 'op', 'usr', 'evt'] as const)
        expect(ids.next(prefix)).toMatch(new RegExp(`^${prefix}_[a-z0-9]{1,36}$`));
    });

    it('gives every id once, in ascending order', () => {
      const ids = open();

      const given = Array.from({ length: 5_000 }, () => ids.next('rec'));

      expect(new Set(given).size).toBe(5_000);
      expect(given.toSorted()).toEqual(given);
    });
  });
}

/** What every generator of keys must do. */
export function keyGeneratorContract(title: string, open: () => KeyGenerator): void {
  describe(title, () => {
    it('gives every key once, with an id that begins with a letter or a digit', () => {
      const keys = open();

      const given = Array.from({ length: 2_000 }, () => keys.next());

      expect(new Set(given.map(({ keyId }) => keyId)).size).toBe(2_000);
      expect(new Set(given.map((key) => key.digest())).size).toBe(2_000);
      expect(given.filter(({ keyId }) => !/^[A-Za-z0-9]/.test(keyId))).toEqual([]);
    });

    it('gives keys that read back from their text', () => {
      const keys = open();
      const key = keys.next();

      expect(ApiKeyToken.parse(keys.textOf(key), 'nw')).toEqual(key);
    });
  });
}

/** What every generator of tokens must do. */
export function tokenGeneratorContract(title: string, open: () => TokenGenerator): void {
  describe(title, () => {
    it('gives every token once, as long as 256 bits in base64url', () => {
      const tokens = open();

      const given = Array.from({ length: 2_000 }, () => tokens.token());

      expect(new Set(given).size).toBe(2_000);
      expect(given.filter((token) => !/^[A-Za-z0-9_-]{43}$/.test(token))).toEqual([]);
    });

    it('gives every password once, as five groups that a person can type', () => {
      const tokens = open();

      const given = Array.from({ length: 1_000 }, () => tokens.password());

      expect(new Set(given).size).toBe(1_000);
      expect(given.filter((password) => !/^[a-z0-9]{4}(-[a-z0-9]{4}){4}$/.test(password))).toEqual([]);
    });
  });
}
