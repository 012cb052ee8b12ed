import { inject, injectable } from '../../ports/inject';
import { isPublishedOtherwise, type AliasTarget } from '../../../domain/dns/alias/alias-target';
import { AliasReader, type AliasPosition, type TargetGroup } from '../../ports/dns/alias-repository';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { settleAll } from '../../shared/settle-all';
import { LookUpTarget } from './look-up-target';

const ALIASES_AT_ONCE = 500;
const TARGETS_MADE_DUE = 20;

/**
 * A look-up sends two queries at a time. Without an answer it lasts for seconds: such targets, of which one account can have
 * thousands, get their own look-ups, and no more at once than take place at the same time, so that others wait for seconds.
 */
const GROUPS: readonly { readonly group: TargetGroup; readonly atOnce: number; readonly concurrent: number }[] = [
  { group: 'answered', atOnce: 200, concurrent: 16 },
  { group: 'unanswered', atOnce: 64, concurrent: 64 },
];

/** Looks up the targets that are due, once for all ALIAS records that have them. */
@injectable()
export class RefreshTargets {
  constructor(
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(LookUpTarget) private readonly lookUpTarget: LookUpTarget,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'aliases'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Makes the ALIAS records due whose target has other addresses or another TTL now. Returns whether any target was due. */
  async execute(stopping: AbortSignal): Promise<boolean> {
    const refreshed = await settleAll(GROUPS.map((each) => this.refresh(each, stopping)));
    return refreshed.includes(true);
  }

  private async refresh(
    { group, atOnce, concurrent }: (typeof GROUPS)[number],
    stopping: AbortSignal,
  ): Promise<boolean> {
    const due = await this.aliases.dueTargets(this.clock.now(), atOnce, group);
    if (due.length === 0) return false;
    const unused = due.filter(({ isUsed }) => !isUsed).map(({ target }) => target);
    if (unused.length > 0) await this.unitOfWork.run(({ aliases }) => aliases.removeUnused(unused));
    const waiting = due.filter(({ isUsed }) => isUsed);
    const found: AliasTarget[] = [];
    const changed: string[] = [];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !stopping.aborted; next = waiting.shift()) {
        const after = await this.lookUpTarget.execute(next);
        if (isPublishedOtherwise(next.answers, after.answers)) changed.push(next.target);
        found.push(after);
      }
    };
    await settleAll(Array.from({ length: concurrent }, worker));
    await this.makeAliasesDue(changed);
    // Last: after a crash the targets are looked up again, and their aliases become due again.
    await this.unitOfWork.run(({ aliases }) => aliases.saveTargets(found));
    return true;
  }

  /** Most targets have few ALIAS records: those of several targets become due in one transaction. */
  private async makeAliasesDue(targets: readonly string[]): Promise<void> {
    const now = this.clock.now();
    for (let from = 0; from < targets.length; from += TARGETS_MADE_DUE) {
      const unfinished = await this.unitOfWork.run(async ({ aliases }) => {
        const positions: (readonly [target: string, last: AliasPosition])[] = [];
        for (const target of targets.slice(from, from + TARGETS_MADE_DUE)) {
          const last = await aliases.makeDue(target, now, ALIASES_AT_ONCE);
          if (last) positions.push([target, last]);
        }
        return positions;
      });
      for (const [target, last] of unfinished) await this.makeOthersDue(target, now, last);
    }
  }

  private async makeOthersDue(target: string, now: Date, first: AliasPosition): Promise<void> {
    for (let last: AliasPosition | undefined = first; last;) {
      const from: AliasPosition = last;
      last = await this.unitOfWork.run(({ aliases }) => aliases.makeDue(target, now, ALIASES_AT_ONCE, from));
    }
  }
}
