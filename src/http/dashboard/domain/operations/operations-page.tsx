import type { DomainState } from '../../../../domain/registration/domain';
import type { OperationState } from '../../../../domain/registration/operations/operation';
import type { ListPage } from '../../list-page';
import { Pager } from '../../layout/pager';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { OperationList } from './operation-list';

interface OperationsPageProps {
  readonly domain: DomainState;
  readonly page: ListPage<OperationState>;
}

export function OperationsPage({ domain, page }: OperationsPageProps) {
  return (
    <DomainLayout domain={domain} tab="operations">
      <p class="lead">All operations that were sent to the registry for this domain, newest first.</p>
      <section class="card flush">
        <OperationList operations={page.items} />
        <Pager page={page} />
      </section>
    </DomainLayout>
  );
}
