import { changesNothing } from '../../../domain/dns/zone-change';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import { ChangeView, listChangedRecords } from './change-view';

/** The preview of a zone change. */
export function PlanView({ plan: { change, warnings } }: { readonly plan: ZonePlan }) {
  const { added, changed, removed } = change;
  return (
    <>
      <p>
        {changesNothing(change)
          ? 'No changes: the zone already has these records.'
          : `${added.length} added, ${changed.length} changed, ${removed.length} removed.`}
      </p>
      {warnings.length > 0 && (
        <div class="alert warning">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      {!changesNothing(change) && <ChangeView changes={listChangedRecords(change)} />}
    </>
  );
}
