import { ValidationError } from '../shared/validation-error';

const MIN_PASSWORD_BYTES = 12;
/** bcrypt reads no further. */
export const MAX_PASSWORD_BYTES = 72;
/** In words for people. */
export const PASSWORD_LENGTH = `${MIN_PASSWORD_BYTES} to ${MAX_PASSWORD_BYTES} bytes: a plain letter is one, others are two or more`;

/** @throws ValidationError naming `field` where the text will not do as a password. `isWeak` knows those that are easy to guess. */
export function assertPassword(text: string, isWeak: (text: string) => boolean, field = 'password'): void {
  const bytes = Buffer.byteLength(text);
  if (bytes < MIN_PASSWORD_BYTES || bytes > MAX_PASSWORD_BYTES)
    throw ValidationError.of(field, `must have ${PASSWORD_LENGTH}`);
  if (isWeak(text)) throw ValidationError.of(field, 'must be harder to guess: use several unrelated words');
}
