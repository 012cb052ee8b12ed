/** Where to go after signing in: a path of ours and never another site. */
export function ownPath(text: string): string {
  if (!text.startsWith('/') || text.length > 2_000 || !URL.canParse(text, 'http://localhost')) return '/';
  const { origin, pathname, search } = new URL(text, 'http://localhost');
  return origin === 'http://localhost' && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}
