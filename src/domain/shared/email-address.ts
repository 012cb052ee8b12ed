const EMAIL =
  /^[^\s\p{Cc}\p{Cs}\p{NChar}@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;
const MAX_LENGTH = 254;

export const EMAIL_EXPECTATION = `must be an e-mail address of at most ${MAX_LENGTH} characters`;

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text);
}
