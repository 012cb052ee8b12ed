import { isZoneServed } from '../../../../domain/registration/domain-status';
import { SANDBOX_HEALTH } from '../../../shared/sandbox-health';
import { Card, Time } from '../../layout/components';
import { formatTimeAgo } from '../../layout/dates';
import { followProgress, RefreshLink } from '../../layout/live-progress';
import { PostForm } from '../../layout/forms/forms';
import { usePage } from '../../layout/page-context';
import { buildMap } from './build-map';
import { DelegationMap } from './delegation-map';
import type { DelegationMap as Model, MapFacts } from './map-parts';

const ELEMENT = 'delegation-map';

/** The map of a domain. With scripts, it is loaded with what the secondaries serve, and followed while a change is on its way. */
export function MapCard({ facts }: { readonly facts: MapFacts }) {
  const { now, sandbox } = usePage();
  const { domain, report } = facts;
  const map = buildMap(facts);
  const path = `/domains/${domain.id}/map`;
  const isAsked = facts.secondaries !== undefined;
  const attributes = isAsked ? following(facts, map, path) : loading(facts, path);
  return (
    <div id={ELEMENT} {...attributes}>
      <Card
        title="Delegation"
        term="delegation"
        class="map-card"
        aside={
          <span class="small">
            {report ? (
              <>
                Checked <Time at={report.checkedAt}>{formatTimeAgo(report.checkedAt, now)}</Time>
              </>
            ) : (
              'Not checked yet'
            )}
          </span>
        }
      >
        <DelegationMap map={map} domain={domain} />
        {sandbox && map.steps.length > 0 && <p class="hint">{SANDBOX_HEALTH}</p>}
        <PostForm action={`/domains/${domain.id}/health`} class="inline-form">
          <input type="hidden" name="from" value="details" />
          <p class="actions">
            <button class="quiet" type="submit">
              Check now
            </button>
            {!isAsked && isZoneServed(domain) && (
              <a class="button quiet" href={path}>
                Ask the secondaries
              </a>
            )}
          </p>
        </PostForm>
        {'data-live' in attributes && <RefreshLink path={path} />}
      </Card>
    </div>
  );
}

function loading({ domain }: MapFacts, path: string): object {
  if (!isZoneServed(domain)) return {};
  return { 'hx-get': path, 'hx-trigger': 'load', 'hx-select': `#${ELEMENT}`, 'hx-swap': 'outerMorph' };
}

function following({ domain: { id }, signing: { signing } }: MapFacts, { isPublishing }: Model, path: string): object {
  const isRolling = signing !== undefined && (signing.shownState !== 'active' || signing.isRollingOver);
  if (isPublishing) return followProgress({ kind: 'publication', id, path, element: ELEMENT });
  return isRolling ? followProgress({ kind: 'dnssec', id, path, element: ELEMENT }) : {};
}
