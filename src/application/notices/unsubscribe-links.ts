import { createHmac, timingSafeEqual } from 'node:crypto';
import { inject, injectable, token } from '../ports/inject';
import { isMailKind, MAIL_RULES, type MailKind } from '../../domain/access/notices/notice';

/** The 32-byte HMAC key of the links; the same in all processes. */
export const UnsubscribeKey = token<Buffer>('UnsubscribeKey');

const TOKEN = /^([A-Za-z0-9_]{1,40})\.([a-z_]{1,24})\.([A-Za-z0-9_-]{43})$/;

/** Signed links by which the reader of a mail ends mails of its kind without signing in. They do nothing else, so they do not expire. */
@injectable()
export class UnsubscribeLinks {
  constructor(@inject(UnsubscribeKey) private readonly key: Buffer) {}

  tokenOf(personId: string, kind: MailKind): string {
    return `${personId}.${kind}.${this.signature(personId, kind).toString('base64url')}`;
  }

  /** Undefined for a text that this service has not signed. */
  read(text: string): { readonly personId: string; readonly kind: MailKind } | undefined {
    const [, personId = '', kind = '', signature = ''] = TOKEN.exec(text) ?? [];
    if (!isMailKind(kind) || !MAIL_RULES[kind].isOptional) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const own = this.signature(personId, kind);
    return given.length === own.length && timingSafeEqual(given, own) ? { personId, kind } : undefined;
  }

  private signature(personId: string, kind: MailKind): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify(['unsubscribe', personId, kind]))
      .digest();
  }
}
