import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed } from '../../../domain/registration/domain-status';
import type { LifecycleDates } from '../../../domain/registration/lifecycle';
import type { OperationState } from '../../../domain/registration/operation';
import { displayName } from '../domains/domain-words';
import { Card, Confirm } from '../layout/parts';
import { RegistrantAddress } from '../registrant/registrant-card';
import { DelegationNotice } from '../zone/delegation-notice';
import { DomainFrame } from './domain-frame';
import { OperationList } from './operation-list';
import { StatusAdvice } from './status-advice';
import { Switch } from './switch';
import { mayTransfer } from '../visitor';
import { usePage } from '../layout/page-context';

export interface DomainPageProps {
  readonly domain: DomainState;
  readonly dates: LifecycleDates | undefined;
  /** The latest, newest first. */
  readonly operations: readonly OperationState[];
  /** Whether it can still be given back. */
  readonly deletable: boolean;
  /** The host names of this service's nameservers. */
  readonly ours: readonly string[];
}

export function DomainPage({ domain, dates, operations, deletable, ours }: DomainPageProps) {
  const { id, status, nameservers, registrant } = domain;
  const path = `/domains/${id}`;
  const { visitor } = usePage();
  const transferable = visitor !== undefined && mayTransfer(visitor);
  return (
    <DomainFrame domain={domain} tab="details">
      <StatusAdvice domain={domain} dates={dates} />
      <DelegationNotice domain={domain} ours={ours} />
      <div class="columns">
        {isAllowed(status, 'renew') && <RenewalCard domain={domain} deletable={deletable && transferable} />}
        {isAllowed(status, 'issue an auth code') && <TransferCard domain={domain} transferable={transferable} />}
        <Card
          title="Nameservers"
          aside={
            isAllowed(status, 'change nameservers') && (
              <ChangeLink href={`${path}/nameservers`} what="the nameservers" />
            )
          }
        >
          <ul class="plain-list">
            {nameservers.map((host) => (
              <li key={host}>
                <code>{host}</code>
              </li>
            ))}
          </ul>
        </Card>
        <Card
          title="Registrant"
          aside={
            isAllowed(status, 'change contacts') && <ChangeLink href={`${path}/registrant`} what="the registrant" />
          }
        >
          <RegistrantAddress registrant={registrant} />
        </Card>
      </div>
      <Card title="Latest operations" class="flush" aside={<a href={`${path}/operations`}>All operations</a>}>
        <OperationList operations={operations} />
      </Card>
    </DomainFrame>
  );
}

function RenewalCard({ domain: { id, autoRenew }, deletable }: Pick<DomainPageProps, 'domain' | 'deletable'>) {
  const path = `/domains/${id}`;
  return (
    <Card title="Renewal">
      <Switch
        on={autoRenew}
        action={`${path}/auto-renewal`}
        label="Auto-renewal"
        words={autoRenew ? 'We renew it before it expires.' : 'It ends on its expiry unless you renew it.'}
      />
      <p class="actions after">
        <a class="button" href={`${path}/renew`}>
          Renew now
        </a>
        {deletable && (
          <a class="button quiet" href={`${path}/delete`}>
            Delete
          </a>
        )}
      </p>
    </Card>
  );
}

function TransferCard({
  domain: { id, name, transferLocked },
  transferable,
}: Pick<DomainPageProps, 'domain'> & { readonly transferable: boolean }) {
  const path = `/domains/${id}`;
  if (!transferable && transferLocked) {
    return (
      <Card title="Transfer">
        <p>The transfer lock is on. Only owners of the account switch it off, get auth codes and delete domains.</p>
      </Card>
    );
  }
  return (
    <Card title="Transfer">
      <Switch
        on={transferLocked}
        action={`${path}/transfer-lock`}
        label="Transfer lock"
        words={
          transferLocked ? 'Nobody can move it to another registrar.' : 'Whoever has an auth code can move it away.'
        }
      />
      {transferable ? (
        <div class="after">
          <Confirm
            label="Get an auth code"
            action={`${path}/auth-code`}
            button="Issue an auth code"
            question={`Anyone who has the code can transfer ${displayName(name)} to another registrar. An earlier code becomes void.`}
          />
        </div>
      ) : (
        <p class="after">Only owners of the account get auth codes.</p>
      )}
    </Card>
  );
}

function ChangeLink({ href, what }: { readonly href: string; readonly what: string }) {
  return (
    <a href={href}>
      Change<span class="unseen"> {what}</span>
    </a>
  );
}
