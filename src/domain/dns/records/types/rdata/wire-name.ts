const POINTER = 0xc0;
const MAX_OCTETS = 255;

/**
 * Reads a domain name from a message (RFC 1035, section 4.1.4) in lower case, without trailing dot, empty for the root.
 * Dots, backslashes, @ and octets that are not printable ASCII are escaped within a label (RFC 1035, section 5.1).
 * @throws RangeError if the name is malformed
 */
export function readName(bytes: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let octets = 1;
  let end: number | undefined;
  for (let at = start; ;) {
    const length = bytes[at];
    if (length === undefined) throw new RangeError('A name is cut off');
    if (length === 0) return { name: labels.join('.'), end: end ?? at + 1 };
    if ((length & POINTER) === POINTER) {
      if (at + 2 > bytes.length) throw new RangeError('A name is cut off');
      const target = bytes.readUInt16BE(at) & 0x3fff;
      if (target >= at) throw new RangeError('A compression pointer points forward');
      end ??= at + 2;
      at = target;
      octets += 1;
    } else {
      if ((length & POINTER) !== 0 || at + 1 + length > bytes.length) throw new RangeError('A label is too long');
      labels.push(escapeLabel(inLowerCase(bytes.toString('latin1', at + 1, at + 1 + length))));
      octets += length + 1;
      at += length + 1;
    }
    if (octets > MAX_OCTETS) throw new RangeError('A name is too long');
  }
}

/** The offset after a name, whose labels are not read: what a compression pointer refers to is not validated. */
export function endOfName(bytes: Buffer, start: number): number {
  for (let at = start; ;) {
    const length = bytes[at];
    if (length === undefined) throw new RangeError('A name is cut off');
    if (length === 0) return at + 1;
    if (length >= POINTER) return at + 2;
    at += length + 1;
  }
}

/** Only ASCII letters: RFC 4343, section 3. */
function inLowerCase(label: string): string {
  return label.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function escapeLabel(label: string): string {
  if (/^[\w-]*$/.test(label)) return label;
  return label
    .replace(/[.\\@]/g, '\\$&')
    .replace(/[^!-~]/g, (octet) => `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`);
}

/**
 * Encodes a name, as `readName` returns it, in lower case without compression, the canonical form of RFC 8945, section 4.3.3.
 */
export function writeName(name: string): Buffer {
  return name.includes('\\') ? writeEscaped(name) : writePlain(name.toLowerCase());
}

/** Each dot becomes the length of the label after it. */
function writePlain(name: string): Buffer {
  if (name === '') return Buffer.from([0]);
  const octets = Buffer.allocUnsafe(name.length + 2);
  octets.write(name, 1, 'latin1');
  for (let start = 0; start <= name.length;) {
    const dot = name.indexOf('.', start);
    const end = dot === -1 ? name.length : dot;
    octets[start] = end - start;
    start = end + 1;
  }
  octets[name.length + 1] = 0;
  return octets;
}

function writeEscaped(name: string): Buffer {
  const labels = labelsOf(name.toLowerCase()).map((label) => Buffer.from(label, 'latin1'));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);
}

function labelsOf(name: string): readonly string[] {
  return (name.match(/(?:\\\d{3}|\\.|[^.\\])+/g) ?? []).map((label) =>
    label.replace(/\\(?:(\d{3})|(.))/g, (_escape, code?: string, plain = '') =>
      code === undefined ? plain : String.fromCharCode(Number(code)),
    ),
  );
}
