import type { DomainState } from '../../../../domain/registration/domain';
import type { DashboardRequest } from '../../dashboard-route';
import { readField } from '../../form-fields';

const NAME = 'keep_zone';

/** Whether the zone stays here when the domain leaves. */
export function KeepZoneField({ domain: { keptZone } }: { readonly domain: Pick<DomainState, 'keptZone'> }) {
  return (
    <div class="field">
      <label class="check">
        <input type="checkbox" name={NAME} checked={keptZone !== null} />
        <span>Keep the DNS zone here: its records are still served when the domain has left</span>
      </label>
    </div>
  );
}

export function readKeepZone(req: Pick<DashboardRequest, 'body'>): boolean {
  return readField(req, NAME) === 'on';
}
