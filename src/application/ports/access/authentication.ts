import type { Passkey } from '../../../domain/access/factors/passkey';
import { token } from '../inject';
import { ServiceError } from '../../../domain/shared/service-error';
import type { UserRights } from '../../../domain/access/people/role';

/** `hash` and `matches` wait in a short queue, and fail with SERVICE_UNAVAILABLE if it is full. */
export interface Passwords {
  /** Slow on purpose. Of a text of at most 72 bytes. With the salt of `like`, so that one calculation compares a text with both. */
  hash(password: string, like?: string): Promise<string>;
  /** Takes the same time for any password and without a hash. Nothing matches without a hash, nor a text of more than 72 bytes. */
  matches(password: string, hash: string | null): Promise<boolean>;
  /** Those of the hashes that the password matches. Takes as long as `matches`, if all of them have one salt. */
  matching(password: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** Whether the text is easy to guess: a common password, a pattern, or one made of `personal`, words about the person. */
  isWeak(password: string, personal: readonly string[]): boolean;
}
export const Passwords = token<Passwords>('Passwords');

/** Time-based one-time passwords (RFC 6238): six digits, SHA-1, steps of 30 seconds. */
export interface OneTimePasswords {
  /** A new secret of 160 bits, in Base32. */
  createSecret(): string;
  /** The otpauth: URI that an authenticator app reads from a QR code. */
  uriOf(secret: string, email: string): string;
  /**
   * The time step of the code, which may be one step early or late; undefined if the code is wrong or its step is not after
   * `lastStep`. Compares in constant time.
   */
  findStep(secret: string, code: string, now: Date, lastStep: number): number | undefined;
}
export const OneTimePasswords = token<OneTimePasswords>('OneTimePasswords');

/** A person's authenticator app. In this file, `userId` is the person's id: older releases knew only people with one user. */
export interface Totp {
  readonly userId: string;
  /** The secret, sealed for `totpPurpose`. */
  readonly sealedSecret: string;
  /** The time step of the last code that was accepted. Codes of it and of earlier steps are refused. */
  readonly lastStep: number;
  readonly createdAt: Date;
}

/** The second factors of a person. */
export interface Factors {
  readonly totp: Totp | undefined;
  /** Oldest first. */
  readonly passkeys: readonly Passkey[];
  /** How many recovery codes have not been used. */
  readonly recoveryCodes: number;
}

/** Reads committed state. */
export interface FactorReader {
  ofUser(userId: string): Promise<Factors>;
  passkey(id: string): Promise<Passkey | undefined>;
}
export const FactorReader = token<FactorReader>('FactorReader');

/** Within a unit of work that has locked a user of the person. */
export interface FactorRepository {
  ofUser(userId: string): Promise<Factors>;
  saveTotp(totp: Totp): Promise<void>;
  removeTotp(userId: string): Promise<void>;
  /** Puts codes, as digests, in the place of all earlier ones. */
  replaceRecoveryCodes(userId: string, digests: readonly string[]): Promise<void>;
  /** Removes the code, so that it works once. Whether there was one. */
  takeRecoveryCode(userId: string, digest: string): Promise<boolean>;
  /** Whether it was added; false if a passkey has the id. */
  addPasskey(passkey: Passkey): Promise<boolean>;
  /** Stores counter and time of a use. False if the passkey was removed or used since it was read. */
  recordPasskeyUse(passkey: Passkey, counter: number, at: Date): Promise<boolean>;
  /** Whether there was one. */
  removePasskey(userId: string, id: string): Promise<boolean>;
  /** Removes all factors of the person. */
  removeAll(userId: string): Promise<void>;
}

/** This service as WebAuthn sees it: a host name, and the origin of its pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>;

/** The ceremonies of WebAuthn (Web Authentication Level 3, section 7). Options are JSON for the browser. */
export interface PasskeyCeremonies {
  registrationOptions(command: {
    readonly relyingParty: RelyingParty;
    readonly user: { readonly id: string; readonly email: string };
    readonly passkeys: readonly Passkey[];
    readonly challenge: string;
  }): Promise<object>;
  /** Without `passkeys`, the browser offers those that it has for this service. */
  authenticationOptions(command: {
    readonly relyingParty: RelyingParty;
    readonly passkeys: readonly Passkey[];
    readonly challenge: string;
    readonly userVerification: 'required' | 'preferred';
  }): Promise<object>;
  /** Undefined if the response does not prove a new credential for the challenge. */
  verifyRegistration(command: {
    readonly relyingParty: RelyingParty;
    readonly response: string;
    readonly challenge: string;
  }): Promise<NewPasskey | undefined>;
  /** The credential id of a response that is not verified yet; undefined if it has none. */
  credentialIdOf(response: string): string | undefined;
  /** The new counter; undefined if the response is not valid, or if the counter went back. A counter that stays 0 is valid. */
  verifyAuthentication(command: {
    readonly relyingParty: RelyingParty;
    readonly response: string;
    readonly challenge: string;
    readonly passkey: Passkey;
    readonly requireUserVerification: boolean;
  }): Promise<number | undefined>;
}
export const PasskeyCeremonies = token<PasskeyCeremonies>('PasskeyCeremonies');

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
