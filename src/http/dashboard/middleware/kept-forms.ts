import { createHmac, timingSafeEqual } from 'node:crypto';
import { inject, injectable } from 'inversify';
import { Clock } from '../../../application/ports/system/clock';
import { SealBroken, SecretBox } from '../../../application/ports/system/secret-box';
import { DashboardSettings } from '../dashboard-settings';
import { ownPath } from '../sign-in/own-path';
import { TOKEN_FIELD } from './form-tokens';

/** Whose form it is: known before anyone has signed in, and not forgeable. */
export const OWNER_FIELD = '_owner';
/** The page that the form was on. */
export const PLACE_FIELD = '_place';

const PURPOSE = 'kept-form';
const KEPT_MS = 3_600_000;
/** Sealed and encoded, it still fits into the sign-in form. */
const MAX_BYTES = 6_000;
const OWN_FIELDS: readonly string[] = [TOKEN_FIELD, OWNER_FIELD, PLACE_FIELD];
const SECRET = /password|secret|token/i;

/** What was sent in a form, in the order of its fields. */
export type SentFields = readonly (readonly [name: string, value: string])[];

export interface KeptForm {
  readonly action: string;
  readonly place: string;
  readonly fields: SentFields;
}

interface Sealed extends KeptForm {
  readonly owner: string;
  readonly until: number;
}

/** A form whose sender had to sign in first. It travels in the sign-in page, encrypted, and opens for its sender only. */
@injectable()
export class KeptForms {
  constructor(
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  ownerMark(userId: string): string {
    return createHmac('sha256', this.settings.cookieSecret).update(`form of ${userId}`).digest('base64url');
  }

  isOwner(mark: string, userId: string): boolean {
    const [given, expected] = [Buffer.from(mark), Buffer.from(this.ownerMark(userId))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Undefined if the form is too long. */
  seal(form: KeptForm, owner: string): string | undefined {
    const text = JSON.stringify({ ...form, owner, until: this.clock.now().getTime() + KEPT_MS } satisfies Sealed);
    return Buffer.byteLength(text) > MAX_BYTES ? undefined : this.box.seal(text, PURPOSE);
  }

  /** Undefined if the form is another person's, or older than an hour. */
  open(sealed: string, userId: string): KeptForm | undefined {
    try {
      const { owner, until, action, place, fields } = JSON.parse(this.box.open(sealed, PURPOSE)) as Sealed;
      return this.isOwner(owner, userId) && until > this.clock.now().getTime() ? { action, place, fields } : undefined;
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

/** The page that a form was on, as the form says. */
export function placeOf(body: unknown): string {
  return ownPath(textOf(body, PLACE_FIELD));
}

export function ownerOf(body: unknown): string {
  return textOf(body, OWNER_FIELD);
}

/** The fields that a person filled in; undefined if one of them is a secret, which is never sent back. */
export function sentFields(body: unknown): SentFields | undefined {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
    .filter(([name]) => !OWN_FIELDS.includes(name))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each: unknown) =>
        typeof each === 'string' ? [[name, each] as const] : [],
      ),
    );
  return fields.some(([name]) => SECRET.test(name)) ? undefined : fields;
}

function textOf(body: unknown, name: string): string {
  const sent = (body as Record<string, unknown> | undefined)?.[name];
  const value: unknown = Array.isArray(sent) ? sent[0] : sent;
  return typeof value === 'string' ? value : '';
}
