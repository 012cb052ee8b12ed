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
    return `${FORMAT}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  open(sealed: string, purpose: string): string {
    const [format, encoded = ''] = sealed.split('.');
    const bytes = Buffer.from(encoded, 'base64url');
    if (format !== FORMAT || bytes.length < NONCE_BYTES + TAG_BYTES)
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
