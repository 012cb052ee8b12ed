import type { ComponentChildren } from 'preact';
import type { KeyAction } from '../../../domain/access/key-limits';
import { allows, hasEveryDomain } from '../user-session';
import { usePage } from './page-context';

interface MayDoProps {
  readonly action: KeyAction;
  /** Not for people whose role is for some tags. */
  readonly everyDomain?: boolean;
  readonly children: ComponentChildren;
}

/** Shows its content only to users whose role has the action. */
export function MayDo({ action, everyDomain = false, children }: MayDoProps) {
  return useMayDo(action, { everyDomain }) ? <>{children}</> : null;
}

export function useMayDo(action: KeyAction, { everyDomain = false } = {}): boolean {
  const { userSession } = usePage();
  return userSession !== undefined && allows(userSession, action) && (!everyDomain || hasEveryDomain(userSession));
}
