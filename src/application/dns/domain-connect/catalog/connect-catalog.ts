import { inject, injectable } from '../../../ports/inject';
import { readTemplate } from '../../../../domain/domain-connect/templates/read-template';
import type { Template } from '../../../../domain/domain-connect/templates/template';
import { ConnectTemplateReader, type ListedConnectTemplate } from '../../../ports/dns/templates-and-domain-connect';
import { ConnectSettings } from '../connect-settings';

/** Whether people may use a template: as the operator has chosen for its provider, otherwise if its requests are signed. */
export function isTemplateOn(
  { isSigned }: Pick<ListedConnectTemplate, 'isSigned'>,
  choice: boolean | undefined,
): boolean {
  return choice ?? isSigned;
}

/** The templates that the operator has read and that are on. */
@injectable()
export class ConnectCatalog {
  constructor(
    @inject(ConnectTemplateReader) private readonly templates: ConnectTemplateReader,
    @inject(ConnectSettings) private readonly settings: ConnectSettings,
  ) {}

  /** Undefined if Domain Connect or the provider is off, or the template is not known. */
  async find(providerId: string, serviceId: string): Promise<Template | undefined> {
    if (this.settings.url === undefined) return undefined;
    const stored = await this.templates.find(providerId, serviceId);
    if (!stored || !isTemplateOn(stored, await this.templates.choice(providerId))) return undefined;
    return readTemplate(JSON.parse(stored.template));
  }
}
