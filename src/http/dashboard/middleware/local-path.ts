/** Of the longest link that asks to connect a domain. */
const MAX_LENGTH = 8_000;

/** Path and query of a URL on this site; '/' for anything else, which prevents open redirects. */
export function toLocalPath(text: string): string {
  if (!text.startsWith('/') || text.length > MAX_LENGTH || !URL.canParse(text, 'http://localhost')) return '/';
  const { origin, pathname, search } = new URL(text, 'http://localhost');
  return origin === 'http://localhost' && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}
