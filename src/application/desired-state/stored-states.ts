import { isDeepStrictEqual } from 'node:util';
import { inject, injectable } from '../ports/inject';
import type { DesiredState } from '../../domain/portfolio/desired-state';
import type { DomainState } from '../../domain/registration/domain';
import { DesiredStateReader, type StoredState } from '../ports/portfolio/portfolio-repositories';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';
import type { StateCommand } from './state-plan';

/** The states that were applied last. */
@injectable()
export class StoredStates {
  constructor(
    @inject(DesiredStateReader) private readonly states: DesiredStateReader,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** With the changes of the state, in their unit of work. */
  async put(
    { desiredStates }: Pick<Stores, 'desiredStates'>,
    { accountId, actor, state }: StateCommand,
    { id: domainId, name }: Pick<DomainState, 'id' | 'name'>,
    zoneVersion: number,
  ): Promise<void> {
    const appliedAt = this.clock.now();
    await desiredStates.put({ domainId, accountId, name, state, zoneVersion, actor, appliedAt, driftedAt: null });
  }

  find(accountId: string, domainId: string): Promise<StoredState | undefined> {
    return this.states.find(accountId, domainId);
  }

  /** Whether the name has this state: it was applied last, and nothing has changed since. */
  async isApplied(accountId: string, domainId: string, state: DesiredState): Promise<boolean> {
    const stored = await this.find(accountId, domainId);
    return stored?.driftedAt === null && isDeepStrictEqual(asStored(stored.state), asStored(state));
  }

  hasGone(accountId: string, name: string): Promise<boolean> {
    return this.states.hasGone(accountId, name);
  }
}

/** Without what JSON leaves out. */
function asStored(state: DesiredState): unknown {
  return JSON.parse(JSON.stringify(state));
}
