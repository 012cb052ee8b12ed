import type { FormerZone } from '../../../../application/dns/zones/history/read-zone-history';
import type { DomainState } from '../../../../domain/registration/domain';
import { getActorName, type ActorNames } from '../../activity/actor-names';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { Card, DateTime } from '../../layout/components';
import { ChangeView } from '../change-view';
import { MayChangeRecords } from '../may-change-records';

export function ZoneVersionPage({
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
    <DomainLayout domain={domain} tab="history">
      <Card title={`Version ${zone.version}`} aside={<a href={path}>All versions</a>}>
        <p>
          {getActorName(zone.actor, names)}, <DateTime at={zone.at} />. The zone had{' '}
          {count === 1 ? '1 record' : `${count} records`}.
        </p>
        {zone.changes.length === 0 ? (
          <p>No records changed: the zone was created, or its nameservers changed.</p>
        ) : (
          <ChangeView changes={zone.changes} />
        )}
        <MayChangeRecords domain={domain}>
          <p class="actions mt-4">
            {zone.changes.length > 0 && (
              <a class="button" href={`${path}/${zone.version}/undo`}>
                Undo this change …
              </a>
            )}
            <a class="button" href={`${path}/${zone.version}/roll-back`}>
              Roll back to this version …
            </a>
          </p>
        </MayChangeRecords>
      </Card>
    </DomainLayout>
  );
}
