import { inject, injectable } from '../../ports/inject';
import type { Requester, Actor } from '../../../domain/access/actor';
import { assertActionAllowed, assertWholeAccountAllowed } from '../../../domain/access/key-permissions';
import { LimitExceeded } from '../../../domain/dns/dns-errors';
import {
  parseTemplateText,
  TemplateNotFound,
  type AccountTemplate,
  type TemplateText,
} from '../../../domain/dns/templates/record-template';
import { Clock, IdGenerator } from '../../ports/system';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { difference, type AuditFact, type AuditFacts } from '../../../domain/access/audit-entry';

const MAX_TEMPLATES = 100;

/**
 * Creates, changes and removes the record templates of an account. Zones to which a template was applied keep their records.
 * @throws LimitedKey for a key that is not for the whole account
 */
@injectable()
export class EditTemplates {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'templates' | HookStore>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws ValidationError, LimitExceeded */
  async create(
    requester: Requester,
    text: TemplateText,
    hook?: TransactionHook<AccountTemplate>,
  ): Promise<AccountTemplate> {
    assertMayEdit(requester);
    const { accountId, actor } = requester;
    const now = this.clock.now();
    const created = {
      ...parseTemplateText(text),
      id: this.ids.next('tpl'),
      accountId,
      createdAt: now,
      updatedAt: now,
    };
    return this.unitOfWork.run(async (stores) => {
      await stores.accounts.lock(accountId);
      if ((await stores.templates.count(accountId)) >= MAX_TEMPLATES)
        throw new LimitExceeded(`An account can have ${MAX_TEMPLATES} record templates`);
      await stores.templates.add(created);
      await stores.audit.append(templateChanged({ at: now, actor, before: undefined, after: created }));
      await hook?.(stores, created);
      return created;
    }, accountId);
  }

  /** @throws TemplateNotFound, ValidationError */
  async change(
    requester: Requester,
    id: string,
    text: TemplateText,
    hook?: TransactionHook<AccountTemplate>,
  ): Promise<AccountTemplate> {
    assertMayEdit(requester);
    const { accountId, actor } = requester;
    const parsed = parseTemplateText(text);
    const now = this.clock.now();
    return this.unitOfWork.run(async (stores) => {
      const before = await stores.templates.find(accountId, id);
      if (!before) throw new TemplateNotFound();
      const after = { ...before, ...parsed, updatedAt: now };
      await stores.templates.save(after);
      await stores.audit.append(templateChanged({ at: now, actor, before, after }));
      await hook?.(stores, after);
      return after;
    }, accountId);
  }

  /** @throws TemplateNotFound */
  async remove(requester: Requester, id: string, hook?: TransactionHook<AccountTemplate>): Promise<AccountTemplate> {
    assertMayEdit(requester);
    const { accountId, actor } = requester;
    return this.unitOfWork.run(async (stores) => {
      const before = await stores.templates.find(accountId, id);
      if (!before) throw new TemplateNotFound();
      await stores.templates.remove(id);
      await stores.audit.append(templateChanged({ at: this.clock.now(), actor, before, after: undefined }));
      await hook?.(stores, before);
      return before;
    }, accountId);
  }
}

function assertMayEdit({ actor }: Requester): void {
  assertActionAllowed(actor, 'write');
  assertWholeAccountAllowed(actor);
}

interface TemplateChange {
  readonly at: Date;
  readonly actor: Actor;
  /** Undefined if the template is new. */
  readonly before: AccountTemplate | undefined;
  /** Undefined if the template is removed. */
  readonly after: AccountTemplate | undefined;
}

function templateChanged({ at, actor, before, after }: TemplateChange): AuditFact {
  const action = !before ? 'template.created' : after ? 'template.changed' : 'template.removed';
  const { accountId, name } = (after ?? before) as AccountTemplate;
  return { accountId, at, actor, action, domain: null, subject: name, ...difference(factsOf(before), factsOf(after)) };
}

function factsOf(template: AccountTemplate | undefined): AuditFacts {
  if (!template) return {};
  const { name, description, records } = template;
  return { name, description, records };
}
