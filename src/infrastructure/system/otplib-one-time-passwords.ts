import { generateSecret, generateURI, verifySync } from 'otplib';
import type { OneTimePasswords } from '../../application/ports/access/authentication';

const ISSUER = 'Namewright';
const STEP_SECONDS = 30;

export class OtplibOneTimePasswords implements OneTimePasswords {
  createSecret(): string {
    return generateSecret();
  }

  uriOf(secret: string, email: string): string {
    return generateURI({ issuer: ISSUER, label: email, secret });
  }

  findStep(secret: string, code: string, now: Date, lastStep: number): number | undefined {
    if (!/^\d{6}$/.test(code)) return undefined;
    const epoch = Math.floor(now.getTime() / 1_000);
    const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
    if (!result.valid || !('timeStep' in result)) return undefined;
    return result.timeStep > lastStep ? result.timeStep : undefined;
  }
}
