/** Path and query of a URL on this site; '/' for anything else, which prevents open redirects. */
export function toLocalPath(text: string): string {
  if (!text.startsWith('/') || text.length > 2_000 || !URL.canParse(text, 'http://localhost')) return '/';
  const { origin, pathname, search } = new URL(text, 'http://localhost');
  return origin === 'http://localhost' && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}
