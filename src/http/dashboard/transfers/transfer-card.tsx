import type { DomainState } from '../../../domain/registration/domain';
import { Card } from '../layout/components';
import { ToggleSwitch } from '../layout/forms/toggle-switch';

interface TransferCardProps {
  readonly domain: DomainState;
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
  /** Whether the registrar offers a transfer lock. */
  readonly hasLock: boolean;
}

export function TransferCard({ domain: { id, transferLocked }, transferable, hasLock }: TransferCardProps) {
  const isFixed = !transferable && transferLocked;
  return (
    <Card title="Transfer" term={hasLock ? 'transfer-lock' : undefined}>
      {hasLock && isFixed && <p>The transfer lock is on. Only owners of the account can turn it off.</p>}
      {hasLock && !isFixed && (
        <ToggleSwitch
          on={transferLocked}
          action={`/domains/${id}/transfer-lock`}
          needs="settings"
          label="Transfer lock"
          description={
            transferLocked
              ? 'The domain cannot be transferred to another registrar.'
              : 'Anyone with an auth code can transfer the domain to another registrar.'
          }
        />
      )}
      <p>
        <a href={`/domains/${id}/transfer-out`}>Transfer to another registrar</a>
      </p>
    </Card>
  );
}
