import type { EppRequest } from '../xml/epp-request';

/** A command of somebody who is logged in. */
export interface CommandContext {
  readonly request: EppRequest;
  readonly registrar: string;
  /** Unique for ever: the registry's own id of the command. */
  readonly svTRID: string;
  /** The registry's time. */
  readonly now: Date;
}
