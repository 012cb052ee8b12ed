import type { Domain } from '../../domain/registration/domain';
import type { AuthCode } from '../ports/registry-port';

/** What an operation that succeeded left behind. */
export interface OperationOutcome {
  readonly domain: Domain;
  /** Handed to whoever waits, stored nowhere. */
  readonly authCode?: AuthCode;
}
