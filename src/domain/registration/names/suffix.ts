import { toAsciiName } from '../../shared/idna';

const MAX_LENGTH = 253;
const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
const ENDS_IN_NUMBER = /(?:^|\.)\d+$/;

/** Parses a TLD or public suffix to its stored form: `com`, `co.uk`, `xn--p1ai`. Returns undefined if it is invalid. */
export function parseSuffix(text: string): string | undefined {
  const suffix = text.length <= MAX_LENGTH ? toAsciiName(text) : undefined;
  return suffix !== undefined && LABELS.test(suffix) && !ENDS_IN_NUMBER.test(suffix) ? suffix : undefined;
}
