import type { ComponentChildren } from 'preact';
import type { TransferOutProgress } from '../../../../application/transfers/read-transfer-out';
import type {
  TransferOutStep,
  TransferOutStepState,
} from '../../../../domain/registration/transfers/transfer-out-steps';
import { displayName } from '../../layout/domain/domain-labels';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { PostForm } from '../../layout/forms/forms';
import { Badge, Card, DateTime } from '../../layout/components';
import { LeavingNotice } from '../../dnssec/leaving-notice';
import { TransferOutNotice } from '../../transfers/transfer-out-notice';
import { TypedNameField } from './typed-name';

const STATES: Readonly<Record<TransferOutStepState, readonly [label: string, tone: 'good' | 'warning' | 'plain']>> = {
  done: ['done', 'good'],
  now: ['to do now', 'warning'],
  advised: ['best done first', 'warning'],
  waiting: ['waiting for the other registrar', 'plain'],
  later: ['later', 'plain'],
  elsewhere: ['at the registrar', 'plain'],
};

const TITLES: Readonly<Record<TransferOutStep['kind'], string>> = {
  dns: 'Keep the DNS working',
  lock: 'Turn off the transfer lock',
  code: 'Get an auth code',
  release: 'Release the domain',
  transfer: 'Transfer at the new registrar',
};

interface TransferOutPageProps extends TransferOutProgress {
  /** Whether the user may let domains be transferred away. */
  readonly transferable: boolean;
}

/** The steps by which a domain goes to another registrar, each with its state and what to do. */
export function TransferOutPage({ steps, ...props }: TransferOutPageProps) {
  const { domain, transferable } = props;
  return (
    <DomainLayout domain={domain} tab="details">
      <Card title={`Transfer ${displayName(domain.name)} to another registrar`} class="narrow">
        {!transferable && <p class="alert">Only owners of the account can transfer domains to another registrar.</p>}
        <ol class="steps">
          {steps.map((step) => (
            <li key={step.kind} aria-current={step.state === 'now' ? 'step' : undefined}>
              <h3>
                {TITLES[step.kind]} <Badge tone={STATES[step.state][1]}>{STATES[step.state][0]}</Badge>
              </h3>
              <Step {...props} step={step} />
            </li>
          ))}
        </ol>
        <p class="mt-4">
          <a class="button" href={`/domains/${domain.id}`}>
            Back to the domain
          </a>
        </p>
      </Card>
    </DomainLayout>
  );
}

type StepProps = Omit<TransferOutPageProps, 'steps'> & { readonly step: TransferOutStep };

function Step({ step, ...props }: StepProps): ComponentChildren {
  if (step.kind === 'dns') return <DnsStep {...props} />;
  if (step.kind === 'lock') return <LockStep {...props} state={step.state} />;
  if (step.kind === 'code') return <CodeStep {...props} state={step.state} />;
  if (step.kind === 'release') return <ReleaseStep {...props} state={step.state} />;
  return <TransferStep {...props} state={step.state} />;
}

type PartProps = Omit<StepProps, 'step'> & { readonly state: TransferOutStepState };

function DnsStep({ domain, warnings }: Omit<PartProps, 'state'>) {
  if (warnings.length === 0) return <p>Nothing stops working here when the domain leaves.</p>;
  return <LeavingNotice domainId={domain.id} warnings={warnings} next="nameservers" />;
}

function LockStep({ domain, state, transferable }: PartProps) {
  if (state === 'done') return <p>The domain can be transferred.</p>;
  return (
    <>
      <p>The registry refuses every transfer while it is on.</p>
      {transferable && (
        <PostForm action={`/domains/${domain.id}/transfer-lock`}>
          <input type="hidden" name="on" value="no" />
          <input type="hidden" name="then" value="transfer-out" />
          <button type="submit" class="danger">
            Turn off the transfer lock
          </button>
        </PostForm>
      )}
    </>
  );
}

function CodeStep({ domain, state, transferable }: PartProps) {
  const { authCodeUntil, name } = domain;
  if (state === 'elsewhere') return <p>The registrar does not issue auth codes here. Ask the registrar for one.</p>;
  if (state === 'later') return <p>Possible when the transfer lock is off.</p>;
  const isValid = state === 'done' && authCodeUntil !== null;
  return (
    <>
      {isValid && (
        <p>
          A code was issued and works until <DateTime at={authCodeUntil} />. It was shown once: get another one if it is
          lost, and the former stops working.
        </p>
      )}
      {state === 'now' && <p>Anyone with the code can transfer the domain to another registrar.</p>}
      {state === 'now' && transferable && (
        <PostForm action={`/domains/${domain.id}/auth-code`}>
          <TypedNameField name={name} />
          <button type="submit" class="danger">
            Issue an auth code
          </button>
        </PostForm>
      )}
      {isValid && transferable && (
        <a class="button quiet" href={`/domains/${domain.id}/auth-code`}>
          Get another code
        </a>
      )}
    </>
  );
}

function ReleaseStep({ domain, state, transferable }: PartProps) {
  if (state !== 'now') return null;
  return (
    <>
      <p>The registry moves the domain to the tag of the new registrar.</p>
      {transferable && (
        <a class="button danger" href={`/domains/${domain.id}/release`}>
          Release {displayName(domain.name)} …
        </a>
      )}
    </>
  );
}

function TransferStep({ domain, state, transferable, releaseDays }: PartProps) {
  if (state === 'done') return <p>{displayName(domain.name)} has left this account.</p>;
  if (domain.transferPending)
    return (
      <TransferOutNotice
        domain={domain}
        decidable={state === 'now'}
        releaseDays={releaseDays}
        transferable={transferable}
      />
    );
  return <p>Order the transfer at the new registrar, with the auth code. Its request appears here.</p>;
}
