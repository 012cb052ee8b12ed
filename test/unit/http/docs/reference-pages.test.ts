import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { INTERFACE_ERRORS } from '../../../../src/http/shared/error-codes';
import { withCodeSamples } from '../../../../src/http/docs/code-samples';
import { ownPaths, resolveRef, type OpenapiDocument, type Schema } from '../../../../src/http/docs/openapi-document';
import { referencePages } from '../../../../src/http/docs/reference-pages';
import { parsedYaml } from '../../../support/parsed-yaml';

const ROOT = join(__dirname, '../../../..');
const FIRST_VIEW_KIB = 60;
const openapi = withCodeSamples(parsedYaml(join(ROOT, 'docs/openapi.yaml')) as OpenapiDocument);
const { components } = openapi;

function render(document: OpenapiDocument): Map<string, string> {
  return new Map([...referencePages(document)].map(([path, page]) => [path, page()]));
}

/** The part of a page that belongs to an id: up to the next section of the same kind. */
function sectionOf(page: string, id: string): string {
  const [, section = ''] = page.split(new RegExp(`<section class="card[^"]*" id="${id}"`));
  return section.split('<section class="card')[0] ?? '';
}

/** What a reader sees in code elements. */
function codeIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/<code[^>]*>([^<]*)<\/code>/g)].map(([, code = '']) => decode(code)));
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** The names of the properties and the permitted values of a schema. `deep`: also of the schemas that it refers to. */
function wordsOf(schema: Schema, deep: boolean): string[] {
  const { $ref, allOf = [], oneOf = [], anyOf = [], items, additionalProperties, properties = {} } = schema;
  const parts = [...allOf, ...oneOf, ...anyOf, ...Object.values(properties)];
  if (items) parts.push(items);
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  if ($ref !== undefined && deep) parts.push(resolveRef(schema, components.schemas));
  return [
    ...Object.keys(properties),
    ...(schema.enum ?? []).filter((value) => value !== null).map(String),
    ...parts.flatMap((part) => wordsOf(part, deep)),
  ];
}

function missing(words: readonly string[], html: string): string[] {
  const shown = codeIn(html);
  return words.filter((word) => !shown.has(word));
}

function idsOf(page: string): (string | undefined)[] {
  return [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
}

function compressedBytes(content: string | Buffer): number {
  return gzipSync(content, { level: 9 }).length;
}

describe('the API reference', () => {
  const pages = render(openapi);
  const all = [...pages.values()].join('\n');
  const operations = Object.entries(ownPaths(openapi)).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

  it('lists every operation in the overview', () => {
    const overview = pages.get('/docs') ?? '';
    for (const { path, method, operation } of operations) {
      const [, item = ''] = overview.split(`#${operation.operationId}">`);
      expect(decode(item).startsWith(`${operation.summary}</a>`)).toBe(true);
      expect(item.split('</li>')[0]).toContain(`>${method}</span> <code>${path}</code>`);
    }
  });

  it('shows every operation with its parameters, fields, values, error codes and samples', () => {
    for (const { path, operation } of operations) {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const section = sectionOf(all, operationId);
      const resolved = parameters.map((parameter) => resolveRef(parameter, components.parameters));
      const contents = Object.entries(responses).map(([status, response]) => ({
        status,
        content: Object.values(resolveRef(response, components.responses).content ?? {}),
      }));
      const bodies = [
        ...Object.values(requestBody?.content ?? {}),
        ...contents.filter(({ status }) => Number(status) < 400).flatMap(({ content }) => content),
      ];
      const errors = contents.filter(({ status }) => Number(status) >= 400);
      const codes = errors.flatMap(({ content }) =>
        content.flatMap(({ examples = {} }) =>
          Object.values(examples).map(
            (example) => (resolveRef(example, components.examples).value as { error: { code: string } }).error.code,
          ),
        ),
      );
      const words = [
        path,
        ...resolved.flatMap(({ name = '', schema = {} }) => [name, ...wordsOf(schema, true)]),
        ...bodies.flatMap(({ schema }) => wordsOf(schema, true)),
        ...codes,
      ];

      expect({ operationId, missing: missing(words, section) }).toEqual({ operationId, missing: [] });
      for (const status of Object.keys(responses)) expect(section).toContain(`<strong>${status}</strong>`);
      for (const { source } of operation['x-codeSamples'] ?? []) expect(decode(section)).toContain(source);
      expect(operation['x-codeSamples']?.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python']);
    }
  });

  it('shows every schema with its properties and values', () => {
    for (const [name, schema] of Object.entries(components.schemas)) {
      const section = sectionOf(pages.get('/docs/schemas') ?? '', name);

      expect({ name, missing: missing(wordsOf(schema, false), section) }).toEqual({ name, missing: [] });
    }
  });

  it('explains every error code and response header', () => {
    const overview = pages.get('/docs') ?? '';

    expect(missing([...Object.keys(INTERFACE_ERRORS), ...Object.keys(components.headers)], overview)).toEqual([]);
  });

  it('has unique ids and no link to a page or section that does not exist', () => {
    for (const [path, page] of pages) {
      expect(idsOf(page)).toHaveLength(new Set(idsOf(page)).size);
      const links = [...page.matchAll(/ href="(\/docs[^"]*|#[^"]*)"/g)].map(([, href = '']) => href);
      const broken = links.filter((href) => {
        const [target, id] = href.split('#');
        const linked = pages.get(target || path);
        return linked === undefined || (id !== undefined && !idsOf(linked).includes(id));
      });
      expect({ path, broken }).toEqual({ path, broken: [] });
    }
  });

  it(`has at most ${FIRST_VIEW_KIB} KiB on the first view of each page, with its styles and scripts`, () => {
    const assets = ['dashboard.css', 'dashboard.js', 'reference.css', 'reference.js', 'favicon.svg']
      .map((name) => compressedBytes(readFileSync(join(ROOT, 'public', name))))
      .reduce((sum, size) => sum + size);
    const sizes = [...pages].map(([path, page]) => ({ path, kib: (compressedBytes(page) + assets) / 1_024 }));

    expect(sizes.filter(({ kib }) => kib > FIRST_VIEW_KIB)).toEqual([]);
  });

  it('shows the text of the document as text', () => {
    const hostile = {
      ...openapi,
      tags: [{ name: 'Domains', description: '<img src=x> and `<b>`' }],
      info: { description: 'Before <script>' },
    };

    const shown = [...render(hostile).values()].join('\n');

    expect(shown).toContain('&lt;img src=x> and <code>&lt;b></code>');
    expect(shown).not.toMatch(/<img src=x|<b>|<script>/);
  });

  it('understands all Markdown of the document: paragraphs, headings of the introduction and code spans', () => {
    const texts: string[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, member] of Object.entries(value)) {
        if (key === 'description' && typeof member === 'string') texts.push(member.replaceAll(/`[^`]*`/g, 'code'));
        else if (key !== 'examples') collect(member);
      }
    };
    collect({ ...openapi, info: { description: openapi.info.description.replaceAll(/^## /gm, '') } });

    expect(texts.filter((text) => /\*|`|\]\(|^(?:\s*[-+#>|] |1\. |```)|\b_\w+_\b/m.test(text))).toEqual([]);
  });
});
