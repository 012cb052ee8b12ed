import { token } from '../inject';
import { ServiceError } from '../../../domain/shared/service-error';
import type { UserRights } from '../../../domain/access/people/role';

/** An OpenID Connect provider of the operator's file. */
export interface IdentityProvider {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  /** Whether invitations can be accepted with it instead of a password. */
  readonly invitations: boolean;
  /** The account in which the groups of the provider decide about roles. */
  readonly groups?: { readonly account: string; readonly roles: ReadonlyMap<string, UserRights> } | undefined;
}

/** What the browser keeps, sealed, while the person is at the provider. */
export interface ProviderRequest {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** What the provider says about the person, verified. */
export interface Assertion {
  readonly provider: IdentityProvider;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Undefined if the provider cannot say: it names them elsewhere, or it is not the issuer whose groups count. */
  readonly groups: readonly string[] | undefined;
  /** Whether the provider counts as a second factor for this sign-in. */
  readonly secondFactor: boolean;
  /** The person's session at the provider (`sid`), if it says so. */
  readonly session: string | undefined;
  /** When the person authenticated at the provider, which may be long ago (`auth_time`). Null if it does not say so. */
  readonly authenticatedAt: Date | null;
}

/** Whom the provider has signed out, verified: a person, one session of theirs, or both. */
export interface Logout {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly session: string | undefined;
  /** Unique for the issuer until it expires. */
  readonly id: string;
  readonly expiresAt: Date;
}

/** Who sends an access token to this service, verified (RFC 9068). */
export interface AccessToken {
  readonly issuer: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** Whether the token says that the person used a second factor. */
  readonly secondFactor: boolean;
}

/** Sign-in by OpenID Connect: authorization code flow with PKCE, state and nonce. */
export interface IdentityProviders {
  readonly all: readonly IdentityProvider[];
  /** The URL of the provider to which the browser goes. @throws ProviderUnavailable */
  start(
    provider: IdentityProvider,
    request: { readonly redirectUri: string; readonly fresh: boolean },
  ): Promise<{ readonly url: string; readonly request: ProviderRequest }>;
  /** Redeems the response in `currentUrl`. With `fresh`, the person must have authenticated now. @throws ProviderUnavailable, ProviderRefused */
  finish(
    provider: IdentityProvider,
    response: ProviderRequest & { readonly currentUrl: string; readonly fresh: boolean },
  ): Promise<Assertion>;
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). @throws ProviderUnavailable, LogoutTokenInvalid */
  verifyLogout(provider: IdentityProvider, token: string): Promise<Logout>;
  /** The provider that a JWT claims to be of, not verified. Undefined for any other text. */
  claimedBy(token: string): IdentityProvider | undefined;
  /** Verifies an access token for the audience. @throws ProviderUnavailable, AccessTokenInvalid */
  verifyAccess(provider: IdentityProvider, token: string, audience: string): Promise<AccessToken>;
  /** Where the person signs out of the provider. Undefined if it has no such page or is not available. */
  signOutUrl(provider: IdentityProvider, returnUrl: string): Promise<string | undefined>;
}
export const IdentityProviders = token<IdentityProviders>('IdentityProviders');

export class ProviderUnavailable extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';

  constructor({ name }: Pick<IdentityProvider, 'name'>, options?: ErrorOptions) {
    super(`${name} does not respond`, 'Try again in a few minutes, or sign in another way', options);
  }
}

export class ProviderRefused extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor({ name }: Pick<IdentityProvider, 'name'>, options?: ErrorOptions) {
    super(`The response of ${name} was not valid`, 'Start again', options);
  }
}

/** The person was to authenticate again, and the provider says that they did so earlier, or not when. */
export class ProviderNotFresh extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor({ name }: Pick<IdentityProvider, 'name'>, options?: ErrorOptions) {
    super(
      `${name} did not ask you to sign in again`,
      `Confirm with your password or a passkey. Without either, sign out here and at ${name}, then sign in with ${name}`,
      options,
    );
  }
}

export class LogoutTokenInvalid extends ServiceError {
  readonly code = 'VALIDATION_ERROR';

  constructor(
    /** The name of the claim that is wrong, or a code; for the log. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('The logout token is not valid', undefined, options);
  }
}

export class AccessTokenInvalid extends ServiceError {
  readonly code = 'INVALID_API_KEY';

  /** @param reason the claim that is wrong, a code, or what the token lacks */
  constructor(reason: string, options?: ErrorOptions) {
    super(`The access token is not valid: ${reason}`, undefined, options);
  }
}
