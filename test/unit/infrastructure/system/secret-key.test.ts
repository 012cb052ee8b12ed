import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { ConfigurationError } from '../../../../src/config';
import { ValidationError } from '../../../../src/domain/shared/validation-error';
import { loadSecretKey, readNewSecretKey } from '../../../../src/infrastructure/system/secret-key';

describe('the secret key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-key-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is created in a folder and file that only the owner can read, and read again at the next start', () => {
    const file = join(folder, 'data', 'secret.key');
    const source = { secretKey: { kind: 'file', file, createWhenMissing: true } } as const;
    const created = loadSecretKey(source);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['secret.key']);
    expect(created.export()).toHaveLength(32);
    expect(loadSecretKey(source).equals(created)).toBe(true);
    expect(inspect(created)).not.toContain(readFileSync(file, 'utf8').trim());
  });

  it('is not created if SECRET_KEY_FILE names a missing file', () => {
    expect(() =>
      loadSecretKey({ secretKey: { kind: 'file', file: join(folder, 'typo.key'), createWhenMissing: false } }),
    ).toThrow(ConfigurationError);
  });

  it.each([0o644, 0o604, 0o660, 0o620, 0o666])(
    'is rejected in a file of mode %o, which others may read or write',
    (mode) => {
      const file = join(folder, 'open.key');
      writeFileSync(file, Buffer.alloc(32, 1).toString('base64'));
      chmodSync(file, mode);

      expect(() => loadSecretKey({ secretKey: { kind: 'file', file, createWhenMissing: false } })).toThrow(
        /SECRET_KEY_FILE \(.*open\.key\) must be readable by its owner alone \(chmod 600\)/,
      );
      expect(() => readNewSecretKey(file)).toThrow(ValidationError);
    },
  );

  it.each([0o400, 0o600])('is read from a file of mode %o', (mode) => {
    const file = join(folder, `private-${mode}.key`);
    writeFileSync(file, Buffer.alloc(32, 1).toString('base64'));
    chmodSync(file, mode);

    expect(loadSecretKey({ secretKey: { kind: 'file', file, createWhenMissing: false } }).export()).toEqual(
      Buffer.alloc(32, 1),
    );
    expect(readNewSecretKey(file).export()).toEqual(Buffer.alloc(32, 1));
  });

  it('is rejected if the file holds anything else, and the error does not show the content', () => {
    const file = join(folder, 'wrong.key');
    writeFileSync(file, 'hunter2', { mode: 0o600 });
    expect(() => loadSecretKey({ secretKey: { kind: 'file', file, createWhenMissing: false } })).toThrow(
      /^(?!.*hunter2).*SECRET_KEY_FILE must hold 32 bytes/s,
    );
  });
});
