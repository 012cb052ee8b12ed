import type { ComponentChildren } from 'preact';
import type { DomainState } from '../../../domain/registration/domain';
import type { HealthState } from '../../../domain/health/health-check';
import type { Money } from '../../../domain/shared/money';
import { formatDate } from '../../../domain/shared/time/date-text';
import { HealthBadge } from '../health/health-badge';
import { formatRelativeDay } from '../layout/dates';
import { formatPrice } from '../layout/money';
import { usePage } from '../layout/page-context';

export interface DomainFactsProps {
  readonly domain: DomainState;
  /** The registry's name in the registries file; undefined if none serves the TLD any more. */
  readonly registry: string | undefined;
  /** What a renewal costs, for the shortest term; undefined if unknown or if the domain cannot be renewed. */
  readonly renewalPrice: Money | undefined;
  /** When the service renews the domain next; undefined if it does not. */
  readonly renewsAt: Date | undefined;
  /** Undefined if the domain was never checked. */
  readonly health: HealthState | undefined;
}

/** The facts that people need first. */
export function DomainFacts({ domain, registry, renewalPrice, renewsAt, health }: DomainFactsProps) {
  const { id, registeredAt } = domain;
  return (
    <section class="card facts" aria-label="Facts">
      <dl>
        <Fact term="Domain ID">
          <code id="domain-id">{id}</code>{' '}
          <button type="button" class="quiet" data-copy="domain-id" hidden>
            Copy<span class="visually-hidden"> the domain ID</span>
          </button>
        </Fact>
        <Fact term="Registered">{registeredAt ? formatDate(registeredAt) : 'Not confirmed by the registry yet'}</Fact>
        <Fact term="Registrar">{registry ?? 'None: no registrar of this service serves the TLD any more'}</Fact>
        <RenewalFact domain={domain} price={renewalPrice} renewsAt={renewsAt} />
        <Fact term="Health">
          <a href={`/domains/${id}/health`}>
            <HealthBadge state={health} />
          </a>
        </Fact>
      </dl>
    </section>
  );
}

/** One fact with its term. */
export function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RenewalFact({
  domain: { status, expiresAt, autoRenew, registrarRenews },
  price,
  renewsAt,
}: {
  readonly domain: DomainState;
  readonly price: Money | undefined;
  readonly renewsAt: Date | undefined;
}) {
  const { today } = usePage();
  const fee = price && formatPrice(price);
  const isRegistered = status === 'pending' || status === 'active';
  if (status === 'active' && renewsAt)
    return (
      <Fact term="Renews">
        {renewsAt > today ? formatDate(renewsAt) : 'Now'}
        {fee && ` for ${fee}`} <small>Paid until {formatDate(expiresAt)}</small>
      </Fact>
    );
  if (status === 'active' && registrarRenews && autoRenew)
    return (
      <Fact term="Renews">
        By the registrar, before {formatDate(expiresAt)}
        {fee && ` for ${fee}`}
      </Fact>
    );
  return (
    <Fact term={expiresAt <= today ? 'Expired' : isRegistered ? 'Expires' : 'Was paid until'}>
      {formatDate(expiresAt)}, {formatRelativeDay(expiresAt, today)}
      {fee && <small> A renewal costs {fee}</small>}
    </Fact>
  );
}
