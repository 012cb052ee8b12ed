import { INTERFACE_ERRORS } from '../shared/error-codes';

/** Text of the OpenAPI document. Of Markdown it has paragraphs and code spans. Error codes link to their meaning. */
export function Paragraphs({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .trim()
        .split(/\n{2,}/)
        .map((paragraph, index) => (
          <p key={index}>
            <InlineText text={paragraph} />
          </p>
        ))}
    </>
  );
}

export function InlineText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(`[^`]+`|\b[A-Z]+(?:_[A-Z]+)+\b)/).map((part, index) => {
        if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
        return Object.hasOwn(INTERFACE_ERRORS, part) ? <ErrorCodeLink key={index} code={part} /> : part;
      })}
    </>
  );
}

export function ErrorCodeLink({ code }: { readonly code: string }) {
  return (
    <a href={`/docs#${code}`}>
      <code>{code}</code>
    </a>
  );
}
