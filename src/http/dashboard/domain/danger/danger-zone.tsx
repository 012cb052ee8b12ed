import type { DomainState } from '../../../../domain/registration/domain';
import { isAllowed } from '../../../../domain/registration/domain-status';
import { Card } from '../../layout/components';
import { formatDateTime } from '../../layout/dates';

export interface DangerZoneProps {
  readonly domain: DomainState;
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
  /** The deadline for a deletion with refund; undefined if it is not possible. */
  readonly deletableUntil: Date | undefined;
  /** Whether the registrar returns auth codes. */
  readonly issuesCodes: boolean;
}

/** What lets the account lose the domain. Each step has its own page that asks for the name. Renders nothing if no step is possible. */
export function DangerZone({ domain: { id, status }, transferable, deletableUntil, issuesCodes }: DangerZoneProps) {
  const hasCodes = isAllowed(status, 'issue an auth code');
  if (!hasCodes && !deletableUntil) return null;
  if (!transferable)
    return (
      <Card title="Danger zone" class="danger-zone">
        <p>Only owners of the account can get auth codes and delete domains.</p>
      </Card>
    );
  return (
    <Card title="Danger zone" class="danger-zone">
      <ul class="plain-list">
        {hasCodes && (
          <li>
            <p>
              <strong>Auth code</strong>
              <small>
                {issuesCodes
                  ? 'Anyone with the code can transfer the domain to another registrar.'
                  : 'The registrar does not issue auth codes here. Ask the registrar for one.'}
              </small>
            </p>
            {issuesCodes && (
              <a class="button quiet danger" href={`/domains/${id}/auth-code`}>
                Get an auth code
              </a>
            )}
          </li>
        )}
        {deletableUntil && (
          <li>
            <p>
              <strong>Deletion</strong>
              <small>The price is refunded until {formatDateTime(deletableUntil)}. This cannot be undone.</small>
            </p>
            <a class="button quiet danger" href={`/domains/${id}/delete`}>
              Delete
            </a>
          </li>
        )}
      </ul>
    </Card>
  );
}
