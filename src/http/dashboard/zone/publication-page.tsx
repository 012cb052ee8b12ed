import type { PublicationReport } from '../../../application/dns/publishing/read-publication';
import type { DomainState } from '../../../domain/registration/domain';
import { isZoneServed } from '../../../domain/registration/domain-status';
import { serialOf } from '../../../domain/dns/zone-serial';
import { DomainLayout } from '../layout/domain/domain-layout';
import { STATUS_LABELS } from '../layout/domain/domain-labels';
import { followProgress, RefreshLink } from '../layout/live-progress';
import { formatTimeAgo } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Badge } from '../layout/components';
import { DelegationNotice, Hosts } from '../domain/delegation-notice';

type Secondary = PublicationReport['secondaries'][number];

interface PublicationPageProps {
  readonly domain: DomainState;
  readonly report: PublicationReport;
  /** Another page shows it, such as that of the records, and leads to this one. */
  readonly isElsewhere: boolean;
}

export function PublicationPage({ domain, report, isElsewhere }: PublicationPageProps) {
  const waiting = report.secondaries.length > 0 && !report.published;
  const path = `/domains/${domain.id}/publication`;
  const following = waiting ? followProgress({ kind: 'publication', id: domain.id, path, element: 'publication' }) : {};
  return (
    <DomainLayout domain={domain} tab="records">
      <section class="card publication" id="publication" {...following}>
        <Summary domain={domain} report={report} isElsewhere={isElsewhere} />
        {waiting && <RefreshLink path={path} />}
        {report.failingAliases.map(({ name, target, state }) => (
          <p key={name} class="small">
            <Badge tone="warning">failing</Badge> ALIAS {name} to {target}: {state?.error}
          </p>
        ))}
        <AdditionalNameservers domain={domain} hosts={report.delegation.additionalNameservers} />
        <DelegationNotice domain={domain} ownNameservers={report.delegation.ourNameservers} />
        {waiting && (
          <ul class="plain-list">
            {report.secondaries.map((secondary) => (
              <li key={secondary.secondary}>
                <SecondaryState secondary={secondary} serial={report.serial} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </DomainLayout>
  );
}

function Summary({ domain, report, isElsewhere }: PublicationPageProps) {
  const { version, published, secondaries, delegation } = report;
  if (!isZoneServed(domain))
    return <p>The zone is stored but not served, because the domain is {STATUS_LABELS[domain.status].label}.</p>;
  if (secondaries.length === 0)
    return (
      <p class="small">
        The records are stored but not served, because this service has no secondary nameserver. Its operator can add
        one.
      </p>
    );
  const count = secondaries.length;
  const current = secondaries.filter(({ isCurrent }) => isCurrent).length;
  const served = `${current} of ${count} ${count === 1 ? 'nameserver' : 'nameservers'}`;
  return (
    <p role="status">
      <State published={published} delegation={delegation.state} /> Version {version} is on{' '}
      {published ? (
        count === 1 ? (
          'the nameserver'
        ) : (
          `all ${count} nameservers`
        )
      ) : isElsewhere ? (
        <a href={`/domains/${domain.id}/publication`}>{served}</a>
      ) : (
        served
      )}
      .
    </p>
  );
}

function AdditionalNameservers({
  domain: { nameservers },
  hosts,
}: {
  readonly domain: DomainState;
  readonly hosts: readonly string[];
}) {
  if (hosts.length === 0 || nameservers.length === 0) return null;
  return (
    <p class="small">
      <Badge tone="warning">other nameservers</Badge> NS records at @ name <Hosts hosts={hosts} />, which{' '}
      {hosts.length === 1 ? 'is not a nameserver' : 'are not nameservers'} of the domain. Resolvers may ask{' '}
      {hosts.length === 1 ? 'it' : 'them'}. Delete {hosts.length === 1 ? 'this record' : 'these records'} unless{' '}
      {hosts.length === 1 ? 'it serves' : 'they serve'} the same zone.
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
  if (!published) return <Badge tone="warning">publishing</Badge>;
  if (delegation === 'partly') return <Badge tone="warning">partly in use</Badge>;
  return delegation === 'ours' ? <Badge tone="good">live</Badge> : <Badge tone="plain">published</Badge>;
}

function SecondaryState({
  secondary: { secondary, answer, isCurrent },
  serial,
}: {
  readonly secondary: Secondary;
  readonly serial: number;
}) {
  const { now } = usePage();
  if (answer.kind === 'unreachable') {
    return (
      <>
        <code>{secondary}</code> <Badge tone="bad">unreachable</Badge> It does not respond. Resolvers use another
        nameserver until it does.
      </>
    );
  }
  if (answer.kind === 'unknown_zone') {
    return (
      <>
        <code>{secondary}</code> <Badge tone="warning">no zone</Badge> It does not have this zone yet or refuses to
        serve it.
      </>
    );
  }
  return (
    <>
      <code>{secondary}</code> {isCurrent ? <Badge tone="good">current</Badge> : <Badge tone="warning">behind</Badge>}{' '}
      It serves serial {answer.serial} (updated {formatTimeAgo(answer.since, now)})
      {isCurrent ? '.' : ` instead of ${serialOf(serial)}. Some users see the old records until it is up to date.`}
    </>
  );
}
