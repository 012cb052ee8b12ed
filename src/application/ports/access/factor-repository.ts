import { token } from '../inject';
import type { Passkey } from '../../../domain/access/factors/passkey';

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
  /** When the last of those of the challenges expires that were used. */
  usedUntil(digests: readonly string[]): Promise<Date | undefined>;
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
  /** Whether the challenge with the digest has not been used before. */
  useChallenge(digest: string, expiresAt: Date): Promise<boolean>;
  /** The same for a challenge that may have been used before: it expires then. */
  useChallengeAgain(digest: string, expiresAt: Date): Promise<void>;
  /** The same, but it expires at least a millisecond after the time of its earlier use. Returns when: a number that only grows. */
  useChallengeLater(digest: string, expiresAt: Date): Promise<Date>;
  /** Removes all factors of the person. */
  removeAll(userId: string): Promise<void>;
}
