import type { ComponentChildren } from 'preact';
import { Card, DateTime } from '../../layout/components';
import type { DangerStep } from './danger-steps';

interface DangerZoneProps {
  readonly domainId: string;
  readonly steps: readonly DangerStep[];
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
  /** The deadline for a deletion with refund. */
  readonly deletableUntil?: Date | undefined;
}

const FORBIDDEN: Readonly<Record<DangerStep['kind'], string>> = {
  'auth code': 'get an auth code for the domain',
  release: 'release the domain to another registrar',
  move: 'move it to another account',
  deletion: 'delete the domain',
  'zone deletion': 'delete the zone',
};

const LIST = new Intl.ListFormat('en-GB');
const NO_AUTH_CODES = 'The registrar does not issue auth codes here. Ask the registrar for one.';

const BUTTONS: Readonly<Record<DangerStep['kind'], string>> = {
  'auth code': 'Get an auth code',
  release: 'Release',
  move: 'Move',
  deletion: 'Delete',
  'zone deletion': 'Delete',
};

/** What lets the account lose the domain. Each step has its own page that asks for the name. Renders nothing if no step is possible. */
export function DangerZone({ domainId, steps, transferable, deletableUntil }: DangerZoneProps) {
  if (steps.length === 0) return null;
  return (
    <Card title="Danger zone" class="danger-zone">
      {transferable ? (
        <ul class="plain-list">
          {steps.map((step) => (
            <Step key={step.kind} step={step} domainId={domainId} deletableUntil={deletableUntil} />
          ))}
        </ul>
      ) : (
        <Forbidden steps={steps.filter(({ path }) => path !== undefined)} />
      )}
    </Card>
  );
}

function Forbidden({ steps }: Pick<DangerZoneProps, 'steps'>) {
  if (steps.length === 0) return <p>{NO_AUTH_CODES}</p>;
  return <p>Only owners of the account can {LIST.format(steps.map(({ kind }) => FORBIDDEN[kind]))}.</p>;
}

function Step({
  step: { kind, title, path },
  domainId,
  deletableUntil,
}: Pick<DangerZoneProps, 'domainId' | 'deletableUntil'> & { readonly step: DangerStep }) {
  return (
    <li>
      <p>
        <strong>{title}</strong>
        <small>{describe(kind, path !== undefined, deletableUntil)}</small>
      </p>
      {path !== undefined && (
        <a class="button quiet danger" href={`/domains/${domainId}${path}`}>
          {BUTTONS[kind]}
        </a>
      )}
    </li>
  );
}

function describe(kind: DangerStep['kind'], isOffered: boolean, deletableUntil?: Date): ComponentChildren {
  if (kind === 'zone deletion') return 'The zone is no longer served. This cannot be undone.';
  if (kind === 'move') return 'Another account of this service gets it when it accepts.';
  if (kind === 'release') return 'Moves the domain to the tag of another registrar.';
  if (kind === 'deletion' && deletableUntil)
    return (
      <>
        The price is refunded until <DateTime at={deletableUntil} />. This cannot be undone.
      </>
    );
  return isOffered ? 'Anyone with the code can transfer the domain to another registrar.' : NO_AUTH_CODES;
}
