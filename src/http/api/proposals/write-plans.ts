import { inject, injectable } from '../../../application/ports/inject';
import { DomainReader } from '../../../application/ports/registration/domain-repository';
import { Rehearsals, type RehearsedChange } from '../../../application/ports/storage/unit-of-work';
import type { PresentPlan } from '../../../application/proposals/decide-proposal';
import { asIfAccepted } from '../../../domain/access/key-permissions';
import { changesTheSame } from '../../../domain/access/proposals/plan-effect';
import type { ProposalPlan } from '../../../domain/access/proposals/proposal';
import { PlanOvertaken } from '../../../domain/access/proposals/proposal-errors';
import { isOrderStep, mostOf, type BulkStep } from '../../../domain/portfolio/bulk-job';
import type { Domain, DomainState } from '../../../domain/registration/domain';
import type { OperationKind } from '../../../domain/registration/operations/operation-request';
import { majorUnits, moneyText, sum, type Money } from '../../../domain/shared/money';
import { shownRequest } from '../resources/registration/operations';
import { bulkStepPlans } from './bulk-step-plans';
import { ApiWrites, type ApiWrite, type WriteCaller } from './api-writes';
import { storedPlan } from './stored-plan';
import { forPlannedVersions, ZoneFilePlans } from './zone-file-plans';

/** Finds out what writes of the API would do. */
@injectable()
export class WritePlans {
  constructor(
    @inject(ApiWrites) private readonly writes: ApiWrites,
    @inject(Rehearsals) private readonly rehearsals: Rehearsals,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ZoneFilePlans) private readonly zoneFiles: ZoneFilePlans,
  ) {}

  /**
   * The write's own dry run, or what it would store: changes of settings, operations at the registry, their cost. Nothing is changed.
   * @throws ValidationError, InsufficientScope, and what the write would be refused with
   */
  async planOf(given: WriteCaller, write: ApiWrite): Promise<PresentPlan> {
    const caller = { ...given, actor: asIfAccepted(given.actor) };
    if (this.writes.hasDryRun(caller, write)) {
      const { body, headers } = await this.writes.handle(caller, write, { dry_run: 'true' });
      return {
        plan: await storedPlan(dryRunPlan(body as object), caller.accountId),
        ifMatch: write.ifMatch ?? headers['ETag'],
      };
    }
    const change = await this.rehearsals.rehearse(() => this.writes.handle(caller, write));
    const find = async (id: string) => this.domains.find(caller.accountId, id);
    const planned = await rehearsedPlan(change, find);
    const zones = await this.zoneFiles.of(caller, change?.bulkSteps ?? []);
    return { plan: await storedPlan({ ...planned, ...zones }, caller.accountId), ifMatch: write.ifMatch };
  }

  /**
   * Runs the write with its body if it does what the plan says; it may cost another price. What has a dry run is sent with the version
   * that the plan was made for, and zone files with the versions of their zones. @throws PlanOvertaken
   */
  async keepTo<T>(
    plan: ProposalPlan,
    caller: WriteCaller,
    write: ApiWrite,
    run: (body: unknown) => Promise<T>,
  ): Promise<T> {
    if (this.writes.hasDryRun(caller, write)) return run(write.body);
    const ofZones = plan['zones'] !== undefined;
    const body = ofZones ? await this.forPresentZones(plan, caller, write) : write.body;
    const expected = ofZones ? withoutZones(plan) : plan;
    return this.rehearsals.guard(
      () => run(body),
      async (change, { domains }) => {
        // A name that is only registered now has no plan before it.
        if (change.operations.some(({ request }) => request.kind === 'register')) return;
        const find = async (id: string) => domains.lock(caller.accountId, id);
        const present = await rehearsedPlan(change, find);
        if (!changesTheSame(expected, present as ProposalPlan)) throw new PlanOvertaken();
      },
    );
  }

  /** @throws PlanOvertaken, and what the write would be refused with */
  private async forPresentZones(plan: ProposalPlan, caller: WriteCaller, write: ApiWrite): Promise<unknown> {
    const present = await this.planOf(caller, write);
    if (!changesTheSame(plan, present.plan)) throw new PlanOvertaken();
    return forPlannedVersions(write.body, present.plan);
  }
}

async function rehearsedPlan(
  change: RehearsedChange | undefined,
  find: (domainId: string) => Promise<Domain | undefined>,
): Promise<object> {
  const { facts = [], operations = [], transfers = [], bulkSteps = [] } = change ?? {};
  const bulk = bulkCost(bulkSteps.map(({ step }) => step));
  const [cost] = [
    ...operations.flatMap(({ request }) => ('price' in request ? [request.price] : [])),
    ...transfers.map(({ price }) => price),
    ...bulk.costs,
  ];
  const toOperations = operations.map(async ({ domainId, request }) => {
    const domain = (await find(domainId))?.toState();
    return {
      kind: request.kind,
      domain: domain?.name ?? null,
      before: (domain && BEFORE[request.kind]?.(domain)) ?? {},
      request: shownRequest(request),
    };
  });
  return {
    changes: facts.map(({ action, domain, subject, before, after }) => ({
      action,
      domain: domain?.name ?? null,
      subject: domain ? null : subject,
      before,
      after,
    })),
    operations: [...(await Promise.all(toOperations)), ...bulkSteps.flatMap(shownOrder)],
    ...bulkStepPlans(bulkSteps),
    warnings: bulk.warnings,
    ...(cost && { cost: shownCost(cost) }),
  };
}

/** Of a job of zone files, which are compared before: only they are long. */
function withoutZones({ zones: _zones, whole: _whole, ...plan }: ProposalPlan): ProposalPlan {
  return plan;
}

function dryRunPlan(body: object): object {
  const { dry_run: _dryRun, warnings = [], ...result } = body as Record<string, unknown>;
  const cost =
    typeof result['price'] === 'number' ? { amount: result['price'], currency: result['currency'] } : undefined;
  return { result, warnings, ...(cost && { cost }) };
}

/** What an operation changes, in the words of its request. */
const BEFORE: Partial<Record<OperationKind, (domain: DomainState) => object>> = {
  renew: ({ expiresAt }) => ({ current_expiry: expiresAt }),
  set_nameservers: ({ nameservers }) => ({ nameservers }),
  set_registrar_renewal: ({ autoRenew }) => ({ auto_renew: autoRenew }),
  set_transfer_lock: ({ transferLocked }) => ({ transfer_locked: transferLocked }),
};

/** A name that a bulk job orders, which the account does not have yet; none for a step on a domain. */
function shownOrder({ name, step }: RehearsedChange['bulkSteps'][number]): object[] {
  if (!isOrderStep(step)) return [];
  const { kind, years, maxPrice, idnLanguage } = step;
  const request = { years, max_price: maxPrice && shownCost(maxPrice), idn_language: idnLanguage };
  return [{ kind: kind === 'transfer_order' ? 'transfer' : 'register', domain: name, before: {}, request }];
}

/** The most that all orders of a bulk job cost together, if each has a limit. */
function bulkCost(steps: readonly BulkStep[]): {
  readonly costs: readonly Money[];
  readonly warnings: readonly string[];
} {
  const limits = steps.filter((step) => step.kind === 'renewal' || isOrderStep(step)).map(mostOf);
  const known = limits.filter((limit) => limit !== undefined);
  const currencies = new Set(known.map(({ currency }) => currency));
  const totals = [...currencies].map((currency) =>
    sum(
      known.filter((each) => each.currency === currency),
      currency,
    ),
  );
  const unlimited = limits.length - known.length;
  if (unlimited === 0 && totals.length <= 1) return { costs: totals, warnings: [] };
  return {
    costs: [],
    warnings: [
      ...totals.map((total) => `Orders with a max_price cost at most ${moneyText(total)}`),
      ...(unlimited > 0 ? [`${unlimited} of ${limits.length} orders have no max_price: they cost any price`] : []),
    ],
  };
}

function shownCost(cost: Money): object {
  return { amount: majorUnits(cost), currency: cost.currency };
}
