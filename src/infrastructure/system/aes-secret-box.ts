import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import { SealBroken, type SecretBox } from '../../application/ports/system';

const CIPHER = 'aes-256-gcm';
const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM (NIST SP 800-38D) under SECRET_KEY; the purpose is its additional authenticated data. */
export class AesSecretBox implements SecretBox {
  constructor(private readonly key: KeyObject) {}

  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return encode(Buffer.concat([nonce, cipher.getAuthTag(), body]));
  }

  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed.slice(FORMAT.length + 1), 'base64url');
    // What works once is known by its text, so no second text may decrypt to the same.
    const isCanonical = sealed === encode(bytes);
    if (!isCanonical || bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new SealBroken('The encrypted text has an unknown format');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    try {
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new SealBroken(`The secret ${purpose} cannot be decrypted with this SECRET_KEY`, { cause: error });
    }
  }
}

function encode(bytes: Buffer): string {
  return `${FORMAT}.${bytes.toString('base64url')}`;
}
