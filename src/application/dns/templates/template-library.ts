import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import { BUILT_IN_TEMPLATES } from '../../../domain/dns/templates/built-in-templates';
import { TemplateNotFound, toRecordTemplate, type RecordTemplate } from '../../../domain/dns/templates/record-template';
import { TemplateReader } from '../../ports/dns/templates-and-domain-connect';

/** The record templates of an account: its own and the built-in ones. */
@injectable()
export class TemplateLibrary {
  constructor(@inject(TemplateReader) private readonly templates: TemplateReader) {}

  /** The account's own first, by name. @throws LimitedKey */
  async list({ accountId, actor }: Reader): Promise<readonly RecordTemplate[]> {
    assertActionAllowed(actor, 'read');
    return [...(await this.templates.ofAccount(accountId)).map(toRecordTemplate), ...BUILT_IN_TEMPLATES];
  }

  /** @throws TemplateNotFound, LimitedKey */
  async find({ accountId, actor }: Reader, id: string): Promise<RecordTemplate> {
    assertActionAllowed(actor, 'read');
    const builtIn = BUILT_IN_TEMPLATES.find((template) => template.id === id);
    if (builtIn) return builtIn;
    const own = await this.templates.find(accountId, id);
    if (!own) throw new TemplateNotFound();
    return toRecordTemplate(own);
  }
}
