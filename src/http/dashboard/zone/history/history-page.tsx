import type { RecordTouched, ZoneVersion } from '../../../../application/ports/dns/zone-repository';
import type { DomainState } from '../../../../domain/registration/domain';
import { getActorName, type ActorNames } from '../../activity/actor-names';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { displayName } from '../../layout/domain/domain-labels';
import type { ListPage } from '../../list-page';
import { Pager } from '../../layout/pager';
import { ChangeView } from '../change-view';
import { HistoryTimeline } from './history-timeline';
import { MayChangeRecords } from '../may-change-records';
import { Cell, DateTime, Empty, Row, Table } from '../../layout/components';

interface HistoryPageProps {
  readonly domain: DomainState;
  readonly page: ListPage<ZoneVersion>;
  readonly names: ActorNames;
  /** The changed records of small versions. */
  readonly changes: ReadonlyMap<number, readonly RecordTouched[]>;
  /** The list has the versions that changed this record. */
  readonly recordId: string | undefined;
}

const MAX_SHOWN = 3;

export function HistoryPage({ domain, page, names, changes, recordId }: HistoryPageProps) {
  return (
    <DomainLayout domain={domain} tab="history">
      <p class="lead">
        {recordId === undefined ? (
          'All versions of the zone, newest first.'
        ) : (
          <>
            The versions that changed one record, newest first.{' '}
            <a href={`/domains/${domain.id}/history`}>Show all versions of the zone</a>
          </>
        )}
        <MayChangeRecords domain={domain}> You can roll back to any of them.</MayChangeRecords>
      </p>
      {recordId === undefined && <HistoryTimeline versions={page.items} />}
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title={recordId === undefined ? 'No versions yet' : 'No version here changed the record'} />
        ) : (
          <Table
            caption={`Versions of the zone ${displayName(domain.name)}`}
            columns={['Version', 'When', 'By', 'Records', <span class="visually-hidden">Actions</span>]}
          >
            {page.items.map((version, index) => (
              <VersionRow
                key={version.version}
                domain={domain}
                version={version}
                isLatest={index === 0 && page.first === undefined && recordId === undefined}
                names={names}
                changes={(changes.get(version.version) ?? []).filter(
                  ({ before, after }) => recordId === undefined || (before ?? after)?.id === recordId,
                )}
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
  isLatest,
  names,
  changes,
}: {
  readonly domain: DomainState;
  readonly version: ZoneVersion;
  readonly isLatest: boolean;
  readonly names: ActorNames;
  readonly changes: readonly RecordTouched[];
}) {
  const path = `/domains/${domain.id}/history/${version}`;
  const by = getActorName(actor, names);
  return (
    <Row>
      <Cell class="main-cell number">
        <a href={path}>
          <strong>
            <span class="cards-only">Version </span>
            {version}
          </strong>
        </a>
      </Cell>
      <Cell label="When">
        <DateTime at={at} />
      </Cell>
      <Cell label="By" class="by-cell">
        <span title={by}>{by}</span>
      </Cell>
      <Cell label="Records" class="wide">
        {describeCounts({ added, changed, removed })}
        {changes.length > 0 && <ChangeView changes={changes} most={MAX_SHOWN} />}
      </Cell>
      <Cell class="row-actions wrap">
        <MayChangeRecords domain={domain}>
          {added + changed + removed > 0 && (
            <a class="button quiet" href={`${path}/undo`}>
              Undo this change<span class="visually-hidden"> of version {version}</span>
            </a>
          )}
          {!isLatest && (
            <a class="button quiet" href={`${path}/roll-back`}>
              Roll back<span class="visually-hidden"> to version {version}</span>
            </a>
          )}
        </MayChangeRecords>
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
