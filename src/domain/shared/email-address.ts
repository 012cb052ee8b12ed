const EMAIL =
  /^[^\s\p{Cc}\p{Cs}\p{NChar}@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;
/** Zero-width and other invisible characters, and those that set the direction of text: two addresses would look the same. */
const INVISIBLE = /[\p{Cf}\p{DI}\p{Co}]/u;
const MAX_LENGTH = 254;

export const EMAIL_EXPECTATION = `must be an e-mail address of at most ${MAX_LENGTH} characters`;

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text) && !INVISIBLE.test(text);
}
