import type { EppRequest } from '../xml/epp-request';

/** A command of a logged-in registrar. */
export interface CommandContext {
  readonly request: EppRequest;
  readonly registrar: string;
  /** The registry's unique id of the command. */
  readonly svTRID: string;
  /** The registry's time. */
  readonly now: Date;
}
