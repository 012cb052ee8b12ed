import type { EntityManager } from 'typeorm';
import type {
  MailSettings,
  MailSettingsReader,
  MailSettingsRepository,
} from '../../../application/ports/notices/mails-and-notices';
import type { Queries } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { MailSettingsTable, type MailSettingsRow } from './notice-tables';

const FIND = `SELECT ${columnsOf(MailSettingsTable)} FROM mail_settings WHERE person_id = ?`;

function toSettings(personId: string, row: MailSettingsRow | undefined): MailSettings {
  return row ? stateOf(MailSettingsTable, row) : { personId, timeZone: 'UTC', switchedOff: [] };
}

export class SqlMailSettingsReader implements MailSettingsReader {
  constructor(private readonly database: Queries) {}

  async of(personId: string): Promise<MailSettings> {
    const [row] = await this.database.query<MailSettingsRow>(FIND, [personId]);
    return toSettings(personId, row);
  }
}

export class SqlMailSettingsRepository implements MailSettingsRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(personId: string): Promise<MailSettings> {
    const [row] = await this.manager.query<MailSettingsRow[]>(`${FIND}${this.forUpdate}`, [personId]);
    return toSettings(personId, row);
  }

  async save(settings: MailSettings): Promise<void> {
    await this.manager.upsert(MailSettingsTable, rowOf(MailSettingsTable, settings), ['person_id']);
  }
}
