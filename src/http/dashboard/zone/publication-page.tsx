import type { PublicationReport } from '../../../application/dns/publishing/read-publication';
import type { DomainState } from '../../../domain/registration/domain';
import { isServed } from '../../../domain/registration/domain-status';
import { DomainFrame } from '../domain/domain-frame';
import { ago } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Badge } from '../layout/parts';
import { DelegationNotice } from './delegation-notice';

type Secondary = PublicationReport['secondaries'][number];

export interface PublicationPageProps {
  readonly domain: DomainState;
  readonly report: PublicationReport;
}

/** Asks again while a nameserver is behind, where scripts run. What has not changed stays, so that screen readers speak of news only. */
export function PublicationPage({ domain, report }: PublicationPageProps) {
  const waiting = report.secondaries.length > 0 && !report.published;
  const again = waiting
    ? {
        'hx-get': `/domains/${domain.id}/publication`,
        'hx-trigger': 'every 3s',
        'hx-select': '#publication',
        'hx-swap': 'outerMorph',
      }
    : {};
  return (
    <DomainFrame domain={domain} tab="records">
      <section class="card publication" id="publication" {...again}>
        <Summary domain={domain} report={report} />
        <DelegationNotice domain={domain} ours={report.delegation.ourNameservers} />
        {waiting && (
          <ul class="plain-list">
            {report.secondaries.map((secondary) => (
              <li key={secondary.secondary}>
                <SecondaryState secondary={secondary} version={report.version} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </DomainFrame>
  );
}

function Summary({ domain, report: { version, published, secondaries, delegation } }: PublicationPageProps) {
  if (!isServed(domain.status))
    return <p>The zone is kept, and not served: the domain is {domain.status.replace('_', ' ')}.</p>;
  if (secondaries.length === 0)
    return (
      <p class="small">
        No secondary nameserver is set up with this service, so the records are kept and not yet served. Its operator
        can add one.
      </p>
    );
  return (
    <p role="status">
      <State published={published} delegation={delegation.state} /> Version {version}{' '}
      {published
        ? `is on ${secondaries.length === 1 ? 'the nameserver' : `all ${secondaries.length} nameservers`}.`
        : 'has not reached every nameserver yet.'}
    </p>
  );
}

function State({
  published,
  delegation,
}: {
  readonly published: boolean;
  readonly delegation: PublicationReport['delegation']['state'];
}) {
  if (delegation === 'elsewhere') return <Badge tone="warning">not in use</Badge>;
  if (!published) return <Badge tone="warning">on its way</Badge>;
  return delegation === 'ours' ? <Badge tone="good">live</Badge> : <Badge tone="warning">partly in use</Badge>;
}

function SecondaryState({
  secondary: { secondary, answer, isCurrent },
  version,
}: {
  readonly secondary: Secondary;
  readonly version: number;
}) {
  const { now } = usePage();
  if (answer.kind === 'unreachable') {
    return (
      <>
        <code>{secondary}</code> <Badge tone="bad">no answer</Badge> It cannot be reached. Resolvers that ask it get
        nothing or an older version, and ask another one.
      </>
    );
  }
  if (answer.kind === 'unknown_zone') {
    return (
      <>
        <code>{secondary}</code> <Badge tone="warning">not there yet</Badge> It has not heard of this zone, or refuses
        it.
      </>
    );
  }
  return (
    <>
      <code>{secondary}</code> {isCurrent ? <Badge tone="good">current</Badge> : <Badge tone="warning">behind</Badge>}{' '}
      It answers version {answer.version} since {ago(answer.since, now)}
      {isCurrent ? '.' : `, not ${version} yet. Until it catches up, some people see the old records.`}
    </>
  );
}
