import type {
  TemplateReader,
  TemplateRepository,
} from '../../../../../src/application/ports/dns/templates-and-domain-connect';
import type { AccountTemplate } from '../../../../../src/domain/dns/templates/record-template';
import type { Tables } from '../tables';

export class InMemoryTemplateReader implements TemplateReader {
  constructor(private readonly tables: () => Tables) {}

  async ofAccount(accountId: string): Promise<readonly AccountTemplate[]> {
    return [...this.tables().templates.values()]
      .filter((template) => template.accountId === accountId)
      .toSorted((one, other) => (one.name < other.name || (one.name === other.name && one.id < other.id) ? -1 : 1));
  }

  async find(accountId: string, id: string): Promise<AccountTemplate | undefined> {
    const found = this.tables().templates.get(id);
    return found?.accountId === accountId ? found : undefined;
  }
}

export class InMemoryTemplateRepository extends InMemoryTemplateReader implements TemplateRepository {
  constructor(private readonly stored: Tables) {
    super(() => stored);
  }

  async count(accountId: string): Promise<number> {
    return (await this.ofAccount(accountId)).length;
  }

  async add(template: AccountTemplate): Promise<void> {
    this.stored.templates.set(template.id, template);
  }

  async save(template: AccountTemplate): Promise<void> {
    this.stored.templates.set(template.id, template);
  }

  async remove(id: string): Promise<void> {
    this.stored.templates.delete(id);
  }
}
