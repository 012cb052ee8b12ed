import type { DomainState } from '../../../../domain/registration/domain';
import { isMovable } from '../../../../domain/registration/account-move';
import { isAllowed, isHosted } from '../../../../domain/registration/domain-status';
import type { TldPolicy } from '../../../../domain/registration/names/tld-policy';

/** A step by which the account can lose a domain. */
export interface DangerStep {
  readonly kind: 'auth code' | 'release' | 'move' | 'deletion' | 'zone deletion';
  /** In the danger zone and in the command palette. */
  readonly title: string;
  /** Below the page of the domain; undefined if the registrar does not offer the step. */
  readonly path: string | undefined;
}

const MOVE: DangerStep = { kind: 'move', title: 'Move to another account', path: '/move' };

/** The steps that the domain has now. @param isDeletable whether it can still be deleted with a refund */
export function dangerSteps(
  { status }: Pick<DomainState, 'status'>,
  policy: Pick<TldPolicy, 'unsupported' | 'releases'> | undefined,
  isDeletable: boolean,
): readonly DangerStep[] {
  const move = isMovable(status) ? [MOVE] : [];
  if (isHosted(status)) return [...move, { kind: 'zone deletion', title: 'Delete', path: '/delete' }];
  const { unsupported = [], releases = false } = policy ?? {};
  const issuesCodes = !unsupported.includes('auth_code');
  const steps: DangerStep[] = [];
  if (isAllowed(status, 'issue an auth code') && (issuesCodes || !releases))
    steps.push({ kind: 'auth code', title: 'Auth code', path: issuesCodes ? '/auth-code' : undefined });
  if (releases && isAllowed(status, 'release to another registrar'))
    steps.push({ kind: 'release', title: 'Release to another registrar', path: '/release' });
  steps.push(...move);
  if (isDeletable) steps.push({ kind: 'deletion', title: 'Delete', path: '/delete' });
  return steps;
}
