import type { Requester } from '../../domain/access/actor';
import { sizeOf, type ZoneChange } from '../../domain/dns/zone-change';
import type { DesiredState, SettingChange } from '../../domain/portfolio/desired-state';
import type { Operation } from '../../domain/registration/operations/operation';
import type { Money } from '../../domain/shared/money';
import type { TransactionHook } from '../ports/storage/unit-of-work';

/** The versions that a plan was made for. */
export interface StateVersions {
  /** Of the zone; 0 if the name is not here. */
  readonly zone: number;
  /** Of the settings that the state has; null if it has none. */
  readonly settings: string | null;
}

export interface StateCommand extends Requester {
  readonly name: string;
  readonly state: DesiredState;
  /** The versions of the plan that is applied; undefined: any. */
  readonly expected?: StateVersions | undefined;
}

/** What a state changes, or has changed: then the versions are those after it. */
export interface StatePlan {
  readonly name: string;
  /** Undefined if the name is not here yet. */
  readonly domainId: string | undefined;
  readonly change: ZoneChange;
  readonly settings: readonly SettingChange[];
  /** For the registry, in their order. */
  readonly operations: readonly Operation[];
  /** What the operations cost. */
  readonly cost: Money;
  readonly warnings: readonly string[];
  readonly versions: StateVersions;
}

export function isEmptyPlan({ change, settings, operations }: StatePlan): boolean {
  return sizeOf(change) + settings.length + operations.length === 0;
}

export const NO_CHANGE: ZoneChange = { added: [], changed: [], removed: [] };

/** Undoes the transaction of a plan. */
class Planned extends Error {
  constructor(readonly plan: StatePlan) {
    super('a plan is not committed');
  }
}

/** Runs what applies a state, and undoes it: the plan is what would have been committed. @throws as `apply` */
export async function planOnly(apply: (hook: TransactionHook<StatePlan>) => Promise<unknown>): Promise<StatePlan> {
  try {
    await apply(async (_stores, plan) => {
      throw new Planned(plan);
    });
  } catch (error) {
    if (error instanceof Planned) return error.plan;
    throw error;
  }
  throw new TypeError('a plan was committed');
}
