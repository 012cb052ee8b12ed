/** A domain that has come within so many days of its expiry. */
export interface ExpiringDomain {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly expiresAt: Date;
  readonly autoRenew: boolean;
  readonly days: number;
}

export type ExpiredDomain = Omit<ExpiringDomain, 'days'>;

export interface NoticeSpan {
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
}

/** How far the notices of expiries have come, in the time in which domains live. Within a unit of work. */
export interface ExpiryNoticeRepository {
  /** Until when notices are written; `now` if there were none yet. Holds it for the rest of the unit of work. */
  lock(now: Date): Promise<Date>;
  moveTo(until: Date): Promise<void>;
  /** The active domains that came within some of these days of their expiry after `from` and until `to`, and have not come within fewer by `now`. @param days ascending */
  reached(span: NoticeSpan, days: readonly number[]): Promise<readonly ExpiringDomain[]>;
  /** The domains that expired after `after` and until `until`, and were not renewed. */
  expired(after: Date, until: Date): Promise<readonly ExpiredDomain[]>;
}
