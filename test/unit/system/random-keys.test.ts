import { RandomKeys } from '../../../src/infrastructure/system/random-keys';
import { ApiKeyToken } from '../../../src/domain/access/api-key-token';

describe('keys', () => {
  const tokens = Array.from({ length: 2_000 }, () => new RandomKeys().next());

  it('have an id that begins with a letter or a digit', () => {
    for (const { keyId } of tokens) expect(keyId).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{11}$/);
  });

  it('read back from their text', () => {
    for (const token of tokens) expect(ApiKeyToken.parse(token.toText('nw'), 'nw')).toEqual(token);
  });

  it('differ', () => {
    expect(new Set(tokens.map(({ keyId }) => keyId)).size).toBe(tokens.length);
    expect(new Set(tokens.map((token) => token.digest())).size).toBe(tokens.length);
  });
});
