import type { Issue } from './issue';
import { ValidationError } from './validation-error';

/** The most tags that a domain has. */
export const MAX_TAGS = 20;
const MAX_LENGTH = 40;
const TAG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:-]*$/u;
export const TAG_EXPECTATION = `must be 1 to ${MAX_LENGTH} letters, digits and . _ : -, and begin with a letter or a digit`;

/** In lower case (Unicode NFC), with hyphens in place of spaces. Undefined for text that is no tag. */
export function normalizeTag(text: string): string | undefined {
  if (text.length > 4 * MAX_LENGTH) return undefined;
  const tag = text.trim().normalize('NFC').toLowerCase().replaceAll(/\s+/gu, '-');
  return TAG.test(tag) && tag.length <= MAX_LENGTH ? tag : undefined;
}

/** The tags in alphabetical order, each once. @throws ValidationError about every tag that is invalid */
export function parseTags(given: readonly string[], path = 'tags'): readonly string[] {
  const issues: Issue[] = [];
  const tags = new Set<string>();
  for (const [index, text] of given.slice(0, 10 * MAX_TAGS).entries()) {
    const tag = normalizeTag(text);
    if (tag === undefined) issues.push({ path: `${path}[${index}]`, message: TAG_EXPECTATION });
    else tags.add(tag);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  if (tags.size > MAX_TAGS || given.length > 10 * MAX_TAGS)
    throw ValidationError.of(path, `must be at most ${MAX_TAGS} tags`);
  return [...tags].toSorted();
}
