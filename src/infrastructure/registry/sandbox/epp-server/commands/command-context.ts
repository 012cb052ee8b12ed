import type { EppRequest } from '../xml/epp-request';

/** A command of a logged-in registrar. */
export interface CommandContext {
  /** In the form of the RFCs. */
  readonly request: EppRequest;
  /** As sent, with a registry's own extensions. */
  readonly received: EppRequest;
  readonly registrar: string;
  /** The registry's unique id of the command. */
  readonly svTRID: string;
  /** The registry's time. */
  readonly now: Date;
}
