import { ValidationError } from '../../domain/shared/validation-error';
import type { ApiRequest } from './api-request';

/** RFC 9110, section 8.8.3: a comma may stand within the quotes. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const ENTITY_TAG = new RegExp(TAG, 'g');
/** With empty elements, as section 5.6.1 has it. */
const TAGS = new RegExp(String.raw`^[ \t,]*${TAG}(?:[ \t]*,[ \t,]*${TAG})*[ \t,]*$`);
const MAX_TAGS = 100;

/**
 * The entity tags of If-Match, with their quotes; undefined for any version (RFC 9110, section 13.1.1): no header, or `*`.
 * @throws ValidationError
 */
export function matchingTags({ headers }: Pick<ApiRequest, 'headers'>): readonly string[] | undefined {
  const header = headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const tags = header.match(ENTITY_TAG) ?? [];
  if (tags.length > MAX_TAGS || !TAGS.test(header))
    throw ValidationError.of('If-Match', 'must be * or what an ETag header said, in double quotes');
  return tags;
}
