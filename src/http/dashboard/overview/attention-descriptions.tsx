import type { ComponentChildren } from 'preact';
import type { NamedOperation } from '../../../application/ports/registration/operations-and-transfers';
import type { FoundDifference } from '../../../application/ports/registration/imports-and-reconciliation';
import type { KeyAction } from '../../../domain/access/key-limits';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { formatDate } from '../../../domain/shared/time/date-text';
import { DomainLink } from '../domains/domain-link';
import { displayName } from '../layout/domain/domain-labels';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';
import { mayTransfer } from '../user-session';
import { SearchAgainLink } from '../register/search-again-link';
import { TransferOutDecision } from '../transfers/transfer-out-notice';
import { DateTime, Day } from '../layout/components';
import type {
  AttentionItems,
  EndingDomain,
  LapsedDomain,
  LeavingDomain,
  LowBalance,
  RefusedRegistration,
} from './attention-items';

export const MAX_SHOWN = 5;
const DIFFERENCE_LABELS: Readonly<Record<FoundDifference['kind'], string>> = {
  'missing here': 'domain',
  'missing there': 'domain',
  status: 'the status',
  expiry: 'the expiry',
  lock: 'the transfer lock',
  nameservers: 'the list of nameservers',
};

export interface AttentionItem {
  readonly text: ComponentChildren;
  /** When it is too late, in the registry's time. */
  readonly deadline?: Date | null;
  /** Buttons. */
  readonly actions?: ComponentChildren;
}

export function limited<T>(
  all: readonly T[],
  describe: (each: T) => AttentionItem,
  more: ComponentChildren,
): readonly AttentionItem[] {
  return [...all.slice(0, MAX_SHOWN).map(describe), ...(all.length > MAX_SHOWN ? [{ text: more }] : [])];
}

function Button({
  href,
  label,
  about,
  needs = 'read',
}: {
  readonly href: string;
  readonly label: string;
  readonly about?: string;
  readonly needs?: KeyAction;
}) {
  return (
    <MayDo action={needs}>
      <a class="button quiet" href={href}>
        {label}
        {about !== undefined && <span class="visually-hidden"> {displayName(about)}</span>}
      </a>
    </MayDo>
  );
}

export function describeLeaving({ domain, decidable }: LeavingDomain): AttentionItem {
  const { id, name, transferEndsAt } = domain;
  return {
    text: (
      <>
        Another registrar has requested the transfer of <DomainLink id={id} name={name} />.{' '}
        {transferEndsAt && 'Unless it is rejected by the deadline, it moves there. '}
        {!decidable && 'Contact the registrar if you did not ask for it.'}
      </>
    ),
    deadline: transferEndsAt,
    actions: decidable && <LeavingDecision domain={domain} />,
  };
}

function LeavingDecision({ domain }: { readonly domain: DomainState }) {
  const { userSession } = usePage();
  return <TransferOutDecision domain={domain} transferable={userSession !== undefined && mayTransfer(userSession)} />;
}

export function describeLapsed({ domain: { id, name, status }, until }: LapsedDomain): AttentionItem {
  const link = <DomainLink id={id} name={name} />;
  return status === 'redemption'
    ? {
        text: <>{link} was deleted but is still reserved for you. Restore it to keep it.</>,
        deadline: until,
        actions: <Button href={`/domains/${id}/restore`} label="Restore" about={name} needs="renew" />,
      }
    : {
        text: <>{link} has expired but still works. Renew it to keep it.</>,
        deadline: until,
        actions: <Button href={`/domains/${id}/renew`} label="Renew" about={name} needs="renew" />,
      };
}

export function describeMoreLapsed({
  counts,
  lapsed,
}: Pick<AttentionItems, 'lapsed'> & { readonly counts: ReadonlyMap<DomainStatus, number> }): readonly AttentionItem[] {
  return (['redemption', 'expired'] as const).flatMap((status) => {
    const shown = lapsed.filter(({ domain }) => domain.status === status).length;
    const more = (counts.get(status) ?? 0) - shown;
    if (more <= 0) return [];
    const what = `${more.toLocaleString('en')} more ${more === 1 ? 'domain is' : 'domains are'}`;
    return [
      {
        text: `${what} ${status === 'redemption' ? 'in redemption after deletion' : 'expired'}.`,
        actions: <Button href={`/domains?status=${status}&sort=expiry`} label="Show all" />,
      },
    ];
  });
}

export function describeBalance({ registry, text, at }: LowBalance): AttentionItem {
  return {
    text: (
      <>
        The balance at the registry {registry} is low. Top it up, or the registry will refuse registrations and
        renewals. Message of <Day at={at} />: {text}
      </>
    ),
  };
}

export function describeFailedRenewal({ domainName, domainExpiresAt, operation }: NamedOperation): AttentionItem {
  const { domainId, updatedAt, error } = operation;
  return {
    text: (
      <>
        The renewal of <DomainLink id={domainId} name={domainName} page="/operations" /> failed on{' '}
        <Day at={updatedAt} />: {error?.message}
      </>
    ),
    deadline: domainExpiresAt,
    actions: <Button href={`/domains/${domainId}/renew`} label="Renew" about={domainName} needs="renew" />,
  };
}

export function describeUncertain({ domainName, operation }: NamedOperation): AttentionItem {
  const { domainId, uncertainSince, updatedAt } = operation;
  return {
    text: (
      <>
        <DomainLink id={domainId} name={domainName} page="/operations" />: The outcome of this operation has been
        unknown since <DateTime at={uncertainSince ?? updatedAt} />. Contact the registry.
      </>
    ),
  };
}

export function describeDifference({ registry, name, kind, domainId, ours, theirs }: FoundDifference): AttentionItem {
  if (domainId === null)
    return {
      text: `${displayName(name)} is at the registry ${registry} but not here.`,
      actions: <Button href="/imports" label="Bring your domains" />,
    };
  const link = <DomainLink id={domainId} name={name} />;
  const actions = <Button href={`/domains/${domainId}`} label="Show" about={name} />;
  return kind === 'missing there'
    ? {
        text: (
          <>
            {link} is not at the registry {registry}: it is {theirs}. Contact the registrar.
          </>
        ),
        actions,
      }
    : {
        text: (
          <>
            {link} differs from the registry {registry}: {DIFFERENCE_LABELS[kind]} is {describeValue(kind, theirs)}{' '}
            there and {describeValue(kind, ours)} here. Ask the operator of this service to adopt what the registry has.
          </>
        ),
        actions,
      };
}

function describeValue(kind: FoundDifference['kind'], value: string): string {
  return kind === 'expiry' ? formatDate(new Date(value)) : value;
}

export function describeEnding({
  domain: { id, name },
  deadline,
  isDeletedHere,
  isRenewable,
}: EndingDomain): AttentionItem {
  const isRenewed = isRenewable && !isDeletedHere;
  return {
    text: (
      <>
        {isDeletedHere && 'This service deletes '}
        <DomainLink id={id} name={name} />
        {isDeletedHere ? ' before the registry would renew it,' : ' expires'} because auto-renewal is off.{' '}
        {isRenewed ? 'Renew it to keep it.' : 'Turn auto-renewal on to keep it.'}
      </>
    ),
    deadline,
    actions: isRenewed ? (
      <Button href={`/domains/${id}/renew`} label="Renew" about={name} needs="renew" />
    ) : (
      <Button href={`/domains/${id}`} label="Show" about={name} />
    ),
  };
}

export function describeUnhealthy({ unhealthy }: Pick<AttentionItems, 'unhealthy'>): readonly AttentionItem[] {
  if (unhealthy === 0) return [];
  return [
    {
      text: `The health checks found problems with ${unhealthy === 1 ? '1 domain' : `${unhealthy} domains`}.`,
      actions: <Button href="/domains?health=problem" label="Show problems" />,
    },
  ];
}

export function describeDrifted({ drifted }: Pick<AttentionItems, 'drifted'>): readonly AttentionItem[] {
  const [first] = drifted;
  if (!first) return [];
  const others = drifted.length > 1 ? ' and of other names' : '';
  const text = `Records or settings of ${displayName(first.name)}${others} were changed after their desired state was applied.`;
  return [{ text, actions: <Button href="/drift" label="Set back or adopt" needs="write" /> }];
}

export function describeRegistrant({ domain, after }: AuditEntry): AttentionItem {
  const { id = '', name = '' } = domain ?? {};
  return {
    text: (
      <>
        <DomainLink id={id} name={name} /> is registered, but the registry did not take its registrant and may have
        another one: {String(after['reason'])}. Set the registrant again, or contact the registrar.
      </>
    ),
    actions: <Button href={`/domains/${id}/registrant`} label="Set registrant" about={name} needs="settings" />,
  };
}

export function describeRefused({ domain, at, operation }: RefusedRegistration): AttentionItem {
  const name = displayName(domain?.name ?? '');
  const reason = operation?.error ? `: ${operation.error.message}` : '.';
  return {
    text: (
      <>
        The registry refused the registration of {name} on <Day at={at} />
        {reason}
      </>
    ),
    actions: operation ? (
      <Button href={`/register/progress/${operation.id}`} label="Order again" about={name} needs="register" />
    ) : (
      <SearchAgainLink name={domain?.name} class="button quiet" />
    ),
  };
}

export function describeOldKeys(count: number): readonly AttentionItem[] {
  if (count === 0) return [];
  return [
    {
      text: `${count === 1 ? 'An API key is' : `${count} API keys are`} older than 90 days. Rotate old keys.`,
      actions: <Button href="/api-keys" label="API keys" />,
    },
  ];
}
