import type { KeyAction } from '../../../domain/access/key-limits';
import { allows, hasEveryDomain, type UserSession } from '../user-session';
import { matchesWords, type PaletteItem } from './palette-item';

interface OfferedPage extends PaletteItem {
  /** Only owners have the page. */
  readonly isForOwners?: boolean;
  /** Only people without a limit to tags have the page. */
  readonly everyDomain?: boolean;
  /** What a role needs for it; default: `read`. */
  readonly needs?: KeyAction;
}

const PAGES: readonly OfferedPage[] = [
  { label: 'Overview', kind: 'Page', url: '/' },
  { label: 'Domains', kind: 'Page', url: '/domains' },
  { label: 'Record templates', kind: 'Page', url: '/record-templates' },
  { label: 'Bulk changes', kind: 'Page', url: '/bulk' },
  { label: 'Transfers', kind: 'Page', url: '/transfers' },
  { label: 'API keys', kind: 'Page', url: '/api-keys', everyDomain: true },
  { label: 'Trust rules', kind: 'Page', url: '/api-keys/trust-rules', isForOwners: true },
  { label: 'Webhooks', kind: 'Page', url: '/webhooks', isForOwners: true },
  { label: 'API reference', kind: 'Page', url: '/docs' },
  { label: 'Notifications', kind: 'Page', url: '/notifications' },
  { label: 'Activity', kind: 'Page', url: '/activity' },
  { label: 'Proposals', kind: 'Page', url: '/proposals', everyDomain: true },
  { label: 'Nameservers of this service', kind: 'Page', url: '/nameservers', isForOwners: true },
  { label: 'Team', kind: 'Page', url: '/team' },
  { label: 'Settings', kind: 'Page', url: '/settings' },
  { label: 'Second factor: passkeys and authenticator app', kind: 'Page', url: '/settings/second-factor' },
  { label: 'Add a name', kind: 'Action', url: '/add' },
  { label: 'Host the DNS of a name', kind: 'Action', url: '/add/dns', needs: 'register', everyDomain: true },
  { label: 'Register a domain', kind: 'Action', url: '/register', needs: 'register' },
  { label: 'Transfer a domain here', kind: 'Action', url: '/transfers/new', needs: 'transfer' },
  { label: 'Import domains from a registrar', kind: 'Action', url: '/imports', isForOwners: true },
  { label: 'Create a trust rule for CI', kind: 'Action', url: '/api-keys/trust-rules/new', isForOwners: true },
  { label: 'Create a webhook', kind: 'Action', url: '/webhooks/new', isForOwners: true },
  { label: 'Create an API key', kind: 'Action', url: '/api-keys/new', isForOwners: true },
  {
    label: 'Create a record template',
    kind: 'Action',
    url: '/record-templates/new',
    needs: 'write',
    everyDomain: true,
  },
  { label: 'Domains with health errors', kind: 'Action', url: '/domains?health=problem' },
  { label: 'Change many domains', kind: 'Action', url: '/domains?select=page' },
  { label: 'Download domains as CSV', kind: 'Action', url: '/domains.csv' },
];

/** The pages and actions that the user has, and that match all words. */
export function pagesFor(userSession: UserSession, words: readonly string[]): readonly PaletteItem[] {
  const isOwner = userSession.user.role === 'owner';
  return PAGES.filter(
    ({ label, isForOwners = false, everyDomain = false, needs = 'read' }) =>
      (isOwner || !isForOwners) &&
      (!everyDomain || hasEveryDomain(userSession)) &&
      allows(userSession, needs) &&
      matchesWords(label, words),
  ).map(({ label, kind, url }) => ({ label, kind, url }));
}
