import { ValidationError } from '../../shared/validation-error';

const MIN_PASSWORD_BYTES = 12;
/** bcrypt ignores further bytes. */
export const MAX_PASSWORD_BYTES = 72;
/** For messages to users. */
export const PASSWORD_LENGTH = `${MIN_PASSWORD_BYTES} to ${MAX_PASSWORD_BYTES} bytes (ASCII characters take one byte, others two or more)`;

/** @throws ValidationError about `field` if the password is too short, too long, or `isWeak` says that it is easy to guess. */
export function assertPassword(text: string, isWeak: (text: string) => boolean, field = 'password'): void {
  const bytes = Buffer.byteLength(text);
  if (bytes < MIN_PASSWORD_BYTES || bytes > MAX_PASSWORD_BYTES)
    throw ValidationError.of(field, `must have ${PASSWORD_LENGTH}`);
  if (isWeak(text)) throw ValidationError.of(field, 'must be harder to guess: use several unrelated words');
}
