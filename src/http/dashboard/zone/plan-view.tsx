import { changesNothing } from '../../../application/dns/zones/zone-judgment';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import { ChangeView, touchedBy } from './change-view';

/** What would be done, before it is. */
export function PlanView({ plan: { change, warnings } }: { readonly plan: ZonePlan }) {
  const { added, changed, removed } = change;
  return (
    <>
      <p>
        {changesNothing(change)
          ? 'Nothing would change: the zone is like that already.'
          : `${added.length} added, ${changed.length} changed, ${removed.length} removed.`}
      </p>
      {warnings.length > 0 && (
        <div class="notice warning">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      {!changesNothing(change) && <ChangeView touched={touchedBy(change)} />}
    </>
  );
}
