import type { Actor } from '../../domain/access/actor';
import { difference, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import type { AccountTemplate } from '../../domain/dns/templates/record-template';

interface TemplateChange {
  readonly at: Date;
  readonly actor: Actor;
  /** Undefined if the template is new. */
  readonly before: AccountTemplate | undefined;
  /** Undefined if the template is removed. */
  readonly after: AccountTemplate | undefined;
}

export function templateChanged({ at, actor, before, after }: TemplateChange): AuditFact {
  const action = !before ? 'template.created' : after ? 'template.changed' : 'template.removed';
  const { accountId, name } = (after ?? before) as AccountTemplate;
  return { accountId, at, actor, action, domain: null, subject: name, ...difference(factsOf(before), factsOf(after)) };
}

function factsOf(template: AccountTemplate | undefined): AuditFacts {
  if (!template) return {};
  const { name, description, records } = template;
  return { name, description, records };
}
