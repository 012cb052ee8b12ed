/**
 * What became of a NOTIFY to the parent (RFC 9859):
 * - `accepted`: the receiver will check the zone;
 * - `refused`: it responded with an error;
 * - `no_response`: it did not respond, over UDP and TCP;
 * - `no_receiver`: the parent has no DSYNC record for it;
 * - `unusable_receiver`: that has no address, or one that this service does not send to;
 * - `unknown`: the DSYNC records could not be looked up.
 */
export type NoticeOutcome = 'accepted' | 'refused' | 'no_response' | 'no_receiver' | 'unusable_receiver' | 'unknown';

export interface NoticeResult {
  readonly outcome: NoticeOutcome;
  /** Host name and port of the DSYNC record. */
  readonly receiver: string | null;
  /** The RCODE of a refusal, and the extended error (RFC 8914) if the receiver sent one. */
  readonly error: string | null;
}

/** The last NOTIFY of a step, by the lifecycle clock. */
export interface ParentNotice extends NoticeResult {
  readonly sentAt: Date;
}
