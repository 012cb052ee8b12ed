import { deflateRawSync, gzipSync } from 'node:zlib';
import { MAX_FILES, MAX_FILES_BYTES, unpackFiles } from '../../../../src/application/portfolio/zone-files/read-archive';

type Entry = readonly [fileName: string, text: string];

/** A ZIP archive, whose check sums are zero, because nothing reads them. */
function zipOf(entries: readonly Entry[], method: 0 | 8 = 8): Buffer {
  const [locals, directory]: Buffer[][] = [[], []];
  let offset = 0;
  for (const [fileName, text] of entries) {
    const [name, packed] = [Buffer.from(fileName), method === 8 ? deflateRawSync(text) : Buffer.from(text)];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04_03_4b_50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02_01_4b_50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals?.push(local, name, packed);
    directory?.push(entry, name);
    offset += local.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...(locals ?? []), ...(directory ?? []), end]);
}

/** A tar archive as POSIX has it. */
function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(([fileName, text]) => {
    const head = Buffer.alloc(512);
    head.write(fileName, 0);
    head.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124);
    head.write(fileName.endsWith('/') ? '5' : '0', 156);
    head.write('7573746172', 257, 'hex');
    return [head, Buffer.concat([Buffer.from(text)], Math.ceil(Buffer.byteLength(text) / 512) * 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

const ENTRIES: readonly Entry[] = [
  ['zones/', ''],
  ['zones/one.com.zone', '@ A 192.0.2.1\n'],
  ['zones/.hidden', 'x'],
  ['two.com.zone', `${'; padding\n'.repeat(100)}@ A 192.0.2.2\n`],
];
const unpacked = async (fileName: string, bytes: Buffer) =>
  (await unpackFiles([{ fileName, bytes }])).map((file) => [file.fileName, file.bytes.toString()]);

describe('uploaded files', () => {
  it.each([
    ['a ZIP archive', 'a.zip', zipOf(ENTRIES)],
    ['a ZIP archive without compression', 'a.zip', zipOf(ENTRIES, 0)],
    ['a tar archive', 'a.tar', tarOf(ENTRIES)],
    ['a gzipped tar archive', 'a.tgz', gzipSync(tarOf(ENTRIES))],
  ])('have those of %s in its place, without folders and hidden files', async (_what, fileName, bytes) => {
    expect(await unpacked(fileName, bytes)).toEqual([ENTRIES[1], ENTRIES[3]]);
  });

  it('stay as they are if they are no archives, and are gunzipped', async () => {
    expect(await unpacked('one.com.zone', Buffer.from('@ A 192.0.2.1'))).toEqual([['one.com.zone', '@ A 192.0.2.1']]);
    expect(await unpacked('one.com.zone.gz', gzipSync('@ A 192.0.2.1'))).toEqual([['one.com.zone', '@ A 192.0.2.1']]);
  });

  const bomb = '0'.repeat(MAX_FILES_BYTES + 1);
  it.each([
    ['a long file', Buffer.from(bomb)],
    ['a file that is long when it is gunzipped', gzipSync(bomb)],
    ['a ZIP archive that is long when it is unpacked', zipOf([['a', bomb]])],
    ['a tar archive that is long', gzipSync(tarOf([['a', bomb]]))],
    ['a ZIP archive of too many files', zipOf(Array.from({ length: MAX_FILES * 2 + 1 }, (_, i) => [`f${i}`, 'x']))],
    ['a tar archive of too many files', tarOf(Array.from({ length: MAX_FILES + 1 }, (_, i) => [`f${i}`, 'x']))],
    ['a ZIP archive that is cut off', zipOf(ENTRIES).subarray(0, 60)],
    ['a gzipped file that is cut off', gzipSync(bomb).subarray(0, 60)],
    ['a tar archive that is cut off', tarOf(ENTRIES).subarray(0, 1_030)],
  ])('are refused if they are %s', async (_what, bytes) => {
    await expect(unpackFiles([{ fileName: 'a', bytes }])).rejects.toMatchObject({ issues: [{ path: 'files' }] });
  });
});
