import { token } from '../inject';
import type { Passkey } from '../../../domain/access/factors/passkey';

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
