import type { EntityManager } from 'typeorm';
import type {
  MailClaim,
  MailReader,
  MailRepository,
  MailResult,
} from '../../../application/ports/notices/mails-and-notices';
import type { Mail, NewMail } from '../../../domain/access/notices/mail';
import type { Queries } from '../database/database';
import { columnsOf, placeholders, rowOf, stateOf } from '../database/table';
import { MailTable, type MailRow } from './notice-tables';

const COLUMNS = columnsOf(MailTable);
const ABANDONED = 'The process that sent it died meanwhile';

const toMail = (row: MailRow): Mail => stateOf(MailTable, row);

export class SqlMailRepository implements MailRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
    /** Whether mail is sent, or kept in the outbox of the sandbox. */
    private readonly isOn: boolean,
  ) {}

  async add(...mails: readonly NewMail[]): Promise<void> {
    if (mails.length === 0 || !this.isOn) return;
    const rows = mails.map((mail) => {
      const state: Mail = { ...mail, status: 'waiting', attempts: 0, endedAt: null, response: null };
      return rowOf(MailTable, state, { due_at: mail.at.getTime(), claimed_by: null });
    });
    const names = Object.keys(MailTable.options.columns) as (keyof MailRow)[];
    const ignoring = this.manager.connection.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    await this.manager.query(
      `${ignoring} INTO mails (${COLUMNS}) VALUES ${rows.map(() => `(${placeholders(names)})`).join(', ')}`,
      rows.flatMap((row) => names.map((name) => row[name])),
    );
  }

  async claim(now: Date, limit: number, { owner, until }: MailClaim): Promise<readonly Mail[]> {
    const rows = await this.manager.query<MailRow[]>(
      `SELECT ${COLUMNS} FROM mails WHERE status = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT ?${this.forUpdate}${this.skipLocked}`,
      [now.getTime(), limit],
    );
    if (rows.length === 0) return [];
    await this.manager.query(
      `UPDATE mails SET due_at = ?, claimed_by = ?, attempts = attempts + 1 WHERE id IN (${placeholders(rows)})`,
      [until.getTime(), owner, ...rows.map(({ id }) => id)],
    );
    return rows.map((row) => ({ ...toMail(row), attempts: row.attempts + 1 }));
  }

  async startContent(id: string, owner: string): Promise<boolean> {
    const claimed = { id, claimed_by: owner, status: 'waiting' as const };
    const { affected } = await this.manager.update(MailTable, claimed, { status: 'sending' });
    return affected === 1;
  }

  async finish(id: string, owner: string, { status, at, response }: MailResult, keepSecret = false): Promise<void> {
    const end = { due_at: null, ended_at: at.getTime(), ...(!keepSecret && { sealed_secret: null }) };
    await this.manager.update(
      MailTable,
      { id, claimed_by: owner },
      { status, response, claimed_by: null, ...(status === 'waiting' ? { due_at: at.getTime() } : end) },
    );
  }

  async endClaims(now: Date): Promise<void> {
    await this.manager.query('UPDATE mails SET due_at = ? WHERE claimed_by IS NOT NULL AND due_at > ?', [
      now.getTime(),
      now.getTime(),
    ]);
  }

  async endAbandoned(now: Date): Promise<number> {
    const rows = await this.manager.query<{ id: string }[]>(
      `SELECT id FROM mails WHERE status = 'sending' AND due_at <= ?${this.forUpdate}${this.skipLocked}`,
      [now.getTime()],
    );
    if (rows.length > 0)
      await this.manager.query(
        `UPDATE mails SET status = 'unknown', due_at = NULL, ended_at = ?, sealed_secret = NULL, response = ? WHERE id IN (${placeholders(rows)})`,
        [now.getTime(), ABANDONED, ...rows.map(({ id }) => id)],
      );
    return rows.length;
  }
}

export class SqlMailReader implements MailReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string | null, limit: number, beforeId?: string): Promise<readonly Mail[]> {
    const [condition, account] = accountId === null ? ['account_id IS NULL', []] : ['account_id = ?', [accountId]];
    const rows = await this.database.query<MailRow>(
      `SELECT ${COLUMNS} FROM mails WHERE ${condition}${beforeId === undefined ? '' : ' AND id < ?'} ORDER BY id DESC LIMIT ?`,
      [...account, ...(beforeId === undefined ? [] : [beforeId]), limit],
    );
    return rows.map(toMail);
  }

  async find(id: string): Promise<Mail | undefined> {
    const [row] = await this.database.query<MailRow>(`SELECT ${COLUMNS} FROM mails WHERE id = ?`, [id]);
    return row && toMail(row);
  }

  async knows(cause: string): Promise<boolean> {
    return (await this.database.query('SELECT 1 FROM mails WHERE cause = ? LIMIT 1', [cause])).length > 0;
  }

  async undelivered(userIds: readonly string[]): Promise<readonly Mail[]> {
    if (userIds.length === 0) return [];
    const rows = await this.database.query<MailRow>(
      `SELECT ${COLUMNS} FROM mails WHERE id IN (SELECT MAX(id) FROM mails WHERE user_id IN (${placeholders(userIds)}) AND status IN ('sent', 'refused', 'failed') GROUP BY user_id) AND status <> 'sent'`,
      [...userIds],
    );
    return rows.map(toMail);
  }
}
