import { token } from '../ports/inject';

export interface NoticeSettings {
  /** To an SMTP server, to the outbox of the sandbox, or not at all: then no notice is stored. */
  readonly delivery: 'smtp' | 'outbox' | 'off';
  /** Who hears of what concerns the whole service. */
  readonly operatorAddresses: readonly string[];
  /** Where people reach the dashboard, without a slash at the end. */
  readonly publicUrl: string;
}
export const NoticeSettings = token<NoticeSettings>('NoticeSettings');
