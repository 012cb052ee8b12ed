import type { CheckState } from '../../../domain/health/health-check';
import type { HealthReport, ServerLight } from '../../../domain/health/health-report';
import { checkLabel, STATE_LABELS } from './health-labels';

/** From the registry to the nameservers to the secondaries, each with a light. The text beside each light says the same. */
export function HealthPicture({ report: { checks, servers } }: { readonly report: HealthReport }) {
  const delegation = checks.find(({ id }) => id === 'delegation');
  const of = (kind: ServerLight['kind']) => servers.filter((server) => server.kind === kind);
  return (
    <ol class="health-picture" aria-label="From the registry to the nameservers">
      <li>
        <h3>Registry</h3>
        <ul>
          <Light name="Delegation" state={delegation?.state ?? 'unknown'} note={delegation?.summary ?? ''} />
        </ul>
      </li>
      <Stage title="Nameservers" servers={of('nameserver')} none="None was asked." />
      <Stage title="Secondaries" servers={of('secondary')} none="This service has none." />
    </ol>
  );
}

function Stage({
  title,
  servers,
  none,
}: {
  readonly title: string;
  readonly servers: readonly ServerLight[];
  readonly none: string;
}) {
  return (
    <li>
      <h3>{title}</h3>
      {servers.length === 0 ? (
        <p class="small">{none}</p>
      ) : (
        <ul>
          {servers.map(({ name, state, note }) => (
            <Light key={`${name} ${note}`} name={name} state={state} note={note} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Light({ name, state, note }: { readonly name: string; readonly state: CheckState; readonly note: string }) {
  return (
    <li class={`light ${STATE_LABELS[state].tone}`}>
      <strong>{name}</strong> <span class="visually-hidden">({checkLabel(state)})</span>
      <span class="small">{note}</span>
    </li>
  );
}
