import type { FormerZone } from '../../../application/dns/zones/read-zone-history';
import type { DomainState } from '../../../domain/registration/domain';
import { nameOf, type ActorNames } from '../activity/actor-names';
import { DomainFrame } from '../domain/domain-frame';
import { dateAndTime } from '../layout/dates';
import { Card } from '../layout/parts';
import { ChangeView } from './change-view';

export function VersionPage({
  domain,
  zone,
  names,
}: {
  readonly domain: DomainState;
  readonly zone: FormerZone;
  readonly names: ActorNames;
}) {
  const path = `/domains/${domain.id}/history`;
  const count = zone.records.length;
  return (
    <DomainFrame domain={domain} tab="history">
      <Card title={`Version ${zone.version}`} aside={<a href={path}>All versions</a>}>
        <p>
          {nameOf(zone.actor, names)}, {dateAndTime(zone.at)}. The zone had{' '}
          {count === 1 ? 'one record' : `${count} records`} then.
        </p>
        {zone.changes.length === 0 ? (
          <p>No record changed: the zone was new, or got other nameservers.</p>
        ) : (
          <ChangeView touched={zone.changes} />
        )}
        <p class="after">
          <a class="button" href={`${path}/${zone.version}/restore`}>
            Bring this version back …
          </a>
        </p>
      </Card>
    </DomainFrame>
  );
}
