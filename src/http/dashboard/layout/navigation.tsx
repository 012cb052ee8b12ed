import { Icon, type IconName } from './icon';
import { hasEveryDomain, type UserSession } from '../user-session';
import { usePage } from './page-context';

/** Key of the navigation's current item. */
export type Section =
  | 'overview'
  | 'domains'
  | 'add'
  | 'transfers'
  | 'templates'
  | 'bulk'
  | 'activity'
  | 'costs'
  | 'proposals'
  | 'team'
  | 'api-keys'
  | 'settings'
  | 'nameservers'
  | 'webhooks'
  | 'sandbox'
  | 'notifications';

interface NavigationItem {
  readonly section: Section;
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  /** Who sees it; undefined: everyone. `everyDomain`: not people whose role is for some tags. */
  readonly needs?: 'owner' | 'everyDomain';
}

const OVERVIEW: NavigationItem = { section: 'overview', href: '/', label: 'Overview', icon: 'layout-dashboard' };
const SANDBOX: NavigationItem = {
  section: 'sandbox',
  href: '/sandbox',
  label: 'Sandbox',
  icon: 'flask-conical',
  needs: 'owner',
};
const GROUPS: readonly (readonly [title: string, items: readonly NavigationItem[]])[] = [
  [
    'Domains',
    [
      { section: 'domains', href: '/domains', label: 'All domains', icon: 'globe' },
      { section: 'add', href: '/add', label: 'Add a name', icon: 'plus' },
      { section: 'transfers', href: '/transfers', label: 'Transfers', icon: 'arrow-left-right' },
      { section: 'templates', href: '/record-templates', label: 'Record templates', icon: 'file-stack' },
      { section: 'bulk', href: '/bulk', label: 'Bulk changes', icon: 'list-checks' },
    ],
  ],
  [
    'Account',
    [
      { section: 'activity', href: '/activity', label: 'Activity', icon: 'activity' },
      { section: 'costs', href: '/costs', label: 'Costs', icon: 'coins' },
      { section: 'proposals', href: '/proposals', label: 'Proposals', icon: 'git-pull-request', needs: 'everyDomain' },
      { section: 'team', href: '/team', label: 'Team', icon: 'users' },
      { section: 'api-keys', href: '/api-keys', label: 'API keys', icon: 'key-round', needs: 'everyDomain' },
      { section: 'settings', href: '/settings', label: 'Settings', icon: 'settings' },
    ],
  ],
  [
    'Service',
    [
      { section: 'nameservers', href: '/nameservers', label: 'Nameservers', icon: 'server', needs: 'owner' },
      { section: 'webhooks', href: '/webhooks', label: 'Webhooks', icon: 'webhook', needs: 'owner' },
    ],
  ],
];

/** Links to all pages that the person may see, in groups. */
export function Navigation({ current }: { readonly current: Section | undefined }) {
  const { userSession, sandbox } = usePage();
  if (!userSession) return null;
  return (
    <nav aria-label="Main">
      <NavigationList items={[OVERVIEW]} current={current} />
      {GROUPS.map(([title, items]) => {
        const all = title === 'Service' && sandbox ? [...items, SANDBOX] : items;
        const seen = all.filter(({ needs }) => maySee(userSession, needs));
        return (
          seen.length > 0 && (
            <div key={title}>
              <p class="nav-title" id={`nav-${title.toLowerCase()}`}>
                {title}
              </p>
              <NavigationList items={seen} current={current} labelledBy={`nav-${title.toLowerCase()}`} />
            </div>
          )
        );
      })}
    </nav>
  );
}

function maySee(userSession: UserSession, needs: NavigationItem['needs']): boolean {
  if (needs === 'owner') return userSession.user.role === 'owner';
  return needs === undefined || hasEveryDomain(userSession);
}

function NavigationList({
  items,
  current,
  labelledBy,
}: {
  readonly items: readonly NavigationItem[];
  readonly current: Section | undefined;
  readonly labelledBy?: string;
}) {
  const { undecidedProposals = 0 } = usePage();
  return (
    <ul aria-labelledby={labelledBy}>
      {items.map(({ section, href, label, icon }) => (
        <li key={section}>
          <a href={href} aria-current={section === current ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
            {section === 'proposals' && undecidedProposals > 0 && (
              <span class="bell-count">
                {undecidedProposals}
                <span class="visually-hidden"> undecided</span>
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
