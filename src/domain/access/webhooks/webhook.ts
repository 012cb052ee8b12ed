import { parseZoneName } from '../../dns/zone-names/zone-name';
import { parseTags } from '../../shared/tags';
import { validateAll, ValidationError } from '../../shared/validation-error';
import { TYPES_EXPECTATION, typesMatching } from '../events/event-types';

export const MAX_WEBHOOKS = 20;
/** How long both secrets sign after a rotation. */
export const FORMER_SECRET_MS = 24 * 60 * 60_000;
const MAX_URL_LENGTH = 2_000;
/** Of a name in DNS. */
const MAX_HOST_LENGTH = 253;
const MAX_ENTRIES = 100;
const MAX_DESCRIPTION = 200;

export const WEBHOOK_STATUSES = ['active', 'paused', 'switched_off'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why the service switched a webhook off: its receiver answered 410, or every attempt has failed for days. */
export type SwitchOffReason = 'gone' | 'failing';

export interface WebhookSettings {
  readonly url: string;
  readonly description: string;
  /** Types and groups such as `domain.*`; null: all. */
  readonly types: readonly string[] | null;
  /** Only events about domains and zones of these names; null: all events. */
  readonly domains: readonly string[] | null;
  /** Only events about domains that have one of these tags; null: all events. */
  readonly tags: readonly string[] | null;
}

/** Where an account's events are sent. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly accountId: string;
  readonly status: WebhookStatus;
  readonly reason: SwitchOffReason | null;
  /** Sealed. */
  readonly secret: string;
  /** Signs, too, for a time after a rotation. */
  readonly formerSecret: { readonly sealed: string; readonly until: Date } | null;
  /** When the first attempt failed since the last success. */
  readonly failingSince: Date | null;
  /** The receiver asked for a pause until then. */
  readonly heldUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it was removed; its deliveries are removed later. */
  readonly finishedAt: Date | null;
}

export interface GivenSettings {
  readonly url: string;
  readonly description?: string | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly domains?: readonly string[] | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
}

/** @param allowsHttp whether the operator permits receivers without TLS @throws ValidationError with all issues */
export function parseWebhookSettings(given: GivenSettings, { allowsHttp }: { allowsHttp: boolean }): WebhookSettings {
  const [url, description, types, domains, tags] = validateAll(
    () => parseUrl(given.url, allowsHttp),
    () => parseDescription(given.description ?? ''),
    () => parseList('types', given.types, parseType),
    () => parseList('domains', given.domains, parseZoneName),
    () => (given.tags?.length ? parseTags(given.tags) : null),
  );
  return { url, description, types, domains, tags };
}

function parseUrl(text: string, allowsHttp: boolean): string {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw ValidationError.of(
      'url',
      `must be a URL that begins with https:// and has at most ${MAX_URL_LENGTH} characters`,
    );
  if (url.host.length > MAX_HOST_LENGTH)
    throw ValidationError.of('url', `must have a host name and port of at most ${MAX_HOST_LENGTH} characters`);
  if (url.protocol === 'http:' && !allowsHttp)
    throw ValidationError.of('url', 'must begin with https://: the operator permits no receivers without TLS');
  if (url.username !== '' || url.password !== '')
    throw ValidationError.of('url', 'must not have a user name or password: verify the signature instead');
  if (url.hash !== '') throw ValidationError.of('url', 'must not have a fragment, which is not sent');
  return url.href;
}

function parseDescription(text: string): string {
  const description = text.trim();
  if (description.length > MAX_DESCRIPTION || /\p{Cc}|\p{Cs}/u.test(description))
    throw ValidationError.of(
      'description',
      `must have at most ${MAX_DESCRIPTION} characters, and no control characters`,
    );
  return description;
}

function parseType(text: string, path: string): string {
  if (typesMatching(text).length === 0) throw ValidationError.of(path, TYPES_EXPECTATION);
  return text;
}

/** An empty list is none: a webhook without events would be a mistake. */
function parseList(
  path: string,
  given: readonly string[] | null | undefined,
  parse: (text: string, path: string) => string,
): readonly string[] | null {
  if (!given || given.length === 0) return null;
  if (given.length > MAX_ENTRIES) throw ValidationError.of(path, `must have at most ${MAX_ENTRIES} entries`);
  const parsed = validateAll(...given.map((text, index) => () => parse(text, `${path}[${index}]`)));
  return [...new Set(parsed)];
}

/** The host of its receiver: all that others than the account's owners may learn of the URL. */
export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host;
}
