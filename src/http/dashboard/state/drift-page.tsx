import type { DriftedState } from '../../../application/desired-state/list-drifted';
import { DateTime, Empty, PageHeading } from '../layout/components';
import { displayName } from '../layout/domain/domain-labels';

/** The names whose records or settings were changed past their desired state. */
export function DriftPage({
  states,
  hasMore,
}: {
  readonly states: readonly DriftedState[];
  readonly hasMore: boolean;
}) {
  return (
    <>
      <PageHeading
        title="Changed by hand"
        lead="The records or settings of these names were changed after their desired state was applied. Set each back, or adopt it."
      />
      <section class="card">
        {states.length === 0 ? (
          <Empty title="No records or settings were changed past a desired state" />
        ) : (
          <ul class="plain-list">
            {states.map(({ domainId, name, driftedAt }) => (
              <li key={domainId}>
                <a href={`/domains/${domainId}/state`}>{displayName(name)}</a>, since <DateTime at={driftedAt} />
              </li>
            ))}
          </ul>
        )}
        {hasMore && <p>More names follow when these are set back or adopted.</p>}
      </section>
    </>
  );
}
