import type { ComponentChildren } from 'preact';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed } from '../../../domain/registration/domain-status';
import { useMayDo } from '../layout/may-do';

type DomainStatusOf = Pick<DomainState, 'status'>;

/** Shows its content only to users whose role may write, unless the domain's status forbids changes of its records. */
export function MayChangeRecords({
  domain,
  children,
}: {
  readonly domain: DomainStatusOf;
  readonly children: ComponentChildren;
}) {
  return useMayChangeRecords(domain) ? <>{children}</> : null;
}

export function useMayChangeRecords({ status }: DomainStatusOf): boolean {
  return useMayDo('write') && isAllowed(status, 'change DNS records');
}
