import * as client from 'openid-client';
import type { JWTVerifyGetKey } from 'jose';
import {
  AccessTokenInvalid,
  LogoutTokenInvalid,
  ProviderNotFresh,
  ProviderRefused,
  ProviderUnavailable,
  type AccessToken,
  type Assertion,
  type IdentityProvider,
  type IdentityProviders,
  type Logout,
} from '../../application/ports/access/authentication';
import type { Log } from '../../application/ports/system';
import { isIssuedBy } from '../../domain/access/people/identity';
import { verifyAccessToken } from './access-tokens';
import { claimOf } from './claim-of';
import { isClaimedBy, remoteKeys, verifyLogoutToken } from './logout-tokens';
import { isLoopback, type ProviderDefinition } from './read-providers';

const TIMEOUT_SECONDS = 10;
/** Endpoints and keys of a provider may change. */
const DISCOVERY_LIFETIME_MS = 3_600_000;
/** Requests do not wait for a provider that failed so shortly before. */
const FAILURE_LIFETIME_MS = 10_000;
/** With `fresh`: how long ago the person authenticated at the provider at most. */
const FRESH_SECONDS = 120;
const MAX_GROUPS = 1_000;

interface Discovered {
  readonly configuration: Promise<client.Configuration>;
  until: number;
}

/** OpenID Connect Core 1.0 by openid-client, which verifies issuer, audience, signature, times, nonce, state and PKCE. */
export class OpenIdProviders implements IdentityProviders {
  private readonly discovered = new Map<string, Discovered>();
  /** By URL: fetched keys are kept, and what is not found is asked for with pauses. */
  private readonly keys = new Map<string, JWTVerifyGetKey>();

  constructor(
    readonly all: readonly ProviderDefinition[],
    private readonly log: Log,
  ) {}

  async start(
    provider: IdentityProvider,
    { redirectUri, fresh }: Parameters<IdentityProviders['start']>[1],
  ): ReturnType<IdentityProviders['start']> {
    const configuration = await this.discover(provider);
    const [state, nonce, codeVerifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.definitionOf(provider).scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(fresh && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
    });
    return { url: url.href, request: { state, nonce, codeVerifier } };
  }

  async finish(
    provider: IdentityProvider,
    { currentUrl, fresh, state, nonce, codeVerifier }: Parameters<IdentityProviders['finish']>[1],
  ): Promise<Assertion> {
    const configuration = await this.discover(provider);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
      ...(fresh && { maxAge: FRESH_SECONDS }),
    };
    const tokens = await client
      .authorizationCodeGrant(configuration, new URL(currentUrl), checks)
      .catch((error: unknown) => {
        const refused = this.refused(provider, error);
        throw fresh && claimOf(error) === 'auth_time' ? new ProviderNotFresh(provider, { cause: error }) : refused;
      });
    const claims = tokens.claims();
    if (!claims) throw this.refused(provider, undefined);
    const definition = this.definitionOf(provider);
    const isComplete = claims['email'] !== undefined && (!definition.groups || definition.groupsClaim in claims);
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined)
      return toAssertion(definition, claims);
    // Many providers put what scopes ask for there only (OpenID Connect Core 1.0, section 5.4).
    const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch((error: unknown) => {
      throw this.refused(provider, error);
    });
    return toAssertion(definition, { ...more, ...claims });
  }

  async verifyLogout(provider: IdentityProvider, token: string): Promise<Logout> {
    const isIssuer = (issuer: string) => isIssuedBy({ issuer }, provider);
    if (!isClaimedBy(token, isIssuer)) throw new LogoutTokenInvalid('iss');
    const { keys, metadata } = await this.signers(provider);
    const { id_token_signing_alg_values_supported: algorithms } = metadata;
    const audience = this.definitionOf(provider).clientId;
    return verifyLogoutToken(token, { isIssuer, audience, algorithms, keys }).catch((error: unknown) => {
      throw error instanceof LogoutTokenInvalid ? error : new ProviderUnavailable(provider, { cause: error });
    });
  }

  claimedBy(token: string): IdentityProvider | undefined {
    return this.all.find((provider) => isClaimedBy(token, (issuer) => isIssuedBy({ issuer }, provider)));
  }

  async verifyAccess(provider: IdentityProvider, token: string, audience: string): Promise<AccessToken> {
    const { keys } = await this.signers(provider);
    const isIssuer = (issuer: string) => isIssuedBy({ issuer }, provider);
    const { claims, ...access } = await verifyAccessToken(token, { isIssuer, audience, keys }).catch(
      (error: unknown) => {
        throw error instanceof AccessTokenInvalid ? error : new ProviderUnavailable(provider, { cause: error });
      },
    );
    return { ...access, secondFactor: isSecondFactor(this.definitionOf(provider), claims) };
  }

  async signOutUrl(provider: IdentityProvider, returnUrl: string): Promise<string | undefined> {
    try {
      const configuration = await this.discover(provider);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnUrl }).href;
    } catch (error) {
      if (error instanceof ProviderUnavailable) return undefined;
      throw error;
    }
  }

  /** Whose signatures count. @throws ProviderUnavailable */
  private async signers(provider: IdentityProvider) {
    const metadata = (await this.discover(provider)).serverMetadata();
    const { jwks_uri: uri = '' } = metadata;
    if (!URL.canParse(uri)) throw new ProviderUnavailable(provider);
    const keys = this.keys.get(uri) ?? remoteKeys(uri, TIMEOUT_SECONDS * 1_000);
    this.keys.set(uri, keys);
    return { keys, metadata };
  }

  private definitionOf({ id }: IdentityProvider): ProviderDefinition {
    const found = this.all.find((each) => each.id === id);
    if (!found) throw new TypeError(`not a provider: ${id}`);
    return found;
  }

  /** One request at a time to a provider: anyone can start a sign-in. */
  private discover(provider: IdentityProvider): Promise<client.Configuration> {
    const known = this.discovered.get(provider.id);
    if (known && known.until > Date.now()) return known.configuration;
    const discovered = { configuration: this.fetchConfiguration(provider), until: Infinity };
    this.discovered.set(provider.id, discovered);
    discovered.configuration.then(
      () => (discovered.until = Date.now() + DISCOVERY_LIFETIME_MS),
      () => (discovered.until = Date.now() + FAILURE_LIFETIME_MS),
    );
    return discovered.configuration;
  }

  /** @throws ProviderUnavailable */
  private async fetchConfiguration(provider: IdentityProvider): Promise<client.Configuration> {
    const definition = this.definitionOf(provider);
    const { issuer, clientId } = definition;
    try {
      return await client.discovery(new URL(issuer), clientId, undefined, authenticationOf(definition), {
        timeout: TIMEOUT_SECONDS,
        // By default, the library trusts the connection to the token endpoint (OpenID Connect Core 1.0, section 3.1.3.7).
        execute: [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])],
      });
    } catch (error) {
      this.log.warn({ provider: provider.id, reason: reasonOf(error) }, 'an identity provider does not respond');
      throw new ProviderUnavailable(provider, { cause: error });
    }
  }

  private refused(provider: IdentityProvider, error: unknown): Error {
    const reason = reasonOf(error);
    const claim = claimOf(error);
    this.log.warn(
      { provider: provider.id, reason, ...(claim !== undefined && { claim }) },
      'a sign-in at an identity provider failed',
    );
    const isAway = reason === 'OAUTH_TIMEOUT' || isNetworkError(error);
    return isAway
      ? new ProviderUnavailable(provider, { cause: error })
      : new ProviderRefused(provider, { cause: error });
  }
}

/** With the secret in the body only if the operator says so, or if the provider publishes no other way (RFC 8414, section 2). */
function authenticationOf({ clientSecret, clientAuthentication }: ProviderDefinition): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const published = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPost = clientAuthentication
      ? clientAuthentication === 'client_secret_post'
      : published.includes('client_secret_post') && !published.includes('client_secret_basic');
    return (isPost ? post : basic)(server, ...request);
  };
}

/** fetch fails with an error whose cause has the code of the system or of undici. */
function isNetworkError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return (typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) || isNetworkError(cause);
}

/** A code, never a message: those of the library can quote tokens. */
function reasonOf(error: unknown): string {
  const { code, error: oauthError } = (error ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return [code, oauthError].find((each) => typeof each === 'string') ?? (error instanceof Error ? error.name : 'none');
}

function toAssertion(
  provider: ProviderDefinition,
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
): Assertion {
  const name = [claims['email'], claims['preferred_username'], claims['name'], claims.sub].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return {
    provider,
    issuer: claims.iss,
    subject: claims.sub,
    name: String(name)
      .replace(/\p{Cc}/gu, '')
      .slice(0, 254),
    groups: groupsOf(provider, claims),
    session: typeof claims['sid'] === 'string' ? claims['sid'] : undefined,
    secondFactor: isSecondFactor(provider, claims),
    authenticatedAt: toPast(claims['auth_time']),
  };
}

/** Claims can be distributed: more groups than fit are named at another endpoint (OpenID Connect Core 1.0, section 5.6.2). */
function groupsOf(
  provider: ProviderDefinition,
  claims: Readonly<Record<string, unknown>> & { readonly iss: string },
): readonly string[] | undefined {
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && provider.groupsClaim in elsewhere;
  if (isElsewhere || !isIssuer(provider, claims.iss)) return undefined;
  return textsOf(claims[provider.groupsClaim]).slice(0, MAX_GROUPS);
}

/** False for other tenants, if the file names the issuer of all tenants of Microsoft: their groups must decide nothing here. */
function isIssuer({ issuer }: ProviderDefinition, claim: string): boolean {
  return URL.canParse(claim) && new URL(claim).href === new URL(issuer).href;
}

/** Never in the future, even if the clock of the provider is ahead. */
function toPast(seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(Math.min(Math.max(0, seconds * 1_000), Date.now())) : null;
}

function isSecondFactor({ secondFactor }: ProviderDefinition, claims: Readonly<Record<string, unknown>>): boolean {
  if (typeof secondFactor === 'string') return secondFactor === 'always';
  const { amr = [], acr = [] } = secondFactor;
  return (
    textsOf(claims['amr']).some((each) => amr.includes(each)) ||
    textsOf(claims['acr']).some((each) => acr.includes(each))
  );
}

function textsOf(claim: unknown): readonly string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === 'string');
}
