import { approvalRulesOf, type Actor } from '../../../domain/access/actor';
import { needsApproval, type ApprovalChange, type ApprovalRule } from '../../../domain/access/approvals/approval-rule';
import { mostOf, type BulkStep } from '../../../domain/portfolio/bulk-job';
import { knownTotal, type Money } from '../../../domain/shared/money';
import { ApprovalNeeded, type AttemptedChange } from '../../access/approvals/approval-needed';

/**
 * A job is judged as a whole when it is started, as if its domains had every tag and its records every name: its items then run
 * without a second person. What changes records is judged by them when it is started, by `JudgeBulkRecords`.
 * @param steps of all items: their purchases are judged by the total @throws ApprovalNeeded
 */
export function assertBulkNeedsNoApproval(
  actor: Actor,
  steps: readonly BulkStep[],
  attempted: () => AttemptedChange,
): void {
  const rules = approvalRulesOf(actor);
  if (rules.length === 0) return;
  const ofEveryTag = rules.map(({ tags: _tags, ...rule }) => rule);
  const named = new Set(rules.flatMap(({ tags = [] }) => tags));
  const total = knownTotal(steps.filter((step) => changeOf(step) === 'purchases').map(mostOf));
  for (const step of new Set(steps)) {
    if (step.kind === 'tags' && step.remove.some((tag) => named.has(tag)))
      throw new ApprovalNeeded('rules', attempted());
    const kind = changeOf(step);
    if (kind && isAskedFor(ofEveryTag, kind, total)) throw new ApprovalNeeded(kind, attempted());
  }
}

/** The others need no one. */
const CHANGES: Partial<Record<BulkStep['kind'], ApprovalChange>> = {
  nameservers: 'nameservers',
  registrant: 'contacts',
  renewal: 'purchases',
  transfer_order: 'purchases',
  registration_order: 'purchases',
  transfer_lock: 'transfer_out',
  template: 'records',
  roll_back: 'records',
};

function changeOf(step: BulkStep): ApprovalChange | undefined {
  return step.kind === 'transfer_lock' && step.locked ? undefined : CHANGES[step.kind];
}

function isAskedFor(rules: readonly ApprovalRule[], kind: ApprovalChange, total: Money | undefined): boolean {
  if (kind === 'records') return rules.some(({ changes }) => changes.includes('records'));
  return needsApproval(rules, { kind, tags: [], total });
}
