import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';
import { MAX_BULK_ZONE_FILES } from '../../../domain/portfolio/bulk-job';
import { ValidationError } from '../../../domain/shared/validation-error';

/** A file as it was uploaded, or as an archive has it. */
export interface GivenFile {
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** What all files may have together, unpacked. */
export const MAX_FILES_BYTES = MAX_BULK_ZONE_FILES.octets;
export const MAX_FILES = MAX_BULK_ZONE_FILES.files;

const LOCAL_HEADER = 0x04_03_4b_50;
const DIRECTORY_ENTRY = 0x02_01_4b_50;
const END_OF_DIRECTORY = 0x06_05_4b_50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const GZIP_MAGIC = 0x1f_8b;
const TAR_BLOCK = 512;
/** “u”, “s”, “t”, “a”, “r”. */
const TAR_MAGIC = Buffer.from([0x75, 0x73, 0x74, 0x61, 0x72]);
const unpackGzip = promisify(gunzip);
const inflate = promisify(inflateRaw);

/**
 * The files, those of a ZIP archive or of a tar archive (POSIX), gzipped or not, in its place. Folders and hidden
 * files are left out. @throws ValidationError about `files` for too many or too long files, or a broken archive
 */
export async function unpackFiles(given: readonly GivenFile[]): Promise<readonly GivenFile[]> {
  const files: GivenFile[] = [];
  let left = MAX_FILES_BYTES;
  for (const file of given) {
    const unpacked = await unpackOne(file, left);
    for (const each of unpacked.filter(({ fileName }) => isVisible(fileName))) {
      files.push(each);
      left -= each.bytes.length;
    }
    if (left < 0) throw tooLong();
    if (files.length > MAX_FILES) throw ValidationError.of('files', `must be at most ${MAX_FILES} files`);
  }
  return files;
}

async function unpackOne({ fileName, bytes }: GivenFile, left: number): Promise<readonly GivenFile[]> {
  try {
    if (bytes.length >= 4 && bytes.readUInt32LE(0) === LOCAL_HEADER) return await unpackZip(bytes, left);
    const isGzip = bytes.length >= 2 && bytes.readUInt16BE(0) === GZIP_MAGIC;
    const plain = isGzip
      ? await unpackGzip(bytes, { maxOutputLength: Math.max(left, 1) + TAR_BLOCK * 4 * MAX_FILES })
      : bytes;
    if (isTar(plain)) return unpackTar(plain);
    return [{ fileName: isGzip ? fileName.replace(/\.gz$/i, '') : fileName, bytes: plain }];
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    if ((error as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong();
    throw new ValidationError([{ path: 'files', message: 'must be zone files, or an archive that is not broken' }], {
      cause: error,
    });
  }
}

function tooLong(): ValidationError {
  return ValidationError.of(
    'files',
    `must have at most ${MAX_FILES_BYTES / 1_048_576} MiB together. Import them in parts`,
  );
}

function isVisible(fileName: string): boolean {
  return fileName !== '' && !fileName.endsWith('/') && !/(^|\/)(\.|__MACOSX\/)/.test(fileName);
}

async function unpackZip(bytes: Buffer, most: number): Promise<readonly GivenFile[]> {
  const end = endOfDirectory(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_FILES * 2) throw ValidationError.of('files', `must be at most ${MAX_FILES} files`);
  const files: GivenFile[] = [];
  let [at, left] = [bytes.readUInt32LE(end + 16), most];
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('no entry of a directory');
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const nameEnd = at + 46 + (nameLength ?? 0);
    const fileName = bytes.toString('utf8', at + 46, nameEnd);
    const local = bytes.readUInt32LE(at + 42);
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0);
    if (!isVisible(fileName)) continue;
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(from, from + size);
    if (method !== 0 && method !== 8) throw new RangeError(`unknown method ${method}`);
    const unpacked = method === 0 ? packed : await inflate(packed, { maxOutputLength: Math.max(left, 1) });
    left -= unpacked.length;
    files.push({ fileName, bytes: unpacked });
  }
  return files;
}

/** @throws RangeError */
function endOfDirectory(bytes: Buffer): number {
  for (let at = bytes.length - END_LENGTH; at >= Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT); at -= 1)
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  throw new RangeError('no end of a directory');
}

function isTar(bytes: Buffer): boolean {
  return bytes.length >= TAR_BLOCK && bytes.subarray(257, 262).equals(TAR_MAGIC);
}

function unpackTar(bytes: Buffer): readonly GivenFile[] {
  const files: GivenFile[] = [];
  const textAt = (from: number, length: number): string =>
    bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  for (let at = 0; at + TAR_BLOCK <= bytes.length && bytes[at] !== 0;) {
    const size = Number.parseInt(textAt(at + 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || at + TAR_BLOCK + size > bytes.length)
      throw new RangeError('a file that is cut off');
    const [name, prefix] = [textAt(at, 100), textAt(at + 345, 155)];
    const isFile = ['0', ''].includes(textAt(at + 156, 1));
    if (isFile)
      files.push({
        fileName: prefix === '' ? name.replace(/^\.\//, '') : `${prefix}/${name}`,
        bytes: bytes.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size),
      });
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return files;
}
