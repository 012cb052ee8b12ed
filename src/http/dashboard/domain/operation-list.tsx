import type { OperationState } from '../../../domain/registration/operation';
import { dateAndTime } from '../layout/dates';
import { Badge, Empty, Time } from '../layout/parts';
import { outcomeOf, stateOf, wishOf } from './operation-words';

/** What was asked of the registry and what came of it. */
export function OperationList({ operations }: { readonly operations: readonly OperationState[] }) {
  if (operations.length === 0) return <Empty title="Nothing was asked of the registry yet." />;
  return (
    <ol class="activity">
      {operations.map((operation) => {
        const { label, tone } = stateOf(operation);
        const outcome = outcomeOf(operation);
        return (
          <li key={operation.id}>
            <p>
              {wishOf(operation)} <Badge tone={tone}>{label}</Badge>
            </p>
            {outcome !== undefined && <p>{outcome}</p>}
            <p class="small">
              <Time at={operation.createdAt}>{dateAndTime(operation.createdAt)}</Time>
            </p>
          </li>
        );
      })}
    </ol>
  );
}
