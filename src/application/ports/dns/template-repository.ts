import { token } from '../inject';
import type { AccountTemplate } from '../../../domain/dns/templates/record-template';

/** Reads committed state. */
export interface TemplateReader {
  /** By name. */
  ofAccount(accountId: string): Promise<readonly AccountTemplate[]>;
  find(accountId: string, id: string): Promise<AccountTemplate | undefined>;
}
export const TemplateReader = token<TemplateReader>('TemplateReader');

/** Within a unit of work. */
export interface TemplateRepository {
  find(accountId: string, id: string): Promise<AccountTemplate | undefined>;
  /** How many the account has. The account must be locked for the number to stay true. */
  count(accountId: string): Promise<number>;
  add(template: AccountTemplate): Promise<void>;
  save(template: AccountTemplate): Promise<void>;
  remove(id: string): Promise<void>;
}
