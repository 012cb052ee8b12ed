import type { DomainState } from '../../../domain/registration/domain';
import type { OperationState } from '../../../domain/registration/operation';
import { Pager } from '../layout/pager';
import { DomainFrame } from './domain-frame';
import { OperationList } from './operation-list';

export interface OperationsPageProps {
  readonly domain: DomainState;
  readonly operations: readonly OperationState[];
  /** The address of what came before, where there is more. */
  readonly older: string | undefined;
  /** The address of the newest, where this is another page. */
  readonly first: string | undefined;
}

export function OperationsPage({ domain, operations, older, first }: OperationsPageProps) {
  return (
    <DomainFrame domain={domain} tab="operations">
      <p class="lead">Everything that the registry was asked to do with this domain, newest first.</p>
      <section class="card flush">
        <OperationList operations={operations} />
        <Pager next={older} label="Earlier" first={first} />
      </section>
    </DomainFrame>
  );
}
