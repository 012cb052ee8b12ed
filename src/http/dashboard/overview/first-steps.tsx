import type { ComponentChildren } from 'preact';
import type { KeyAction } from '../../../domain/access/key-limits';
import { Card } from '../layout/components';
import { usePage } from '../layout/page-context';
import { allows } from '../user-session';

/** What a new account has done so far. */
export interface FirstStepsProps {
  readonly domains: boolean;
  readonly records: boolean;
  readonly keys: boolean;
  readonly team: boolean;
}

interface Step {
  readonly done: boolean;
  readonly text: ComponentChildren;
  /** What a role needs for it. */
  readonly needs: KeyAction | 'owner';
}

/** The checklist of a new account. Renders nothing once every step is done. */
export function FirstSteps({ domains, records, keys, team }: FirstStepsProps) {
  const { userSession } = usePage();
  const steps: readonly Step[] = [
    {
      done: domains,
      needs: 'register',
      text: (
        <>
          <a href="/add">Add your first name</a>: <a href="/register">register it</a>,{' '}
          <a href="/transfers/new">transfer it here</a>
          {userSession?.user.role === 'owner' && (
            <>
              , <a href="/imports">import it from your registrar</a>
            </>
          )}{' '}
          or <a href="/add/dns">host its DNS</a>
        </>
      ),
    },
    {
      done: records,
      needs: 'write',
      text: (
        <>
          <a href="/domains">Add DNS records</a> to a domain
        </>
      ),
    },
    {
      done: keys,
      needs: 'owner',
      text: (
        <>
          <a href="/api-keys">Create an API key</a> for your programs
        </>
      ),
    },
    {
      done: team,
      needs: 'owner',
      text: (
        <>
          <a href="/team">Invite a colleague</a>
        </>
      ),
    },
  ];
  const shown = steps.filter(({ needs }) =>
    needs === 'owner' ? userSession?.user.role === 'owner' : userSession && allows(userSession, needs),
  );
  if (shown.every(({ done }) => done)) return null;
  return (
    <Card
      title="First steps"
      aside={<span class="small">{`${shown.filter(({ done }) => done).length} of ${shown.length} done`}</span>}
    >
      <ul class="plain-list first-steps">
        {shown.map(({ done, text }, index) => (
          <li key={index} class={done ? 'done' : undefined}>
            <span aria-hidden="true">{done ? '✓' : '○'}</span>
            <span>
              {done && <span class="visually-hidden">Done: </span>}
              {text}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
