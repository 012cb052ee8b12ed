const QUOTE = 0x27;
const BACKSLASH = 0x5c;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const NEWLINE = 0x0a;
const INSERT = /^INSERT INTO `([^`]+)`/;
/** Longer than the start of any INSERT. */
const HEAD_OCTETS = 200;

/** Counts the rows of each table in a dump of mariadb-dump or mysqldump, in pieces of any length. */
export class DumpRows {
  readonly rows: Record<string, number> = {};
  private head = '';
  private atLineStart = true;
  private table: string | undefined;
  private isQuoted = false;
  private isEscaped = false;
  private depth = 0;

  add(chunk: Buffer): void {
    for (const octet of chunk) {
      if (this.table !== undefined) this.readInsert(octet, this.table);
      else this.readLine(octet);
    }
  }

  /** Looks for an INSERT at the start of a line; all other lines are skipped. */
  private readLine(octet: number): void {
    if (octet === NEWLINE) {
      this.startTable();
      this.head = '';
      this.atLineStart = true;
    } else if (this.atLineStart) {
      this.head += String.fromCharCode(octet);
      if (octet === OPEN && this.startTable()) this.readInsert(octet, this.table ?? '');
      if (this.head.length >= HEAD_OCTETS) this.atLineStart = false;
    }
  }

  private startTable(): boolean {
    this.table = INSERT.exec(this.head)?.[1];
    if (this.table !== undefined) this.rows[this.table] ??= 0;
    return this.table !== undefined;
  }

  private readInsert(octet: number, table: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isQuoted) {
      if (octet === BACKSLASH) this.isEscaped = true;
      else if (octet === QUOTE) this.isQuoted = false;
    } else if (octet === QUOTE) this.isQuoted = true;
    else if (octet === OPEN) {
      if (this.depth === 0) this.rows[table] = (this.rows[table] ?? 0) + 1;
      this.depth += 1;
    } else if (octet === CLOSE) this.depth -= 1;
    else if (octet === SEMICOLON && this.depth === 0) {
      this.table = undefined;
      this.head = '';
      this.atLineStart = false;
    }
  }
}
