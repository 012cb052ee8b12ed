import type { OperationState } from '../../../../domain/registration/operation';
import { formatDateTime } from '../../layout/dates';
import { Badge, Empty, Time } from '../../layout/components';
import { describeResult, describeStatus, describeRequest } from './describe-operation';

/** Operations at the registry with status and result. */
export function OperationList({ operations }: { readonly operations: readonly OperationState[] }) {
  if (operations.length === 0) return <Empty title="No operations yet" />;
  return (
    <ol class="activity">
      {operations.map((operation) => {
        const { label, tone } = describeStatus(operation);
        const outcome = describeResult(operation);
        return (
          <li key={operation.id}>
            <p>
              {describeRequest(operation)} <Badge tone={tone}>{label}</Badge>
            </p>
            {outcome !== undefined && <p>{outcome}</p>}
            <p class="small">
              <Time at={operation.createdAt}>{formatDateTime(operation.createdAt)}</Time>
            </p>
          </li>
        );
      })}
    </ol>
  );
}
