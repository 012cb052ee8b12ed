import { InvalidValue } from './invalid-value';

/** The URL may have a password, so the message does not repeat it. @throws InvalidValue */
export function parseLimitsStore(text: string): string {
  const url = /^rediss?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === '' || !/^(\/\d{0,4})?$/.test(url.pathname) || url.search + url.hash !== '')
    throw new InvalidValue('must be redis://host:6379 or rediss://user:password@host:6379/0');
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw new InvalidValue('must have user name and password percent-encoded');
  return text;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
