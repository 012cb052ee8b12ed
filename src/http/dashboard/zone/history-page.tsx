import type { ZoneVersion } from '../../../application/ports/dns/zone-history';
import type { DomainState } from '../../../domain/registration/domain';
import { nameOf, type ActorNames } from '../activity/actor-names';
import { DomainFrame } from '../domain/domain-frame';
import { displayName } from '../domains/domain-words';
import { dateAndTime } from '../layout/dates';
import { Pager } from '../layout/pager';
import { Cell, Empty, Row, Table, Time } from '../layout/parts';

export interface HistoryPageProps {
  readonly domain: DomainState;
  readonly versions: readonly ZoneVersion[];
  readonly names: ActorNames;
  /** The address of what came before, where there is more. */
  readonly older: string | undefined;
  /** The address of the newest, where this is another page. */
  readonly first: string | undefined;
}

export function HistoryPage({ domain, versions, names, older, first }: HistoryPageProps) {
  return (
    <DomainFrame domain={domain} tab="history">
      <p class="lead">Every change to the zone, newest first. Any version can be brought back.</p>
      <section class="card flush">
        {versions.length === 0 ? (
          <Empty title="No change is kept." />
        ) : (
          <Table
            caption={`Versions of the zone ${displayName(domain.name)}`}
            columns={['Version', 'When', 'By', 'Records']}
          >
            {versions.map((version) => (
              <VersionRow key={version.version} domain={domain} version={version} names={names} />
            ))}
          </Table>
        )}
        <Pager next={older} label="Earlier" first={first} />
      </section>
    </DomainFrame>
  );
}

function VersionRow({
  domain,
  version: { version, at, actor, added, changed, removed },
  names,
}: {
  readonly domain: DomainState;
  readonly version: ZoneVersion;
  readonly names: ActorNames;
}) {
  return (
    <Row>
      <Cell class="main-cell">
        <a href={`/domains/${domain.id}/history/${version}`}>
          <strong>
            <span class="for-cards">Version </span>
            {version}
          </strong>
        </a>
      </Cell>
      <Cell label="When">
        <Time at={at}>{dateAndTime(at)}</Time>
      </Cell>
      <Cell label="By">{nameOf(actor, names)}</Cell>
      <Cell label="Records">{countsInWords({ added, changed, removed })}</Cell>
    </Row>
  );
}

/** None where the delegation changed, which is part of the zone, too. */
function countsInWords({ added, changed, removed }: Pick<ZoneVersion, 'added' | 'changed' | 'removed'>): string {
  const parts = [
    added > 0 && `${added} added`,
    changed > 0 && `${changed} changed`,
    removed > 0 && `${removed} removed`,
  ].filter(Boolean);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
