import { DomainName } from '../../shared/domain-name';
import { ValidationError } from '../../shared/validation-error';

/** A name that is to be transferred, with its auth code, and where it was pasted. */
export interface TransferLine {
  readonly line: number;
  /** In A-labels. */
  readonly name: string;
  /** Secret; empty if the line has none. */
  readonly authCode: string;
}

/** Never with the text of the line, which may be an auth code. */
export interface LineIssue {
  readonly line: number;
  readonly message: string;
}

export interface TransferLines {
  readonly lines: readonly TransferLine[];
  readonly issues: readonly LineIssue[];
}

/** Of titles in lower case, with spaces for other characters. */
const NAME_TITLE = /^(domain|domains|domain ?name|name)$/;
const CODE_TITLE = /auth|(^| )epp|^(code|password|secret|transfer ?(code|key))$/;
const BYTE_ORDER_MARK = 0xfe_ff;
const SEPARATOR = /[,;\t]|\s+/;

/**
 * Reads lines of `name,code`, and CSV files with a header (RFC 4180), of which other columns are ignored. Commas, semicolons, tabs
 * and spaces separate; without a header the code is the rest of the line. Empty lines and those that begin with # are skipped.
 */
export function parseTransferLines(text: string): TransferLines {
  const rows = (text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text)
    .split(/\r\n|\r|\n/)
    .map((row, index) => ({ line: index + 1, row: row.trim() }))
    .filter(({ row }) => row !== '' && !row.startsWith('#'));
  const columns = rows[0] && headerColumns(rows[0].row);
  const lines: TransferLine[] = [];
  const issues: LineIssue[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, row } of columns ? rows.slice(1) : rows) {
    const [given, authCode] = columns ? cellsAt(row, columns) : splitLine(row);
    const name = nameIn(given);
    const first = typeof name === 'string' ? lineOf.get(name) : undefined;
    if (typeof name !== 'string') issues.push({ line, message: name.message });
    else if (first !== undefined) issues.push({ line, message: `has the name of line ${first} again` });
    else {
      lineOf.set(name, line);
      lines.push({ line, name, authCode });
    }
  }
  return { lines, issues };
}

interface HeaderColumns {
  readonly separator: string;
  readonly name: number;
  /** -1 if the file has none. */
  readonly code: number;
}

/** Undefined if the row names no column of domains. */
function headerColumns(row: string): HeaderColumns | undefined {
  const separator = [',', ';', '\t'].find((each) => row.includes(each)) ?? ',';
  const titles = splitCells(row, separator).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, ' ')
      .trim(),
  );
  const name = titles.findIndex((title) => NAME_TITLE.test(title));
  return name === -1 ? undefined : { separator, name, code: titles.findIndex((title) => CODE_TITLE.test(title)) };
}

function cellsAt(row: string, { separator, name, code }: HeaderColumns): [name: string, authCode: string] {
  const cells = splitCells(row, separator);
  return [cells[name] ?? '', cells[code] ?? ''];
}

function splitLine(row: string): [name: string, authCode: string] {
  const [, quoted, rest = ''] = /^"([^"]*)"\s*(.*)$/.exec(row) ?? [];
  if (quoted !== undefined) return [quoted.trim(), unquoted(rest.replace(/^[,;]\s*/, ''))];
  const separator = SEPARATOR.exec(row);
  if (!separator) return [row, ''];
  const after = row.slice(separator.index + separator[0].length).trim();
  const isSpace = separator[0].trim() === '';
  return [row.slice(0, separator.index), unquoted(isSpace ? after.replace(/^[,;]\s*/, '') : after)];
}

function unquoted(cell: string): string {
  return /^".*"$/.test(cell) && cell.length > 1 ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

function splitCells(row: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < row.length; at += 1) {
    const char = row.charAt(at);
    if (isQuoted && char === '"' && row.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
}

function nameIn(text: string): string | ValidationError['issues'][number] {
  try {
    return DomainName.parse(text).value;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.issues[0] ?? { path: 'name', message: error.message };
  }
}
