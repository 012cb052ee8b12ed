import type { ComponentChildren } from 'preact';
import { assetUrl } from '../assets';
import { formatDateTime } from './dates';
import { PostForm } from './forms';
import { FlashMessage } from './flash-message';
import { hasEveryDomain } from '../user-session';
import { usePage } from './page-context';

/** Key of the navigation's current item. */
export type Section =
  'overview' | 'domains' | 'register' | 'api-keys' | 'activity' | 'team' | 'nameservers' | 'settings' | 'sandbox';

type NavigationItem = readonly [Section, href: string, label: string];
const NAVIGATION: readonly NavigationItem[] = [
  ['overview', '/', 'Overview'],
  ['domains', '/domains', 'Domains'],
  ['register', '/register', 'Register'],
  ['api-keys', '/api-keys', 'API keys'],
  ['activity', '/activity', 'Activity'],
  ['team', '/team', 'Team'],
  ['nameservers', '/nameservers', 'Nameservers'],
  ['settings', '/settings', 'Settings'],
];

const SANDBOX: NavigationItem = ['sandbox', '/sandbox', 'Sandbox'];

interface DocumentProps {
  readonly title: string;
  readonly section?: Section | undefined;
  readonly warning?: string | undefined;
  readonly children: ComponentChildren;
}

/** A whole page. Only signed-in users get the navigation. */
export function Document({ title, section, warning, children }: DocumentProps) {
  const { userSession } = usePage();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content='{"includeIndicatorCSS":false,"noSwap":[204,304,"4xx","5xx"]}' />
        <title>{`${title} · Namewright`}</title>
        <link rel="stylesheet" href={assetUrl('dashboard.css')} />
        <link rel="icon" type="image/svg+xml" href={assetUrl('favicon.svg')} />
        <script src={assetUrl('htmx.js')} defer />
        <script src={assetUrl('dashboard.js')} defer />
      </head>
      <body class={userSession ? 'with-sidebar' : 'signed-out'} data-palette={userSession && assetUrl('palette.js')}>
        <a class="skip" href="#main">
          Skip to main content
        </a>
        {userSession && <Sidebar section={section} />}
        <main id="main" tabIndex={-1}>
          <SandboxBar />
          <FlashMessage />
          {warning !== undefined && (
            <div class="alert warning" role="alert">
              <p>{warning}</p>
            </div>
          )}
          {children}
        </main>
      </body>
    </html>
  );
}

/** Tells, while the simulated registry serves, that names are not real, and its time. */
function SandboxBar() {
  const { sandbox, today, userSession } = usePage();
  if (!sandbox) return null;
  return (
    <p class="sandbox-bar">
      <span>
        <strong>Sandbox</strong> · Names are simulated and cost nothing.
      </span>
      <span>Registry clock: {formatDateTime(today)}</span>
      {userSession?.user.role === 'owner' && <a href="/sandbox">Change the clock</a>}
    </p>
  );
}

/** Buttons for the person's other accounts. */
function AccountSwitch() {
  const { userSession } = usePage();
  const accounts = userSession?.otherAccounts ?? [];
  if (accounts.length === 0) return null;
  return (
    <details class="account-switch">
      <summary>Switch account</summary>
      <p class="small">
        You are in <strong>{userSession?.account.name}</strong>.
      </p>
      <PostForm action="/switch-account">
        {accounts.map(({ id, name }) => (
          <button key={id} type="submit" name="account" value={id}>
            {name}
          </button>
        ))}
      </PostForm>
    </details>
  );
}

function Sidebar({ section: current }: { readonly section: Section | undefined }) {
  const { userSession, sandbox } = usePage();
  const isOwner = userSession?.user.role === 'owner';
  const items = [
    ...NAVIGATION.filter(([section]) => section !== 'api-keys' || (userSession && hasEveryDomain(userSession))).filter(
      ([section]) => section !== 'nameservers' || isOwner,
    ),
    ...(sandbox && isOwner ? [SANDBOX] : []),
  ];
  return (
    <header class="sidebar">
      <a class="brand" href="/">
        <img src={assetUrl('favicon.svg')} alt="" width="24" height="24" />
        <span>Namewright</span>
      </a>
      <button type="button" class="palette-button quiet" data-open-palette data-scripted hidden>
        Find <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Main">
        <ul>
          {items.map(([key, href, label]) => (
            <li key={key}>
              <a href={href} aria-current={key === current ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="account">
        <p class="account-user">
          <strong>{userSession?.account.name}</strong>
          <span>{userSession?.user.email}</span>
        </p>
        <AccountSwitch />
        <PostForm action="/sign-out">
          <button class="quiet" type="submit">
            Sign out
          </button>
        </PostForm>
      </div>
    </header>
  );
}
