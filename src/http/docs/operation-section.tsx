import { Badge, Copyable } from '../dashboard/layout/components';
import { describeType } from './describe-type';
import { BodyFields, FieldList, type FieldsOf } from './field-list';
import { ErrorCodeLink, InlineText, Paragraphs } from './inline-text';
import { resolveRef, type Components, type Response } from './openapi-document';
import { codesOf, examplesOf, parameterField, scopeOf, type ListedOperation } from './operations';

interface OperationProps {
  readonly operation: ListedOperation;
  readonly components: Components;
}

/** Links to operations. The filter hides those that do not match. */
export function OperationList({ operations }: { readonly operations: readonly ListedOperation[] }) {
  return (
    <ul class="operation-list">
      {operations.map((operation) => (
        <li key={operation.operationId} data-operation>
          <a href={operation.url}>{operation.summary}</a> <Endpoint operation={operation} />
        </li>
      ))}
    </ul>
  );
}

function Endpoint({ operation: { method, path } }: { readonly operation: ListedOperation }) {
  return (
    <span class="endpoint">
      <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
    </span>
  );
}

/** Everything about one operation; the code beside it if the screen is wide enough. */
export function OperationSection({ operation, components }: OperationProps) {
  const { operationId, summary, description = '' } = operation;
  const scope = scopeOf(operation);
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolveRef(response, components.responses)] as const,
  );
  return (
    <section class="card operation" id={operationId} aria-labelledby={`${operationId}-title`}>
      <div class="card-heading">
        <h2 id={`${operationId}-title`}>
          <a href={`#${operationId}`}>{summary}</a>
        </h2>
        <Badge tone="plain">{scope === undefined ? 'no key needed' : `${scope} scope`}</Badge>
      </div>
      <Endpoint operation={operation} />
      <div class="operation-parts">
        <div>
          <Paragraphs text={description} />
          <Parameters operation={operation} components={components} />
          <RequestBody operation={operation} components={components} />
          <h3>Responses</h3>
          {responses.map(([status, response]) => (
            <details key={status} class="response">
              <summary>
                <strong>{status}</strong> <InlineText text={response.description ?? ''} />
              </summary>
              {isError(status) ? (
                <ErrorDetails response={response} components={components} />
              ) : (
                <Bodies content={response.content} components={components} of="response" />
              )}
              <p class="small">
                <a href="/docs#response-headers">Headers</a>: {Object.keys(response.headers ?? {}).join(', ')}
              </p>
            </details>
          ))}
        </div>
        <div class="operation-code">
          <Samples operation={operation} />
          {responses
            .filter(([status]) => !isError(status))
            .map(([status, response]) => (
              <figure key={status}>
                <figcaption>Response {status}</figcaption>
                {examplesOf(response, components).map((example, index) => (
                  <pre key={index} tabIndex={0} role="group" aria-label={`Response ${status}: ${summary}`}>
                    {showExample(example)}
                  </pre>
                ))}
              </figure>
            ))}
        </div>
      </div>
    </section>
  );
}

function isError(status: string): boolean {
  return Number(status) >= 400;
}

function Parameters({ operation: { parameters = [] }, components }: OperationProps) {
  const resolved = parameters.map((parameter) => resolveRef(parameter, components.parameters));
  return (
    <>
      {['Path', 'Query', 'Header'].map((place) => {
        const those = resolved.filter((parameter) => parameter.in === place.toLowerCase());
        if (those.length === 0) return null;
        return (
          <section key={place}>
            <h3>{place} parameters</h3>
            <FieldList fields={those.map((parameter) => parameterField(parameter, components))} of="request" />
          </section>
        );
      })}
    </>
  );
}

function RequestBody({ operation: { requestBody }, components }: OperationProps) {
  if (!requestBody) return null;
  const { content, required = false, description } = requestBody;
  return (
    <section>
      <h3>
        Request body <small>{required ? 'required' : 'optional'}</small>
      </h3>
      {description !== undefined && <Paragraphs text={description} />}
      <Bodies content={content} components={components} of="request" />
    </section>
  );
}

interface BodiesProps {
  readonly content: Response['content'];
  readonly components: Components;
  readonly of: FieldsOf;
}

function Bodies({ content = {}, components, of }: BodiesProps) {
  return (
    <>
      {Object.entries(content).map(([mediaType, { schema }]) => (
        <div key={mediaType}>
          <p class="small">{mediaType}</p>
          <BodyFields type={describeType(schema, components.schemas)} of={of} />
        </div>
      ))}
    </>
  );
}

function ErrorDetails({ response, components }: { readonly response: Response; readonly components: Components }) {
  return (
    <>
      <ul class="inline-list">
        {codesOf(response, components).map((code) => (
          <li key={code}>
            <ErrorCodeLink code={code} />
          </li>
        ))}
      </ul>
      {examplesOf(response, components).map((example, index) => (
        <pre key={index}>{showExample(example)}</pre>
      ))}
    </>
  );
}

function showExample(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

/** Requests in several languages. The script applies the choice to all operations. */
function Samples({ operation }: { readonly operation: ListedOperation }) {
  const { operationId, summary, 'x-codeSamples': samples = [] } = operation;
  return (
    <div class="samples">
      <fieldset>
        <legend class="visually-hidden">Language of the sample</legend>
        {samples.map(({ label }, index) => (
          <label key={label}>
            <input
              class="visually-hidden"
              type="radio"
              name={`${operationId}-language`}
              value={label}
              checked={index === 0}
              data-language
            />
            {label}
          </label>
        ))}
      </fieldset>
      {samples.map(({ label, source }) => (
        <div key={label} data-sample={label}>
          <Copyable id={`${operationId}-${label}`} text={source} label={`${summary}, ${label}`} lines />
        </div>
      ))}
    </div>
  );
}
