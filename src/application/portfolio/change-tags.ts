import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { parseTags } from '../../domain/shared/tags';
import type { Domain } from '../../domain/registration/domain';
import { assertEveryTagAllowed } from '../../domain/access/key-permissions';
import { assertTagsRemovable } from '../access/approvals/approval-needed';
import { requireOwned } from '../access/require-domain';
import { domainChanged } from '../audit/domain-audit';
import { Clock, LifecycleClock } from '../ports/system';
import { UnitOfWork, type HookStore, type Stores, type TransactionHook } from '../ports/storage/unit-of-work';

/** All tags that the domain is to have, or those to add and to remove. */
type TagChange =
  { readonly tags: readonly string[] } | { readonly add: readonly string[]; readonly remove: readonly string[] };

type ChangeTagsCommand = Requester & { readonly domainId: string } & TagChange;

/** Changes the tags of a domain, or of a name without a registration. Only our data. @throws LimitedKey, RoleForbids, DomainNotFound, ValidationError */
@injectable()
export class ChangeTags {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | HookStore>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(command: ChangeTagsCommand, hook?: TransactionHook<Domain>): Promise<Domain> {
    return this.unitOfWork.run(async (stores) => {
      const domain = await this.within(stores, command);
      await hook?.(stores, domain);
      return domain;
    }, command.accountId);
  }

  /** In a unit of work of the caller. @throws as `execute` */
  async within(stores: Pick<Stores, 'audit' | 'domains'>, command: ChangeTagsCommand): Promise<Domain> {
    const { accountId, actor, domainId } = command;
    const domain = requireOwned(await stores.domains.lock(accountId, domainId), { actor }, 'settings');
    assertEveryTagAllowed(actor);
    const before = domain.toState();
    const tags = changedTags(before.tags, command);
    const removed = before.tags.filter((tag) => !tags.includes(tag));
    assertTagsRemovable(actor, removed, () => ({ kind: 'tags', domainId, tags }));
    if (tags.join() !== before.tags.join()) {
      domain.setTags(tags, this.lifecycleClock.now());
      await stores.domains.save(domain);
      const entry = { at: this.clock.now(), actor, action: 'domain.tags_changed' } as const;
      await stores.audit.append(domainChanged({ ...entry, before, after: domain.toState() }));
    }
    return domain;
  }
}

function changedTags(current: readonly string[], change: TagChange): readonly string[] {
  if ('tags' in change) return parseTags(change.tags);
  const removed = new Set(parseTags(change.remove, 'remove'));
  return parseTags([...current.filter((tag) => !removed.has(tag)), ...parseTags(change.add, 'add')]);
}
