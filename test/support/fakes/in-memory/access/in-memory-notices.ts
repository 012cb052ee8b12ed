import type {
  MailClaim,
  MailReader,
  MailRepository,
  MailResult,
  MailSettings,
  MailSettingsReader,
  MailSettingsRepository,
  NoticeReader,
  NoticeRepository,
} from '../../../../../src/application/ports/notices/mails-and-notices';
import type { Mail, NewMail } from '../../../../../src/domain/access/notices/mail';
import type { MailNotice, StoredNotice } from '../../../../../src/domain/access/notices/notice';
import type { Tables } from '../tables';

export interface QueuedMail extends Mail {
  readonly dueAt: Date | null;
  readonly claimedBy: string | null;
}

export class InMemoryNoticeRepository implements NoticeRepository {
  constructor(private readonly tables: Tables) {}

  async add(...notices: readonly MailNotice[]): Promise<void> {
    const { notices: stored } = this.tables;
    for (const notice of notices) {
      const sequence = Math.max(0, ...stored.keys()) + 1;
      stored.set(sequence, { ...notice, sequence });
    }
  }

  async remove(sequence: number): Promise<void> {
    this.tables.notices.delete(sequence);
  }
}

export class InMemoryMailRepository implements MailRepository {
  constructor(private readonly tables: Tables) {}

  async add(...mails: readonly NewMail[]): Promise<void> {
    for (const mail of mails) {
      const isKnown = [...this.tables.mails.values()].some(
        ({ cause, recipient }) => cause === mail.cause && recipient === mail.recipient,
      );
      const ended = { attempts: 0, endedAt: null, response: null, claimedBy: null };
      if (!isKnown) this.tables.mails.set(mail.id, { ...mail, ...ended, status: 'waiting', dueAt: mail.at });
    }
  }

  async claim(now: Date, limit: number, { owner, until }: MailClaim): Promise<readonly Mail[]> {
    const due = [...this.tables.mails.values()]
      .filter(({ status, dueAt }) => status === 'waiting' && dueAt !== null && dueAt <= now)
      .slice(0, limit);
    return due.map((mail) => this.change(mail.id, { dueAt: until, claimedBy: owner, attempts: mail.attempts + 1 }));
  }

  async startContent(id: string, owner: string): Promise<boolean> {
    const mail = this.tables.mails.get(id);
    if (mail?.claimedBy !== owner || mail.status !== 'waiting') return false;
    this.change(id, { status: 'sending' });
    return true;
  }

  async finish(id: string, owner: string, { status, at, response }: MailResult, keepSecret = false): Promise<void> {
    if (this.tables.mails.get(id)?.claimedBy !== owner) return;
    const end = { dueAt: null, endedAt: at, ...(!keepSecret && { sealedSecret: null }) };
    this.change(id, { status, response, claimedBy: null, ...(status === 'waiting' ? { dueAt: at } : end) });
  }

  async endClaims(now: Date): Promise<void> {
    for (const { id, claimedBy } of this.tables.mails.values()) if (claimedBy !== null) this.change(id, { dueAt: now });
  }

  async endAbandoned(now: Date): Promise<number> {
    const abandoned = [...this.tables.mails.values()].filter(
      ({ status, dueAt }) => status === 'sending' && dueAt !== null && dueAt <= now,
    );
    for (const { id } of abandoned) this.change(id, { status: 'unknown', dueAt: null, endedAt: now });
    return abandoned.length;
  }

  private change(id: string, changes: Partial<QueuedMail>): QueuedMail {
    const mail = this.tables.mails.get(id);
    if (!mail) throw new Error(`no mail ${id}`);
    const changed = { ...mail, ...changes };
    this.tables.mails.set(id, changed);
    return changed;
  }
}

export class InMemoryNoticeReader implements NoticeReader {
  constructor(private readonly committed: () => Tables) {}

  async waiting(limit: number): Promise<readonly StoredNotice[]> {
    return [...this.committed().notices.values()].slice(0, limit);
  }
}

export class InMemoryMailReader implements MailReader {
  constructor(private readonly committed: () => Tables) {}

  async ofAccount(accountId: string | null, limit: number, beforeId?: string): Promise<readonly Mail[]> {
    return this.newestFirst()
      .filter((mail) => mail.accountId === accountId && (beforeId === undefined || mail.id < beforeId))
      .slice(0, limit);
  }

  async find(id: string): Promise<Mail | undefined> {
    return this.committed().mails.get(id);
  }

  async knows(cause: string): Promise<boolean> {
    return [...this.committed().mails.values()].some((mail) => mail.cause === cause);
  }

  async undelivered(userIds: readonly string[]): Promise<readonly Mail[]> {
    const ended = this.newestFirst().filter(({ status }) => ['sent', 'refused', 'failed'].includes(status));
    return userIds
      .flatMap((id) => ended.find(({ userId }) => userId === id) ?? [])
      .filter(({ status }) => status !== 'sent');
  }

  private newestFirst(): readonly Mail[] {
    return [...this.committed().mails.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }
}

export class InMemoryMailSettings implements MailSettingsReader, MailSettingsRepository {
  constructor(private readonly tables: () => Tables) {}

  async of(personId: string): Promise<MailSettings> {
    return this.tables().mailSettings.get(personId) ?? { personId, timeZone: 'UTC', switchedOff: [] };
  }

  async lock(personId: string): Promise<MailSettings> {
    return this.of(personId);
  }

  async save(settings: MailSettings): Promise<void> {
    this.tables().mailSettings.set(settings.personId, settings);
  }
}
