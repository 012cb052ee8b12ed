import { Fragment } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { MailContent, MailPart } from './mail-content';

const STYLES = {
  body: 'margin:0;padding:24px 12px;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif',
  sheet: 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dde1e7;border-radius:8px',
  heading: 'margin:0 0 16px;font-size:20px;line-height:1.3',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;background:#0e6b5e;color:#ffffff;text-decoration:none;font-weight:600',
  label: 'padding:2px 16px 2px 0;color:#5a6472;text-align:left;font-weight:400;vertical-align:top',
  value: 'padding:2px 0;vertical-align:top;word-break:break-word',
  footer: 'max-width:560px;margin:16px auto 0;color:#5a6472;font-size:13px',
  link: 'color:#0e6b5e;word-break:break-all',
} as const;

/** As a document that loads nothing: all styles are in it. Values are escaped. */
export function mailHtml(content: MailContent, footer: readonly string[], unsubscribeUrl: string | undefined): string {
  return `<!doctype html>\n${renderToString(<MailDocument content={content} footer={footer} unsubscribeUrl={unsubscribeUrl} />)}`;
}

interface MailDocumentProps {
  readonly content: MailContent;
  readonly footer: readonly string[];
  readonly unsubscribeUrl: string | undefined;
}

function MailDocument({ content: { subject, parts }, footer, unsubscribeUrl }: MailDocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body style={STYLES.body}>
        <div style={STYLES.sheet}>
          <h1 style={STYLES.heading}>{subject}</h1>
          {parts.map((part) => (
            <Part part={part} />
          ))}
        </div>
        <div style={STYLES.footer}>
          {footer.map((line) => (
            <p>{line}</p>
          ))}
          {unsubscribeUrl !== undefined && (
            <p>
              <a style={STYLES.link} href={unsubscribeUrl}>
                Send me no more mails of this kind
              </a>
            </p>
          )}
        </div>
      </body>
    </html>
  );
}

function Part({ part }: { readonly part: MailPart }) {
  if (typeof part === 'string') return <p>{part}</p>;
  if ('link' in part)
    return (
      <Fragment>
        <p>
          <a style={STYLES.button} href={part.link.url}>
            {part.link.label}
          </a>
        </p>
        <p style="font-size:13px">
          <span style={STYLES.link}>{part.link.url}</span>
        </p>
      </Fragment>
    );
  return (
    <table role="presentation" style="border-collapse:collapse;margin:0 0 16px">
      {part.facts.map(([label, value]) => (
        <tr>
          <th style={STYLES.label}>{label}</th>
          <td style={STYLES.value}>{value}</td>
        </tr>
      ))}
    </table>
  );
}
