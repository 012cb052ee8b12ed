import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DashboardSettings } from '../dashboard-settings';
import type { Flash } from '../flash';
import type { UserSession } from '../user-session';

/** What every component of a page may need to know about the request. */
export interface PageContext {
  /** Undefined if the user has not signed in. */
  readonly userSession: UserSession | undefined;
  /** How many events the person has not seen. Undefined: not counted. */
  readonly newNotifications: number | undefined;
  /** How many proposals wait for a decision. Undefined: not counted. */
  readonly undecidedProposals: number | undefined;
  /** CSRF token for every form. */
  readonly formToken: string;
  /** Signed owner mark for every form; '' without a session. */
  readonly formOwner: string;
  /** URL of this page, for every form. */
  readonly returnPath: string;
  readonly flash: Flash | undefined;
  /** OpenID Connect providers. */
  readonly providers: DashboardSettings['identityProviders'];
  /** Whether the registry is simulated and has a page. */
  readonly sandbox: boolean;
  readonly now: Date;
  /** The registry's time, which the sandbox can advance. */
  readonly today: Date;
}

export const PageContext = createContext<PageContext>({
  userSession: undefined,
  newNotifications: undefined,
  undecidedProposals: undefined,
  formToken: '',
  formOwner: '',
  returnPath: '/',
  flash: undefined,
  providers: [],
  sandbox: false,
  now: new Date(0),
  today: new Date(0),
});

export function usePage(): PageContext {
  return useContext(PageContext);
}

/** Of the times on pages: the one that the person chose, or UTC. */
export function useTimeZone(): string {
  return usePage().userSession?.timeZone ?? 'UTC';
}
