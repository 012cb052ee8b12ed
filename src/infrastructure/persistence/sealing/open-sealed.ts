import { SealBroken, type SecretBox } from '../../../application/ports/system';

/** Returns the text sealed for `purpose`, or undefined if it does not open with the key of `secrets`. */
export function openSealed(secrets: SecretBox, sealed: string, purpose: string): string | undefined {
  try {
    return secrets.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
