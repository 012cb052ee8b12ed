import { token } from '../../inject';
import type { KeyObject } from 'node:crypto';

/** Signs without blocking the event loop. */
export interface BackgroundSigner {
  /** ECDSA P-256 signatures with SHA-256 of each of `data`, in their order: 64 octets (RFC 6605, section 4). */
  sign(key: KeyObject, data: readonly Buffer[]): Promise<readonly Buffer[]>;
}
export const BackgroundSigner = token<BackgroundSigner>('BackgroundSigner');
