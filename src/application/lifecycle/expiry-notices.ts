import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import type { EventFact } from '../../domain/access/events/account-event';
import { addDays } from '../../domain/shared/time/calendar';
import type { MailNotice } from '../../domain/access/notices/notice';
import { causeOfExpiry } from '../notices/notice-of-event';
import type { ExpiredDomain, ExpiringDomain, ExpiryNoticeRepository } from '../ports/notices/mails-and-notices';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock, Log } from '../ports/system';
import { Outage } from '../shared/outage';

/** Days before the expiry of a domain at which its account gets an event, from the last one. */
export const EXPIRY_NOTICE_DAYS = [1, 7, 30, 90] as const;
/** ICANN's ERRP: within five days after the expiry; an hour is for the sending. */
const DAYS_AFTER_EXPIRY = 5 - 1 / 24;
const EVERY_MS = 60_000;
/** A transaction writes at most so many notices, or those of this span: after an outage, there may be thousands. */
const MAX_NOTICES = 500;
const SHORTEST_SPAN_MS = 60 * 60_000;

interface Move {
  readonly written: number;
  readonly spanMs: number;
  readonly isAtEnd: boolean;
}

/**
 * Tells accounts of domains that expire soon, and people of those that have expired: that is an event of their lifecycle already. How far
 * notices have come is stored and moved on in the transaction of the events, so each is written once, whatever process does it and
 * whenever it is killed. After an outage, a domain gets only the last notice that it missed.
 */
@injectable()
export class ExpiryNotices {
  private readonly outage: Outage;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'events' | 'expiryNotices' | 'notices'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) log: Log,
  ) {
    this.outage = new Outage(log, 'telling of domains that expire soon');
  }

  start(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.runAndLog());
    }, EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Returns how many events it has written. */
  async runDue(): Promise<number> {
    let written = 0;
    for (let longest = Infinity; ;) {
      const move = await this.moveOn(longest);
      written += move.written;
      if (move.isAtEnd) return written;
      longest = 2 * move.spanMs;
    }
  }

  private async runAndLog(): Promise<void> {
    try {
      await this.runDue();
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
    }
  }

  private moveOn(longest: number): Promise<Move> {
    return this.unitOfWork.run(async ({ events, expiryNotices, notices }) => {
      const now = this.lifecycleClock.now();
      const from = await expiryNotices.lock(now);
      const left = now.getTime() - from.getTime();
      if (left <= 0) return { written: 0, spanMs: 0, isAtEnd: true };
      const { to, reached, expired } = await nextSpan(expiryNotices, from, now, Math.min(left, longest));
      await events.append(...reached.map((domain) => expiring(domain, this.clock.now())));
      await notices.add(...expired.map((domain) => hasExpired(domain, this.clock.now())));
      await expiryNotices.moveTo(to);
      const spanMs = to.getTime() - from.getTime();
      return { written: reached.length + expired.length, spanMs, isAtEnd: to >= now };
    });
  }
}

/** Halves the span while it has too many notices. */
async function nextSpan(expiryNotices: ExpiryNoticeRepository, from: Date, now: Date, longest: number) {
  for (let span = longest; ; span = Math.ceil(span / 2)) {
    const limit = span > SHORTEST_SPAN_MS ? MAX_NOTICES + 1 : Number.MAX_SAFE_INTEGER;
    const to = new Date(from.getTime() + span);
    const reached = await expiryNotices.reached({ from, to, now }, EXPIRY_NOTICE_DAYS, limit);
    const expired = await expiryNotices.expired(
      addDays(from, -DAYS_AFTER_EXPIRY),
      addDays(to, -DAYS_AFTER_EXPIRY),
      limit,
    );
    if (reached.length + expired.length < limit) return { to, reached, expired };
  }
}

function expiring({ id, name, accountId, expiresAt, autoRenew, days }: ExpiringDomain, at: Date): EventFact {
  return {
    accountId,
    at,
    actor: SERVICE,
    type: 'domain.expiring',
    domain: { id, name },
    data: { days, expires_at: expiresAt.toISOString(), auto_renew: autoRenew },
  };
}

function hasExpired({ id, name, accountId, expiresAt, autoRenew }: ExpiredDomain, at: Date): MailNotice {
  return {
    kind: 'expiry',
    cause: causeOfExpiry(id, expiresAt, -5),
    at,
    accountId,
    domain: { id, name },
    data: { days: -5, expires_at: expiresAt.toISOString(), auto_renew: autoRenew },
  };
}
