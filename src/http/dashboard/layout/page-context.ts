import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Notice } from '../notice';
import type { Visitor } from '../visitor';

/** What every part of a page may need to know of the request. */
export interface PageContext {
  /** Undefined for who has not signed in. */
  readonly visitor: Visitor | undefined;
  /** Belongs into every form. */
  readonly formToken: string;
  /** Also in every form: whose it is. Empty without a session. */
  readonly formOwner: string;
  /** Also in every form: the page that it is on. */
  readonly place: string;
  readonly notice: Notice | undefined;
  /** Whether the registry is a simulated one, which has a page of its own. */
  readonly sandbox: boolean;
  readonly now: Date;
  /** The time in which domains live. */
  readonly today: Date;
}

export const PageFacts = createContext<PageContext>({
  visitor: undefined,
  formToken: '',
  formOwner: '',
  place: '/',
  notice: undefined,
  sandbox: false,
  now: new Date(0),
  today: new Date(0),
});

export function usePage(): PageContext {
  return useContext(PageFacts);
}
