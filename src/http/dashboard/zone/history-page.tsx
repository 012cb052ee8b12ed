import type { RecordTouched, ZoneVersion } from '../../../application/ports/dns/zone-repository';
import type { DomainState } from '../../../domain/registration/domain';
import { getActorName, type ActorNames } from '../activity/actor-names';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import { formatDateTime } from '../layout/dates';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { ChangeView } from './change-view';
import { MayChangeRecords } from './may-change-records';
import { Cell, Empty, Row, Table, Time } from '../layout/components';

interface HistoryPageProps {
  readonly domain: DomainState;
  readonly page: ListPage<ZoneVersion>;
  readonly names: ActorNames;
  /** The changed records of small versions. */
  readonly changes: ReadonlyMap<number, readonly RecordTouched[]>;
}

const MAX_SHOWN = 3;

export function HistoryPage({ domain, page, names, changes }: HistoryPageProps) {
  return (
    <DomainLayout domain={domain} tab="history">
      <p class="lead">
        All versions of the zone, newest first.
        <MayChangeRecords domain={domain}> You can roll back to any of them.</MayChangeRecords>
      </p>
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title="No versions yet" />
        ) : (
          <Table
            caption={`Versions of the zone ${displayName(domain.name)}`}
            columns={['Version', 'When', 'By', 'Records']}
          >
            {page.items.map((version) => (
              <VersionRow
                key={version.version}
                domain={domain}
                version={version}
                names={names}
                changes={changes.get(version.version) ?? []}
              />
            ))}
          </Table>
        )}
        <Pager page={page} />
      </section>
    </DomainLayout>
  );
}

function VersionRow({
  domain,
  version: { version, at, actor, added, changed, removed },
  names,
  changes,
}: {
  readonly domain: DomainState;
  readonly version: ZoneVersion;
  readonly names: ActorNames;
  readonly changes: readonly RecordTouched[];
}) {
  return (
    <Row>
      <Cell class="main-cell">
        <a href={`/domains/${domain.id}/history/${version}`}>
          <strong>
            <span class="cards-only">Version </span>
            {version}
          </strong>
        </a>
      </Cell>
      <Cell label="When">
        <Time at={at}>{formatDateTime(at)}</Time>
      </Cell>
      <Cell label="By">{getActorName(actor, names)}</Cell>
      <Cell label="Records" class="wide">
        {describeCounts({ added, changed, removed })}
        {changes.length > 0 && <ChangeView changes={changes} most={MAX_SHOWN} />}
      </Cell>
    </Row>
  );
}

/** “none” for a version that changed only the delegation, which is part of the zone. */
function describeCounts({ added, changed, removed }: Pick<ZoneVersion, 'added' | 'changed' | 'removed'>): string {
  const parts = [
    added > 0 && `${added} added`,
    changed > 0 && `${changed} changed`,
    removed > 0 && `${removed} removed`,
  ].filter(Boolean);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
