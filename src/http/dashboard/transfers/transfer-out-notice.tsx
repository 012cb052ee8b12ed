import { addDays } from '../../../domain/shared/time/calendar';
import type { DomainState } from '../../../domain/registration/domain';
import { formatDate } from '../../../domain/shared/time/date-text';
import { displayName } from '../layout/domain/domain-labels';
import { Confirm } from '../layout/components';
import { formatRelativeDay } from '../layout/dates';
import { KeepZoneField } from '../layout/domain/keep-zone-field';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';

interface TransferOutNoticeProps {
  readonly domain: DomainState;
  /** Whether the registrar lets us approve or reject transfers. */
  readonly decidable: boolean;
  /** How many days a release waits for the other registrar; undefined at registries that have no releases. */
  readonly releaseDays: number | undefined;
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
}

/** A pending transfer to another registrar, its deadline, and the decision about it. */
export function TransferOutNotice({ domain, decidable, releaseDays, transferable }: TransferOutNoticeProps) {
  const { today } = usePage();
  const { transferRequestedAt, transferEndsAt } = domain;
  if (!decidable && releaseDays !== undefined && transferRequestedAt)
    return (
      <div class="alert warning">
        <p>
          The domain was released to another registrar on {formatDate(transferRequestedAt)} and leaves as soon as the
          other registrar accepts it. If it has not by {formatDate(addDays(transferRequestedAt, releaseDays))}, the
          domain stays here.
        </p>
      </div>
    );
  return (
    <div class="alert warning">
      <p>
        {describePending(decidable, transferRequestedAt)}.{' '}
        {transferEndsAt &&
          `If no one decides, the domain moves to the other registrar on ${formatDate(transferEndsAt)}, ${formatRelativeDay(transferEndsAt, today)}. `}
        {decidable ? 'Reject it if you did not ask for it.' : 'Contact the registrar if you did not ask for it.'}
      </p>
      {decidable && <TransferOutDecision domain={domain} transferable={transferable} />}
    </div>
  );
}

function describePending(decidable: boolean, since: Date | null): string {
  if (!decidable) return `A transfer to another registrar is pending${since ? ` since ${formatDate(since)}` : ''}`;
  return `Another registrar ${since ? `requested a transfer on ${formatDate(since)}` : 'has requested a transfer'}`;
}

/** The buttons that reject a transfer to another registrar, and approve it. */
export function TransferOutDecision({ domain, transferable }: Pick<TransferOutNoticeProps, 'domain' | 'transferable'>) {
  const { id, name } = domain;
  return (
    <div class="actions">
      <MayDo action="transfer">
        <Confirm
          label="Reject the transfer"
          about={`of ${displayName(name)}`}
          action={`/domains/${id}/transfer-out/reject`}
          button="Reject the transfer"
          question={`${displayName(name)} stays in this account.`}
          danger={false}
        />
      </MayDo>
      {transferable && (
        <Confirm
          label="Approve the transfer"
          about={`of ${displayName(name)}`}
          action={`/domains/${id}/transfer-out/approve`}
          button="Approve the transfer"
          question={`${displayName(name)} leaves this account at once. This cannot be undone.`}
        >
          <KeepZoneField domain={domain} />
        </Confirm>
      )}
    </div>
  );
}
