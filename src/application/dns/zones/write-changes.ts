import { inject, injectable } from '../../ports/inject';
import { driftSum } from '../../../domain/dns/state-drift';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { zoneChanged, zoneDrifted } from '../../audit/zone-audit';
import { GlueChanges } from '../../ports/dns/glue-changes';
import type { CommitStore, Stores } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { settleAll } from '../../shared/settle-all';
import type { AcceptedChange } from './accepted-change';

/** Writes accepted changes with what belongs to them: history, audit entries, glue, events, and what their hooks write. */
@injectable()
export class WriteChanges {
  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(GlueChanges) private readonly glue: GlueChanges,
  ) {}

  /**
   * In the unit of work that has locked their zones. Few of its statements wait for the result of another one, so on SQLite they
   * travel to the writer together.
   */
  async execute<T>(stores: Pick<Stores, CommitStore>, accepted: readonly AcceptedChange<T>[]): Promise<void> {
    const { audit, zones } = stores;
    const at = this.clock.now();
    const changes = accepted.flatMap((one) => [one, ...one.ptrs]).filter(({ isChanged }) => isChanged);
    const writes = changes.map((each) => each.writeAt(at));
    await zones.signAhead(writes);
    await settleAll([
      ...accepted.map(async (one) => one.writing.hook?.(stores, one.written)),
      zones.apply(writes),
      this.glue.queue(
        stores,
        changes.map(({ name, change }) => ({ zone: name, change })),
      ),
      reportDrift(stores, changes, at),
      audit.append(...changes.map((each) => zoneChanged(each.auditedAt(at)))),
      ...accepted.map(async ({ before: { domainId }, decision: { confirmed } }) => {
        const [first] = confirmed;
        const ids = confirmed.map(({ id }) => id);
        if (first) await zones.confirm(domainId, ids, first.toState().updatedAt);
      }),
    ]);
  }
}

async function reportDrift(
  { events, desiredStates }: Pick<Stores, 'desiredStates' | 'events'>,
  changes: readonly Pick<AcceptedChange, 'auditedAt' | 'before' | 'change'>[],
  at: Date,
): Promise<void> {
  const drifts = changes.flatMap((each) =>
    zoneDrifted(each.auditedAt(at), each.before).map((event) => ({ event, before: each.before, change: each.change })),
  );
  const byZone = groupedBy(drifts, ({ before }) => before.domainId);
  await settleAll([
    events.append(...drifts.map(({ event }) => event)),
    ...[...byZone].map(([domainId, ofZone]) => {
      const sum = driftSum(
        ofZone.map(({ change }) => change),
        ofZone[0]?.before.stateOwner ?? '',
      );
      return desiredStates.markRecordsDrifted(domainId, sum, at);
    }),
  ]);
}
