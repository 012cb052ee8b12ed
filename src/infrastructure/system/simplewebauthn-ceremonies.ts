import type * as WebAuthn from '@simplewebauthn/server';
import type { NewPasskey, PasskeyCeremonies } from '../../application/ports/access/authentication';
import type { Passkey } from '../../domain/access/factors/passkey';

const NAME = 'Namewright';
const TIMEOUT_MS = 300_000;

type Command<Name extends keyof PasskeyCeremonies> = Parameters<PasskeyCeremonies[Name]>[0];

export class SimpleWebAuthnCeremonies implements PasskeyCeremonies {
  registrationOptions({ relyingParty, user, passkeys, challenge }: Command<'registrationOptions'>): Promise<object> {
    return library().generateRegistrationOptions({
      rpName: NAME,
      rpID: relyingParty.id,
      userName: user.email,
      userID: Uint8Array.from(Buffer.from(user.id)),
      challenge: bytesOf(challenge),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      excludeCredentials: passkeys.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  }

  authenticationOptions({
    relyingParty,
    passkeys,
    challenge,
    userVerification,
  }: Command<'authenticationOptions'>): Promise<object> {
    return library().generateAuthenticationOptions({
      rpID: relyingParty.id,
      challenge: bytesOf(challenge),
      timeout: TIMEOUT_MS,
      userVerification,
      allowCredentials: passkeys.map(descriptorOf),
    });
  }

  async verifyRegistration({
    relyingParty,
    response,
    challenge,
  }: Command<'verifyRegistration'>): Promise<NewPasskey | undefined> {
    const result = await refusedIfInvalid(async () =>
      library().verifyRegistrationResponse({
        response: JSON.parse(response) as WebAuthn.RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: relyingParty.origin,
        expectedRPID: relyingParty.id,
        requireUserVerification: false,
      }),
    );
    if (!result?.verified) return undefined;
    const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
    return { id, counter, transports, publicKey: Buffer.from(publicKey).toString('base64url') };
  }

  credentialIdOf(response: string): string | undefined {
    try {
      const { id } = JSON.parse(response) as { id?: unknown };
      return typeof id === 'string' ? id : undefined;
    } catch {
      return undefined;
    }
  }

  async verifyAuthentication({
    relyingParty,
    response,
    challenge,
    passkey,
    requireUserVerification,
  }: Command<'verifyAuthentication'>): Promise<number | undefined> {
    const result = await refusedIfInvalid(async () =>
      library().verifyAuthenticationResponse({
        response: JSON.parse(response) as WebAuthn.AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: relyingParty.origin,
        expectedRPID: relyingParty.id,
        credential: { ...descriptorOf(passkey), publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
        requireUserVerification,
      }),
    );
    return result?.verified ? result.authenticationInfo.newCounter : undefined;
  }
}

/** Loaded at the first passkey: its 300 files take a tenth of a second, which most processes need not spend. */
function library(): typeof WebAuthn {
  return require('@simplewebauthn/server') as typeof WebAuthn;
}

function descriptorOf({ id, transports }: Passkey): { id: string; transports: string[] } {
  return { id, transports: [...transports] };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'));
}

/** The library throws for every response that it refuses, malformed ones included. */
async function refusedIfInvalid<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
