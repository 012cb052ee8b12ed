import { createSecretKey, randomBytes } from 'node:crypto';
import { SealBroken } from '../../../../src/application/ports/system';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';

const aBox = (): AesSecretBox => new AesSecretBox(createSecretKey(randomBytes(32)));

describe('the AES secret box', () => {
  it.each(['', 's3cret', 'ünï – 文字', 'x'.repeat(10_000)])('decrypts what it encrypted', (text) => {
    const box = aBox();

    expect(box.open(box.seal(text, 'auth-code:op_1'), 'auth-code:op_1')).toBe(text);
  });

  it('encrypts the same text differently each time', () => {
    const box = aBox();
    const [first, second] = [box.seal('correct horse', 'tsig:a'), box.seal('correct horse', 'tsig:a')];

    expect(first).not.toContain('correct');
    expect(first).not.toBe(second);
  });

  it('does not decrypt for a different purpose', () => {
    const box = aBox();
    const sealed = box.seal('s3cret', 'tsig:a');

    expect(() => box.open(sealed, 'tsig:b')).toThrow(SealBroken);
  });

  it('does not decrypt with a different key', () => {
    expect(() => aBox().open(aBox().seal('s3cret', 'tsig:a'), 'tsig:a')).toThrow(SealBroken);
  });

  it('rejects changed, truncated and malformed texts', () => {
    const box = aBox();
    const sealed = box.seal('s3cret', 'tsig:a');
    const changed = [...Array(sealed.length - 3).keys()].map(
      (at) => `${sealed.slice(0, at + 3)}${sealed[at + 3] === 'A' ? 'Q' : 'A'}${sealed.slice(at + 4)}`,
    );

    for (const text of [
      '',
      'v1.',
      'v2.AAAA',
      sealed.slice(0, -4),
      sealed.replace('v1', 'v0'),
      `${sealed}=`,
      `${sealed}.more`,
      ...changed,
    ]) {
      expect(() => box.open(text, 'tsig:a')).toThrow(SealBroken);
    }
  });
});
