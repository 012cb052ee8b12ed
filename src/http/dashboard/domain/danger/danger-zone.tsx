import type { DomainState } from '../../../../domain/registration/domain';
import { isAllowed } from '../../../../domain/registration/domain-status';
import { Card } from '../../layout/components';
import { formatDateTime } from '../../layout/dates';

interface DangerZoneProps {
  readonly domain: DomainState;
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
  /** The deadline for a deletion with refund; undefined if it is not possible. */
  readonly deletableUntil: Date | undefined;
  /** Whether the registrar returns auth codes. */
  readonly issuesCodes: boolean;
  /** Whether the registry moves names to the tag of another registrar. */
  readonly releases: boolean;
}

/** What lets the account lose the domain. Each step has its own page that asks for the name. Renders nothing if no step is possible. */
export function DangerZone({
  domain: { id, status },
  transferable,
  deletableUntil,
  issuesCodes,
  releases,
}: DangerZoneProps) {
  const hasCodes = isAllowed(status, 'issue an auth code') && (issuesCodes || !releases);
  const isReleasable = releases && isAllowed(status, 'release to another registrar');
  if (!hasCodes && !isReleasable && !deletableUntil) return null;
  if (!transferable)
    return (
      <Card title="Danger zone" class="danger-zone">
        <p>Only owners of the account can {releases ? 'release' : 'get auth codes'} and delete domains.</p>
      </Card>
    );
  return (
    <Card title="Danger zone" class="danger-zone">
      <ul class="plain-list">
        {hasCodes && (
          <Step
            title="Auth code"
            text={
              issuesCodes
                ? 'Anyone with the code can transfer the domain to another registrar.'
                : 'The registrar does not issue auth codes here. Ask the registrar for one.'
            }
            {...(issuesCodes && { href: `/domains/${id}/auth-code`, action: 'Get an auth code' })}
          />
        )}
        {isReleasable && (
          <Step
            title="Release to another registrar"
            text="Moves the domain to the tag of another registrar."
            href={`/domains/${id}/release`}
            action="Release"
          />
        )}
        {deletableUntil && (
          <Step
            title="Deletion"
            text={`The price is refunded until ${formatDateTime(deletableUntil)}. This cannot be undone.`}
            href={`/domains/${id}/delete`}
            action="Delete"
          />
        )}
      </ul>
    </Card>
  );
}

interface StepProps {
  readonly title: string;
  readonly text: string;
  readonly href?: string;
  readonly action?: string;
}

function Step({ title, text, href, action }: StepProps) {
  return (
    <li>
      <p>
        <strong>{title}</strong>
        <small>{text}</small>
      </p>
      {href !== undefined && (
        <a class="button quiet danger" href={href}>
          {action}
        </a>
      )}
    </li>
  );
}
