import type { DomainState } from '../domain';
import { isAllowed } from '../domain-status';
import type { TldPolicy } from '../names/tld-policy';

/** `advised`: best done now, but nothing waits for it. `elsewhere`: the registrar does not let us do it. */
export type TransferOutStepState = 'done' | 'now' | 'advised' | 'waiting' | 'later' | 'elsewhere';

export interface TransferOutStep {
  readonly kind: 'dns' | 'lock' | 'code' | 'release' | 'transfer';
  readonly state: TransferOutStepState;
}

type Leaving = Pick<DomainState, 'status' | 'transferLocked' | 'transferPending' | 'authCodeUntil'>;

/** What a domain goes through on its way to another registrar, in order. @param stopsWorking whether something of its DNS would */
export function transferOutSteps(
  domain: Leaving,
  { unsupported = [], releases = false }: Pick<TldPolicy, 'unsupported' | 'releases'>,
  { now, stopsWorking }: { readonly now: Date; readonly stopsWorking: boolean },
): readonly TransferOutStep[] {
  const { status, transferLocked, transferPending, authCodeUntil } = domain;
  const hasLeft = status === 'transferred_out';
  const isOnItsWay = hasLeft || transferPending;
  const hasLock = !unsupported.includes('transfer_lock');
  const isUnlocked = !hasLock || !transferLocked;
  const hasCode = isOnItsWay || (authCodeUntil !== null && authCodeUntil > now);
  const issuesCodes = !unsupported.includes('auth_code');
  const handOver: TransferOutStepState = isUnlocked && isAllowed(status, 'issue an auth code') ? 'now' : 'later';
  return [
    { kind: 'dns', state: hasLeft || !stopsWorking ? 'done' : 'advised' },
    ...(hasLock ? [{ kind: 'lock', state: isOnItsWay || isUnlocked ? 'done' : 'now' } as const] : []),
    ...(issuesCodes || !releases
      ? [{ kind: 'code', state: hasCode ? 'done' : issuesCodes ? handOver : 'elsewhere' } as const]
      : []),
    ...(releases ? [{ kind: 'release', state: isOnItsWay ? 'done' : handOver } as const] : []),
    { kind: 'transfer', state: transferState() },
  ];

  function transferState(): TransferOutStepState {
    if (hasLeft) return 'done';
    if (transferPending) return unsupported.includes('decide_transfer') ? 'waiting' : 'now';
    return hasCode || (isUnlocked && !issuesCodes) ? 'waiting' : 'later';
  }
}
