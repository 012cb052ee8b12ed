import { hash, timingSafeEqual } from 'node:crypto';

const KEY_ID = /^[A-Za-z0-9_-]{12}$/;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A complete API key, `<prefix>_live_<keyid>.<secret>`: shown once, and sent with every request. */
export class ApiKeyToken {
  constructor(
    readonly keyId: string,
    private readonly secret: string,
  ) {
    if (!KEY_ID.test(keyId) || !SECRET.test(secret))
      throw new TypeError('an API key has an id of 12 and a secret of 43 base64url characters');
  }

  /** Returns undefined unless `text` is a complete key with this prefix. */
  static parse(text: string, prefix: string): ApiKeyToken | undefined {
    const lead = `${prefix}_live_`;
    const dot = lead.length + 12;
    if (!text.startsWith(lead) || text[dot] !== '.') return undefined;
    const keyId = text.slice(lead.length, dot);
    const secret = text.slice(dot + 1);
    return KEY_ID.test(keyId) && SECRET.test(secret) ? new ApiKeyToken(keyId, secret) : undefined;
  }

  /**
   * The stored hash of the secret. SHA-256 is sufficient because 256 random bits cannot be guessed
   * (docs/decisions/0003).
   */
  digest(): string {
    return hash('sha256', this.secret);
  }

  matches(digest: string): boolean {
    return timingSafeEqual(hash('sha256', this.secret, 'buffer'), Buffer.from(digest, 'hex'));
  }

  toText(prefix: string): string {
    return `${prefix}_live_${this.keyId}.${this.secret}`;
  }
}
