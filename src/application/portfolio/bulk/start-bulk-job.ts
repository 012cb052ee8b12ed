import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import {
  MAX_BULK_DOMAINS,
  changesRecords,
  type BulkDomainAction,
  type BulkItem,
  type BulkJob,
  type RegistrationAction,
  type ZoneFilesAction,
  type SelectedDomain,
} from '../../../domain/portfolio/bulk-job';
import { parseTags } from '../../../domain/shared/tags';
import { Nameservers } from '../../../domain/registration/nameservers';
import { assertRegistrant } from '../../../domain/registration/registrant';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { fillTemplate } from '../../../domain/dns/templates/record-template';
import type { Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { TemplateLibrary } from '../../dns/templates/template-library';
import type { SortedPosition, DomainFilter } from '../../ports/registration/domain-repository';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../../ports/system';
import { bulkBegun } from '../../audit/access-audit';
import type { AttemptedChange } from '../../access/approvals/approval-needed';
import { attemptedBulk } from './attempted-bulk';
import { assertBulkNeedsNoApproval } from './bulk-approval';
import { assertBulkAllowed, isLongJob } from './bulk-limits';
import { JudgeBulkRecords } from './judge-bulk-records';
import { VisibleDomains } from '../../registration/visible-domains';

const PAGE_SIZE = 500;
/** The values of a template are checked before there is a zone. */
const SOME_ZONE = 'example.com';

/** Domains by their ids, or all that match a filter when the job starts. */
export type BulkSelection = { readonly ids: readonly string[] } | { readonly filter: DomainFilter };

interface StartBulkJobCommand extends Requester {
  readonly action: BulkDomainAction;
  readonly selection: BulkSelection;
  /** What domains are renewed from, by their ids. */
  readonly currentExpiries?: ReadonlyMap<string, Date> | undefined;
  /** What each renewal costs at most, by the ids of the domains. */
  readonly maxPrices?: ReadonlyMap<string, Money> | undefined;
}

/**
 * Stores a job that changes many domains; `BulkRunner` runs it in the background, each domain as if it were requested alone.
 * @throws ValidationError for an action or a selection that is invalid for every domain; LimitedKey, TemplateNotFound, BulkLimitReached
 */
@injectable()
export class StartBulkJob {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(TemplateLibrary) private readonly templates: TemplateLibrary,
    @inject(JudgeBulkRecords) private readonly judgeRecords: Pick<JudgeBulkRecords, 'execute'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'bulkJobs' | HookStore>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    { selection, action, currentExpiries, maxPrices, ...requester }: StartBulkJobCommand,
    hook?: TransactionHook<BulkJob>,
  ): Promise<BulkJob> {
    const valid = await this.validate(requester, action);
    const domains = await this.select(requester, selection);
    const limits = { currentExpiries, maxPrices };
    return this.start(
      { ...requester, action: valid, domains: domains.map((each) => limited(each, valid, limits)) },
      hook,
    );
  }

  /** The action as it is stored. @throws ValidationError, InvalidNameservers, TemplateNotFound for what is wrong for every domain */
  async validate(requester: Requester, action: BulkDomainAction): Promise<BulkDomainAction> {
    if (action.kind !== 'template') return validAction(action);
    const { variables, records } = await this.templates.find(requester, action.templateId);
    const template = { variables, records };
    fillTemplate(template, action.values, SOME_ZONE);
    return { ...action, template };
  }

  /** Stores a job for domains that were selected before, each with its own action if it has one. @throws BulkLimitReached */
  async start(
    {
      accountId,
      actor,
      action,
      domains,
      undoes = null,
    }: Requester & {
      readonly action: BulkDomainAction | RegistrationAction | ZoneFilesAction;
      readonly domains: readonly SelectedDomain[];
      readonly undoes?: string | null;
    },
    hook?: TransactionHook<BulkJob>,
  ): Promise<BulkJob> {
    const attempted = (): AttemptedChange =>
      undoes === null ? attemptedBulk(action, domains) : { kind: 'bulk_undo', jobId: undoes };
    const steps = domains.map(({ ownAction }) => ownAction ?? action);
    assertBulkNeedsNoApproval(
      actor,
      steps.filter((step) => !changesRecords(step)),
      attempted,
    );
    const judged = await this.judgeRecords.execute({ accountId, actor }, domains, action, attempted);
    const now = this.clock.now();
    const job: BulkJob = {
      id: this.ids.next('blk'),
      accountId,
      actor,
      action,
      total: domains.length,
      undoes,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    const items = judged.map(({ domainId, name, ownAction = null }): BulkItem => ({
      domainId,
      name,
      operationId: this.ids.next('op'),
      ownAction,
      undo: null,
      state: 'waiting',
      attempts: 0,
      error: null,
    }));
    return this.unitOfWork.run(
      async (stores) => {
        if (undoes === null) await assertBulkAllowed(stores, { accountId, at: now, domains: items.length });
        await stores.bulkJobs.add(job, items);
        await stores.audit.append(bulkBegun('bulk.started', job, items.length));
        await hook?.(stores, job);
        return job;
      },
      accountId,
      { isLong: isLongJob(job) },
    );
  }

  /** Each domain once. @throws ValidationError if they are too many or none, LimitedKey */
  async select(requester: Requester, selection: BulkSelection): Promise<readonly SelectedDomain[]> {
    const selected = await ('ids' in selection
      ? this.byId(requester, selection.ids)
      : this.matching(requester, selection.filter));
    if (selected.length === 0)
      throw ValidationError.of('ids' in selection ? 'domains' : 'filter', 'must select at least one domain');
    return selected;
  }

  private async byId(requester: Requester, given: readonly string[]): Promise<readonly SelectedDomain[]> {
    const ids = [...new Set(given)];
    if (ids.length > MAX_BULK_DOMAINS || ids.some((id) => id.length > 40))
      throw ValidationError.of('domains', `must be at most ${MAX_BULK_DOMAINS} ids of domains`);
    const names = await this.domains.names(requester, ids);
    return ids.map((domainId) => ({ domainId, name: names.get(domainId) ?? '' }));
  }

  private async matching(requester: Requester, filter: DomainFilter): Promise<readonly SelectedDomain[]> {
    assertActionAllowed(requester.actor, 'read');
    const list = { ...filter, order: 'name', descending: false } as const;
    const selected: SelectedDomain[] = [];
    let after: SortedPosition | undefined;
    do {
      const { items, next } = await this.domains.page(requester, list, PAGE_SIZE, after);
      selected.push(...items.map(({ id, name }) => ({ domainId: id, name })));
      if (selected.length > MAX_BULK_DOMAINS)
        throw ValidationError.of('filter', `must match at most ${MAX_BULK_DOMAINS} domains`);
      after = next;
    } while (after);
    return selected;
  }
}

/** With what its renewal is from, and costs at most. */
function limited(
  domain: SelectedDomain,
  action: BulkDomainAction,
  { currentExpiries, maxPrices }: Pick<StartBulkJobCommand, 'currentExpiries' | 'maxPrices'>,
): SelectedDomain {
  const currentExpiry = currentExpiries?.get(domain.domainId)?.toISOString();
  const maxPrice = maxPrices?.get(domain.domainId);
  if (action.kind !== 'renewal' || (currentExpiry === undefined && !maxPrice)) return domain;
  const own = { ...action, ...(currentExpiry !== undefined && { currentExpiry }), ...(maxPrice && { maxPrice }) };
  return { ...domain, ownAction: own };
}

/** What is wrong for every domain is refused before the job is stored. @throws ValidationError, InvalidNameservers */
function validAction(action: BulkDomainAction): BulkDomainAction {
  if (action.kind === 'nameservers') return { ...action, hosts: Nameservers.of(action.hosts).hosts };
  if (action.kind === 'registrant') assertRegistrant(action.registrant, 'contacts.registrant');
  if (action.kind === 'renewal' && action.years !== undefined) RegistrationTerm.ofYears(action.years);
  if (action.kind !== 'tags') return action;
  const [add, remove] = [parseTags(action.add, 'add_tags'), parseTags(action.remove, 'remove_tags')];
  if (add.length + remove.length === 0) throw ValidationError.of('add_tags', 'must have at least one tag');
  return { ...action, add, remove };
}
