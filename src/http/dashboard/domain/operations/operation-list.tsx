import type { OperationState } from '../../../../domain/registration/operations/operation';
import { Badge, DateTime, Empty } from '../../layout/components';
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
              <DateTime at={operation.createdAt} />
            </p>
          </li>
        );
      })}
    </ol>
  );
}
