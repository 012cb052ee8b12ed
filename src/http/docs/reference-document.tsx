import type { ComponentChildren } from 'preact';
import { assetUrl } from '../dashboard/assets';

export interface PageLink {
  readonly href: string;
  readonly label: string;
}

export interface ReferenceDocumentProps {
  readonly title: string;
  readonly path: string;
  readonly pages: readonly PageLink[];
  /** Of this page. */
  readonly sections: readonly PageLink[];
  readonly children: ComponentChildren;
}

/** A page of the API reference, in the dashboard's look. It is the same for all readers and needs no script. */
export function ReferenceDocument({ title, path, pages, sections, children }: ReferenceDocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Namewright API`}</title>
        <link rel="stylesheet" href={assetUrl('dashboard.css')} />
        <link rel="stylesheet" href={assetUrl('reference.css')} />
        <link rel="icon" type="image/svg+xml" href={assetUrl('favicon.svg')} />
        <script src={assetUrl('dashboard.js')} defer />
        <script src={assetUrl('reference.js')} defer />
      </head>
      <body class="with-sidebar">
        <a class="skip" href="#main">
          Skip to main content
        </a>
        <header class="sidebar reference">
          <a class="brand" href="/docs">
            <img src={assetUrl('favicon.svg')} alt="" width="24" height="24" />
            <span>Namewright</span>
          </a>
          <nav aria-label="API reference">
            <ul>
              {pages.map(({ href, label }) => (
                <li key={href}>
                  <a href={href} aria-current={href === path ? 'page' : undefined}>
                    {label}
                  </a>
                  {href === path && <Sections sections={sections} />}
                </li>
              ))}
            </ul>
          </nav>
          <p class="account">
            <a href="/">Dashboard</a>
            <a href="/api-keys">API keys</a>
            <a href="/openapi.json">OpenAPI document</a>
          </p>
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}

function Sections({ sections }: { readonly sections: readonly PageLink[] }) {
  return (
    <ul class="sections">
      {sections.map(({ href, label }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  );
}
