import { inject, injectable } from '../ports/inject';
import type { DesiredRegistration, DesiredState } from '../../domain/portfolio/desired-state';
import { asIfAccepted } from '../../domain/access/key-permissions';
import type { DomainState } from '../../domain/registration/domain';
import type { KeyAction } from '../../domain/access/key-limits';
import type { Reader } from '../../domain/access/actor';
import { sizeOf } from '../../domain/dns/zone-change';
import { ServiceError } from '../../domain/shared/service-error';
import { Clock } from '../ports/system';
import { DomainNotFound } from '../../domain/shared/domain-errors';
import { DomainName } from '../../domain/shared/domain-name';
import { isHosted } from '../../domain/registration/domain-status';
import { asPartOf } from '../access/approvals/approval-needed';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import type { TransactionHook } from '../ports/storage/unit-of-work';
import { FindDomain } from '../registration/find-domain';
import { ApplyToName } from './apply-to-name';
import { RegisterByState } from './register-by-state';
import { isEmptyPlan, type StateCommand, type StatePlan } from './state-plan';
import { StoredStates } from './stored-states';

interface Registration {
  /** In A-labels. */
  readonly name: string;
  readonly order: DesiredRegistration;
  /** The name, if the account hosts its zone. */
  readonly hosted: DomainState | undefined;
}

/** A name and what it is to be, or why that cannot be read. */
export interface NamedState {
  readonly name: string;
  readonly state: DesiredState | ServiceError;
}

export interface PlannedState {
  readonly name: string;
  readonly outcome: StatePlan | ServiceError;
  /** The plan is empty, and the state the one that was applied last: applying it does nothing. */
  readonly isApplied: boolean;
}

/** Of all plans of a request, whose memory and time they bound. */
const MOST_CHANGES = 10_000;
const PLANNED_WITHIN_MS = 2_000;
const HOW_TO_REGISTER = 'A state with register and max_price registers it';
const NO_HOOK: TransactionHook<StatePlan> = async () => undefined;

/**
 * Makes a name what a desired state says: records, settings and a registration are stored in one transaction, with the operations for
 * the registry, so that all of it happens or nothing. A state that is applied again changes nothing.
 * @throws DomainNotFound, DomainStatusConflict, LimitedKey, ValidationError, ItemsRejected, RecordConflict, LimitExceeded,
 *   DailyQuotaReached, StatePlanOutdated; DomainUnavailable, RegistryRejected, RegistryUnavailable if the name is to be registered
 */
@injectable()
export class ApplyState {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'zoneByName'>,
    @inject(ApplyToName) private readonly applyToName: ApplyToName,
    @inject(RegisterByState) private readonly registerByState: RegisterByState,
    @inject(StoredStates) private readonly stored: Pick<StoredStates, 'isApplied'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** What `execute` would change; nothing is changed. @throws as `execute` */
  async plan(command: StateCommand): Promise<StatePlan> {
    const accepted = { ...command, actor: asIfAccepted(command.actor) };
    const target = await this.find(accepted);
    return 'order' in target
      ? this.registerByState.plan({ ...accepted, name: target.name }, target.order, target.hosted)
      : this.applyToName.plan(accepted, target);
  }

  /** Plans the states in their order. The rest is left out once the plans have many changes, or have taken long. */
  async planEach({ accountId, actor }: Reader, states: readonly NamedState[]): Promise<readonly PlannedState[]> {
    const deadline = this.clock.now().getTime() + PLANNED_WITHIN_MS;
    const planned: PlannedState[] = [];
    let changes = 0;
    for (const { name, state } of states) {
      const outcome =
        state instanceof ServiceError ? state : await orError(() => this.plan({ accountId, actor, name, state }));
      planned.push({ name, outcome, isApplied: await this.isApplied(accountId, state, outcome) });
      if (!(outcome instanceof ServiceError)) changes += sizeOf(outcome.change);
      if (changes >= MOST_CHANGES || this.clock.now().getTime() > deadline) break;
    }
    return planned;
  }

  private async isApplied(accountId: string, state: DesiredState | ServiceError, outcome: StatePlan | ServiceError) {
    if (state instanceof ServiceError || outcome instanceof ServiceError || !isEmptyPlan(outcome)) return false;
    return outcome.domainId !== undefined && this.stored.isApplied(accountId, outcome.domainId, state);
  }

  async execute(command: StateCommand, hook = NO_HOOK): Promise<StatePlan> {
    const target = await this.find(command);
    // Only the API has the state as it was given.
    return asPartOf(undefined, async () =>
      'order' in target
        ? this.registerByState.execute({ ...command, name: target.name }, target.order, hook, target.hosted)
        : this.applyToName.execute(command, target, hook),
    );
  }

  /** The name, or what is to be registered. @throws DomainNotFound */
  private async find({ accountId, actor, name, state }: StateCommand): Promise<DomainState | Registration> {
    const { registration: order } = state;
    try {
      const found = (await this.findDomain.zoneByName({ accountId, actor, name }, actionOf(state))).toState();
      return order && isHosted(found.status) ? { name: found.name, order, hosted: found } : found;
    } catch (error) {
      if (!(error instanceof DomainNotFound)) throw error;
      if (!order) throw new DomainNotFound(HOW_TO_REGISTER);
      return { name: DomainName.parse(name).value, order, hosted: undefined };
    }
  }
}

async function orError<T>(run: () => Promise<T>): Promise<T | ServiceError> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof StorageUnavailable) throw error;
    return error;
  }
}

function actionOf({ records, settings }: DesiredState): KeyAction {
  if (records) return 'write';
  return settings ? 'settings' : 'read';
}
