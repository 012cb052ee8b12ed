import type { EntityManager } from 'typeorm';
import type { NoticeReader, NoticeRepository } from '../../../application/ports/notices/mails-and-notices';
import type { MailNotice, StoredNotice } from '../../../domain/access/notices/notice';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { NoticeTable, type NoticeRow } from './notice-tables';

export class SqlNoticeRepository implements NoticeRepository {
  /** @param isOn whether mail is sent, or kept in the outbox of the sandbox */
  constructor(
    private readonly manager: EntityManager,
    private readonly isOn: boolean,
  ) {}

  async add(...notices: readonly MailNotice[]): Promise<void> {
    if (!this.isOn) return;
    const rows = notices.map((notice) => rowOf(NoticeTable, notice, { sequence: null }));
    await insertRows(this.manager, NoticeTable, rows);
  }

  async remove(sequence: number): Promise<void> {
    await this.manager.query('DELETE FROM notices WHERE sequence = ?', [sequence]);
  }
}

export class SqlNoticeReader implements NoticeReader {
  constructor(private readonly database: Queries) {}

  async waiting(limit: number): Promise<readonly StoredNotice[]> {
    const rows = await this.database.query<NoticeRow>(
      `SELECT ${columnsOf(NoticeTable)} FROM notices ORDER BY sequence LIMIT ?`,
      [limit],
    );
    return rows.map((row) => ({ ...stateOf(NoticeTable, row), sequence: Number(row.sequence) }));
  }
}
