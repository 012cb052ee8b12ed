import type { ConnectError } from './connect-errors';
import type { Template } from './templates/template';

/**
 * The URL that a browser may be sent back to; undefined if that is not allowed. Where the template names domains, it is at one of
 * them or below; otherwise only a signed request may name any.
 */
export function allowedReturnUrl(
  text: string,
  { syncRedirectDomains: domains }: Pick<Template, 'syncRedirectDomains'>,
  isSigned: boolean,
): URL | undefined {
  if (/[\s\\]/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // RFC 6761: names of this machine only.
  const isLocal = url.hostname.endsWith('.localhost');
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (domains.length === 0) return isSigned ? url : undefined;
  const host = url.hostname.replace(/\.$/, '');
  const isAt = (domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
  return domains.some((domain) => isAt(domain.replace(/^\*\./, ''))) ? url : undefined;
}

/** Where to send the browser, with `state` as it was given and, unless the service was connected, `error`. */
export function returnUrl(
  to: URL,
  state: string | undefined,
  failure?: { readonly error: ConnectError; readonly description?: string },
): string {
  const url = new URL(to);
  if (state !== undefined) url.searchParams.append('state', state);
  if (failure) {
    url.searchParams.append('error', failure.error);
    if (failure.description !== undefined) url.searchParams.append('error_description', failure.description);
  }
  return url.href;
}
