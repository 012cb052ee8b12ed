import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { IssuerUnavailable } from '../../application/ports/access/trust-rules';
import type { ReceiverAddresses } from '../webhooks/receiver-addresses';
import { fetchJson } from './fetch-json';

const MAX_DISCOVERY_BYTES = 65_536;
const MAX_KEYS_BYTES = 131_072;
const MAX_KEYS = 50;
/** In base64url: 8,192 bits. Larger keys of RSA cost too much to verify with. */
const MAX_MODULUS_LENGTH = 1_366;
const TIMEOUT_MS = 5_000;
const LIFETIME_MS = 10 * 60_000;
const FAILURE_LIFETIME_MS = 10_000;
/** Anyone can send tokens with key ids that the issuer does not have. */
const COOLDOWN_MS = 30_000;
const MAX_ISSUERS = 100;

interface Loaded {
  readonly keys: Promise<JWTVerifyGetKey>;
  readonly startedAt: number;
  until: number;
  /** Fetched because of an unknown key id: replaces these if it could be fetched. */
  next?: Loaded;
}

/** The public keys of issuers, by OpenID Connect Discovery 1.0, kept for some minutes. */
export class IssuerKeys {
  private readonly loaded = new Map<string, Loaded>();

  constructor(
    private readonly addresses: ReceiverAddresses,
    /** In monotonic milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Finds keys for `jwtVerify`, which throws IssuerUnavailable if they cannot be fetched. */
  of(issuer: string): JWTVerifyGetKey {
    return async (header, token) => {
      const present = this.load(issuer);
      const keys = await present.keys;
      try {
        return await keys(header, token);
      } catch (error) {
        const next = error instanceof errors.JWKSNoMatchingKey ? this.loadNext(issuer, present) : undefined;
        if (!next) throw error;
        return (await next.keys)(header, token);
      }
    };
  }

  private load(issuer: string): Loaded {
    const known = this.loaded.get(issuer);
    if (known && known.until > this.now()) return known;
    const loaded = this.startFetch(issuer);
    this.loaded.delete(issuer);
    this.loaded.set(issuer, loaded);
    const [oldest] = this.loaded.keys();
    if (this.loaded.size > MAX_ISSUERS && oldest !== undefined) this.loaded.delete(oldest);
    return loaded;
  }

  /** The issuer may have new keys. Until they have come, tokens with the present ones are verified. Undefined within the cooldown. */
  private loadNext(issuer: string, present: Loaded): Loaded | undefined {
    const now = this.now();
    if (present.next && present.next.until > now) return present.next;
    if (!present.next && now - present.startedAt < COOLDOWN_MS) return undefined;
    const next = this.startFetch(issuer);
    present.next = next;
    next.keys.then(
      () => this.loaded.get(issuer) === present && this.loaded.set(issuer, next),
      () => undefined,
    );
    return next;
  }

  private startFetch(issuer: string): Loaded {
    const loaded: Loaded = { keys: this.fetchKeys(issuer), startedAt: this.now(), until: Infinity };
    loaded.keys.then(
      () => (loaded.until = this.now() + LIFETIME_MS),
      () => (loaded.until = this.now() + FAILURE_LIFETIME_MS),
    );
    return loaded;
  }

  /** @throws IssuerUnavailable */
  private async fetchKeys(issuer: string): Promise<JWTVerifyGetKey> {
    try {
      const discovery = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
      const limits = { maxBytes: MAX_DISCOVERY_BYTES, timeoutMs: TIMEOUT_MS };
      const document = membersOf(await fetchJson(discovery, this.addresses, limits));
      if (document['issuer'] !== issuer) throw new Error('the issuer calls itself differently');
      const url = new URL(String(document['jwks_uri']));
      if (url.protocol !== 'https:' && url.protocol !== discovery.protocol) throw new Error('its keys are without TLS');
      const { keys } = membersOf(await fetchJson(url, this.addresses, { ...limits, maxBytes: MAX_KEYS_BYTES }));
      if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error(`it has no keys, or more than ${MAX_KEYS}`);
      return createLocalJWKSet({ keys: keys.filter(isAffordable) });
    } catch (error) {
      throw new IssuerUnavailable('the keys of the issuer could not be fetched', { cause: error });
    }
  }
}

function membersOf(document: unknown): Readonly<Record<string, unknown>> {
  if (typeof document !== 'object' || document === null) throw new Error('the document is not an object');
  return document as Readonly<Record<string, unknown>>;
}

function isAffordable(key: unknown): key is JWK {
  if (typeof key !== 'object' || key === null) return false;
  const { n } = key as { readonly n?: unknown };
  return n === undefined || (typeof n === 'string' && n.length <= MAX_MODULUS_LENGTH);
}
