import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-labels';
import { Card, Confirm } from '../layout/components';
import { ToggleSwitch } from '../layout/toggle-switch';

export interface TransferCardProps {
  readonly domain: DomainState;
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
  /** The registry's name in the registries file. */
  readonly registry: string | undefined;
  /** Whether the registrar returns auth codes. */
  readonly issuesCodes: boolean;
}

/** At which registrar the domain is, its transfer lock and its auth code. */
export function TransferCard({ domain, transferable, registry, issuesCodes }: TransferCardProps) {
  const { id, transferLocked } = domain;
  if (!transferable && transferLocked) {
    return (
      <Card title="Transfer">
        <HeldAt registry={registry} />
        <p>The transfer lock is on. Only owners of the account can turn it off, get auth codes and delete domains.</p>
      </Card>
    );
  }
  return (
    <Card title="Transfer">
      <HeldAt registry={registry} />
      <ToggleSwitch
        on={transferLocked}
        action={`/domains/${id}/transfer-lock`}
        label="Transfer lock"
        description={
          transferLocked
            ? 'The domain cannot be transferred to another registrar.'
            : 'Anyone with an auth code can transfer the domain to another registrar.'
        }
      />
      <AuthCode domain={domain} transferable={transferable} issuesCodes={issuesCodes} />
    </Card>
  );
}

function HeldAt({ registry }: Pick<TransferCardProps, 'registry'>) {
  if (registry === undefined) return <p class="small">No registrar of this service serves the TLD any more.</p>;
  return (
    <p class="small">
      Held at the registrar <strong>{registry}</strong>.
    </p>
  );
}

function AuthCode({ domain: { id, name }, transferable, issuesCodes }: Omit<TransferCardProps, 'registry'>) {
  if (!issuesCodes) return <p class="mt-4">The registrar does not issue auth codes here. Ask the registrar for one.</p>;
  if (!transferable) return <p class="mt-4">Only owners of the account can get auth codes.</p>;
  return (
    <div class="mt-4">
      <Confirm
        label="Get an auth code"
        action={`/domains/${id}/auth-code`}
        button="Issue an auth code"
        question={`Anyone with the code can transfer ${displayName(name)} to another registrar. Earlier codes stop working.`}
      />
    </div>
  );
}
