import type { DomainState } from '../../../domain/registration/domain';
import { Card } from '../layout/components';
import { ToggleSwitch } from '../layout/toggle-switch';

interface TransferCardProps {
  readonly domain: DomainState;
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
}

export function TransferCard({ domain: { id, transferLocked }, transferable }: TransferCardProps) {
  if (!transferable && transferLocked) {
    return (
      <Card title="Transfer">
        <p>The transfer lock is on. Only owners of the account can turn it off.</p>
      </Card>
    );
  }
  return (
    <Card title="Transfer">
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
    </Card>
  );
}
