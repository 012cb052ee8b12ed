import { ownPaths, resolveRef, type OpenapiDocument, type ApiOperation, type Sample } from './openapi-document';

interface SampledRequest {
  readonly method: string;
  readonly path: string;
  readonly needsKey: boolean;
  /** JSON is a value, other bodies are text. */
  readonly body: { readonly mediaType: string; readonly value: unknown } | undefined;
}

/** The document with a request in curl, JavaScript and Python for every operation, made of its examples: `x-codeSamples`. */
export function withCodeSamples(document: OpenapiDocument): OpenapiDocument {
  const paths = Object.entries(ownPaths(document)).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const request = requestOf(method, path, operation, document);
        return [method, { ...operation, 'x-codeSamples': [curl(request), javascript(request), python(request)] }];
      }),
    ),
  ]);
  return { ...document, paths: { ...document.paths, ...Object.fromEntries(paths) } };
}

function requestOf(method: string, path: string, operation: ApiOperation, document: OpenapiDocument): SampledRequest {
  const parameters = (operation.parameters ?? []).map((each) => resolveRef(each, document.components.parameters));
  const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example;
    return example === undefined ? placeholder : encodeURIComponent(example);
  });
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const [example] = Object.values(content?.[1].examples ?? {});
  return {
    method: method.toUpperCase(),
    path: filled,
    needsKey: operation.security?.length !== 0,
    body: content && example && { mediaType: content[0], value: example.value },
  };
}

function isJson({ mediaType }: { readonly mediaType: string }): boolean {
  return mediaType === 'application/json';
}

/** JSON that continues a line two spaces from the margin. */
function indented(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');
}

function curl({ method, path, needsKey, body }: SampledRequest): Sample {
  const data = body && (isJson(body) ? indented(body.value) : String(body.value));
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$URL${path}"`,
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body ? [`-H 'Content-Type: ${body.mediaType}'`] : []),
    ...(data === undefined ? [] : [`--data-binary '${data.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return { lang: 'Shell', label: 'curl', source: lines.join(' \\\n  ') };
}

function javascript({ method, path, needsKey, body }: SampledRequest): Sample {
  const headers = [
    ...(needsKey ? ['Authorization: `Bearer ${process.env.KEY}`'] : []),
    ...(body ? [`'Content-Type': '${body.mediaType}'`] : []),
  ];
  const data = body && indented(body.value);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [isJson(body) ? `  body: JSON.stringify(${data}),` : `  body: ${data},`] : []),
  ];
  const argument = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return {
    lang: 'JavaScript',
    label: 'JavaScript',
    source: [
      `const response = await fetch(\`\${process.env.URL}${path}\`${argument});`,
      'console.log(response.status, await response.text());',
    ].join('\n'),
  };
}

function python({ method, path, needsKey, body }: SampledRequest): Sample {
  const headers = [
    ...(needsKey ? ['"Authorization": f"Bearer {os.environ[\'KEY\']}"'] : []),
    ...(body ? [`"Content-Type": "${body.mediaType}"`] : []),
  ];
  const data = body && pythonLiteral(body.value, 1);
  const lines = [
    `import ${body && isJson(body) ? 'json, ' : ''}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    os.environ["URL"] + "${path}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body ? [`    data=${isJson(body) ? `json.dumps(${data})` : data}.encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ];
  return { lang: 'Python', label: 'Python', source: lines.join('\n') };
}

function pythonLiteral(value: unknown, depth: number): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const [inner, outer] = ['    '.repeat(depth + 1), '    '.repeat(depth)];
  if (Array.isArray(value)) return `[${value.map((each) => pythonLiteral(each, depth)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${pythonLiteral(member, depth + 1)},`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${outer}}`;
}
