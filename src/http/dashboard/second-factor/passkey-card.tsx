import type { Passkey } from '../../../domain/access/factors/passkey';
import { Badge, Card, Confirm, Day } from '../layout/components';

interface PasskeyCardProps {
  readonly passkeys: readonly Passkey[];
  /** Whether a passkey may be removed. */
  readonly removable: boolean;
}

export function PasskeyCard({ passkeys, removable }: PasskeyCardProps) {
  return (
    <Card
      title="Passkeys"
      class="narrow"
      aside={passkeys.length > 0 ? <Badge tone="good">on</Badge> : <Badge tone="plain">off</Badge>}
    >
      <p>A passkey signs you in with your device instead of the password, or after it.</p>
      {passkeys.length > 0 && (
        <ul class="plain-list">
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id}>
              <strong>{name}</strong>{' '}
              <small>
                added on <Day at={createdAt} />,{' '}
                {lastUsedAt ? (
                  <>
                    last used on <Day at={lastUsedAt} />
                  </>
                ) : (
                  'never used'
                )}
              </small>
              {removable && (
                <Confirm
                  label="Remove"
                  about={name}
                  action="/settings/second-factor/passkey/remove"
                  fields={{ id }}
                  question={`The passkey ${name} will no longer sign you in.`}
                  button="Remove the passkey"
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="actions">
        <a class="button" href="/settings/second-factor/passkey">
          Add a passkey
        </a>
      </p>
    </Card>
  );
}
