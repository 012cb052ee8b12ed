import { createHmac, timingSafeEqual } from 'node:crypto';
import { inject, injectable } from '../../../application/ports/inject';
import { Clock, SealBroken, SecretBox } from '../../../application/ports/system';
import { DashboardSettings } from '../dashboard-settings';
import { toLocalPath } from './local-path';
import { TOKEN_FIELD } from './form-tokens';

/** Hidden field that tells which user the form was rendered for. Signed, and readable without a session. */
export const OWNER_FIELD = '_owner';
/** Hidden field with the URL of the page that had the form. */
export const RETURN_PATH_FIELD = '_return_path';

const PURPOSE = 'saved-form';
const LIFETIME_MS = 3_600_000;
/** Sealed and encoded, this still fits the size limit of the sign-in form. */
const MAX_BYTES = 6_000;
/** Sealed, what a browser takes along to a sign-in provider in a cookie, which has at most 4,096 bytes. */
export const MAX_COOKIE_FORM = 2_000;
/** Every form has them, and is rendered with new ones. */
export const HIDDEN_FIELDS: readonly string[] = [TOKEN_FIELD, OWNER_FIELD, RETURN_PATH_FIELD];
const SECRET = /password|secret|token|auth_code/i;

/** The fields that a user submitted, in the order of the form. */
type SubmittedFields = readonly (readonly [name: string, value: string])[];

export interface SavedForm {
  readonly action: string;
  readonly returnPath: string;
  readonly fields: SubmittedFields;
}

interface SealedForm extends SavedForm {
  readonly owner: string;
  readonly until: number;
}

/** Saves a form while its user signs in again. It is stored in the sign-in page, encrypted, and opens only for that user. */
@injectable()
export class SavedForms {
  constructor(
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The value of `OWNER_FIELD` for the forms of a user. */
  signOwner(userId: string): string {
    return createHmac('sha256', this.settings.cookieSecret).update(`form of ${userId}`).digest('base64url');
  }

  isOwner(signature: string, userId: string): boolean {
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.signOwner(userId))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Returns undefined if the form is too long. */
  seal(form: SavedForm, owner: string): string | undefined {
    const text = JSON.stringify({
      ...form,
      owner,
      until: this.clock.now().getTime() + LIFETIME_MS,
    } satisfies SealedForm);
    return Buffer.byteLength(text) > MAX_BYTES ? undefined : this.box.seal(text, PURPOSE);
  }

  /** A form of a signed-in user that is to be confirmed first; empty if it has a secret or is too long for a cookie. */
  sealForCookie(form: SavedForm, userId: string): string {
    const sealed = form.fields.some(isSecret) ? undefined : this.seal(form, this.signOwner(userId));
    return sealed === undefined || sealed.length > MAX_COOKIE_FORM ? '' : sealed;
  }

  /** Returns undefined if the form belongs to another user, was altered, or is older than an hour. */
  open(sealed: string, userId: string): SavedForm | undefined {
    try {
      const { owner, until, action, returnPath, fields } = JSON.parse(this.box.open(sealed, PURPOSE)) as SealedForm;
      return this.isOwner(owner, userId) && until > this.clock.now().getTime()
        ? { action, returnPath, fields }
        : undefined;
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

/** The page that had the form. */
export function readReturnPath(body: unknown): string {
  return toLocalPath(readText(body, RETURN_PATH_FIELD));
}

export function readOwner(body: unknown): string {
  return readText(body, OWNER_FIELD);
}

/** The fields that the user filled in; undefined if one is a secret, which must never be sent back. */
export function readSubmittedFields(body: unknown): SubmittedFields | undefined {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
    .filter(([name]) => !HIDDEN_FIELDS.includes(name))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each: unknown) =>
        typeof each === 'string' ? [[name, each] as const] : [],
      ),
    );
  return fields.some(isSecret) ? undefined : fields;
}

function isSecret([name]: SubmittedFields[number]): boolean {
  return SECRET.test(name);
}

function readText(body: unknown, name: string): string {
  const sent = (body as Record<string, unknown> | undefined)?.[name];
  const value: unknown = Array.isArray(sent) ? sent[0] : sent;
  return typeof value === 'string' ? value : '';
}
