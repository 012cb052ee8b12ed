import type { ComponentChildren } from 'preact';
import { MAX_COUNTED } from '../../../application/events/read-notifications';
import { formatDateTime } from '../../../domain/shared/time/date-text';
import { assetUrl } from '../assets';
import { NOTICE_ID, PostForm } from './forms/forms';
import { Icon } from './icon';
import { Navigation, type Section } from './navigation';
import { usePage, useTimeZone } from './page-context';

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
        <link rel="stylesheet" href={assetUrl('pictures.css')} />
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
      <strong>Sandbox</strong>
      <span class="wide-only">Names are simulated and cost nothing.</span>
      <span>
        <span class="wide-only">Registry clock: </span>
        {formatDateTime(today, useTimeZone())}
      </span>
      {userSession?.user.role === 'owner' && (
        <a href="/sandbox">
          Change<span class="visually-hidden"> the registry clock</span>
        </a>
      )}
    </p>
  );
}

/** A form, because looking resets the number, and without scripts. */
function Bell({ isCurrent }: { readonly isCurrent: boolean }) {
  const { newNotifications = 0 } = usePage();
  return (
    <PostForm action="/notifications" class="bell">
      <button type="submit" class="quiet" aria-current={isCurrent ? 'page' : undefined}>
        <Icon name="bell" />
        <span>Notifications</span>
        {newNotifications > 0 && (
          <span class="bell-count">
            {newNotifications > MAX_COUNTED ? `${MAX_COUNTED}+` : newNotifications}
            <span class="visually-hidden"> new</span>
          </span>
        )}
      </button>
    </PostForm>
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

/** The id of what the Menu button opens on narrow screens. */
const MENU_ID = 'menu';

/** The head of a narrow screen, where the menu is a popover, and the sidebar of a wide one, which shows it. */
function Sidebar({ section: current }: { readonly section: Section | undefined }) {
  const { userSession } = usePage();
  return (
    <header class="sidebar">
      <a class="brand" href="/">
        <img src={assetUrl('favicon.svg')} alt="" width="24" height="24" />
        <span>Namewright</span>
      </a>
      <Bell isCurrent={current === 'notifications'} />
      <a class="button quiet palette-button" href="/search" data-open-palette>
        <Icon name="search" /> Find{' '}
        <kbd data-scripted hidden>
          Ctrl K
        </kbd>
      </a>
      <button type="button" class="menu-button quiet" popovertarget={MENU_ID}>
        <Icon name="menu" />
        <span class="visually-hidden">Menu</span>
      </button>
      <div class="menu" id={MENU_ID} popover="auto">
        <div class="account">
          <p class="account-user">
            <strong>{userSession?.account.name}</strong>
            <span>{userSession?.user.email}</span>
          </p>
          <AccountSwitch />
        </div>
        <Navigation current={current} />
        <PostForm action="/sign-out" class="sign-out">
          <button class="quiet" type="submit">
            <Icon name="log-out" /> Sign out
          </button>
        </PostForm>
      </div>
    </header>
  );
}

/** The result of the last request, with an Undo button if it can be undone. */
function FlashMessage() {
  const { flash } = usePage();
  if (!flash) return null;
  return (
    <div
      class={`alert ${flash.kind}`}
      id={NOTICE_ID}
      role={flash.kind === 'success' ? 'status' : 'alert'}
      tabIndex={-1}
      data-notice
    >
      <p>{flash.text}</p>
      {flash.undo && (
        <PostForm action={flash.undo.action}>
          {Object.entries(flash.undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button class="quiet" type="submit">
            Undo
          </button>
        </PostForm>
      )}
    </div>
  );
}
