import type { ComponentChildren } from 'preact';
import type { KeyAction } from '../../../domain/access/key-limits';
import { allows } from '../user-session';
import { usePage } from './page-context';

/** Shows its content only to users whose role has the action. */
export function MayDo({ action, children }: { readonly action: KeyAction; readonly children: ComponentChildren }) {
  return useMayDo(action) ? <>{children}</> : null;
}

export function useMayDo(action: KeyAction): boolean {
  const { userSession } = usePage();
  return userSession !== undefined && allows(userSession, action);
}
