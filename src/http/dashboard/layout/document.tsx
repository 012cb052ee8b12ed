import type { ComponentChildren } from 'preact';
import { assetUrl } from '../assets';
import { PostForm } from './forms';
import { NoticeLine } from './notice-line';
import { usePage } from './page-context';

/** What the navigation marks as the place where one is. */
export type Section = 'overview' | 'domains' | 'register' | 'api-keys' | 'activity' | 'team' | 'settings' | 'sandbox';

type Place = readonly [Section, href: string, label: string];
const NAVIGATION: readonly Place[] = [
  ['overview', '/', 'Overview'],
  ['domains', '/domains', 'Domains'],
  ['register', '/register', 'Register'],
  ['api-keys', '/api-keys', 'API keys'],
  ['activity', '/activity', 'Activity'],
  ['team', '/team', 'Team'],
  ['settings', '/settings', 'Settings'],
];

const SANDBOX: Place = ['sandbox', '/sandbox', 'Sandbox'];

export interface DocumentProps {
  readonly title: string;
  readonly section?: Section | undefined;
  readonly warning?: string | undefined;
  readonly children: ComponentChildren;
}

/** A whole page: with the navigation for who has signed in, without it for everybody else. */
export function Document({ title, section, warning, children }: DocumentProps) {
  const { visitor } = usePage();
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
      <body class={visitor ? 'signed-in' : 'signed-out'}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {visitor && <Sidebar section={section} />}
        <main id="main" tabIndex={-1}>
          <NoticeLine />
          {warning !== undefined && (
            <div class="notice warning" role="alert">
              <p>{warning}</p>
            </div>
          )}
          {children}
        </main>
      </body>
    </html>
  );
}

function Sidebar({ section }: { readonly section: Section | undefined }) {
  const { visitor, sandbox } = usePage();
  const places = sandbox && visitor?.user.role === 'owner' ? [...NAVIGATION, SANDBOX] : NAVIGATION;
  return (
    <header class="sidebar">
      <a class="brand" href="/">
        <img src={assetUrl('favicon.svg')} alt="" width="24" height="24" />
        <span>Namewright</span>
      </a>
      <nav aria-label="Main">
        <ul>
          {places.map(([key, href, label]) => (
            <li key={key}>
              <a href={href} aria-current={key === section ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="account">
        <p class="who">
          <strong>{visitor?.account.name}</strong>
          <span>{visitor?.user.email}</span>
        </p>
        <PostForm action="/sign-out">
          <button class="quiet" type="submit">
            Sign out
          </button>
        </PostForm>
      </div>
    </header>
  );
}
