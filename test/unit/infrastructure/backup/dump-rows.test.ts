import { DumpRows } from '../../../../src/infrastructure/backup/dump-rows';
import { explainFailedDump } from '../../../../src/infrastructure/backup/mysql-backup';

const DUMP = [
  '-- INSERT INTO `comments` VALUES (1);',
  'CREATE TABLE `a` (',
  '  `id` int(11) NOT NULL',
  ');',
  'INSERT INTO `a` VALUES',
  "(1,'a),(b\\nc'),",
  "(2,'x\\'; INSERT INTO `b` VALUES (1)');",
  "INSERT INTO `b` VALUES (1,'one (line)'),(2,'\\\\'),(3,NULL);",
  'INSERT INTO `b` VALUES (4,0x28);',
  '/*!40000 ALTER TABLE `b` ENABLE KEYS */;',
  '',
].join('\n');

describe('the rows of a dump', () => {
  it.each([1, 7, 10_000])('are counted per table, whatever texts hold, in pieces of %d octets', (size) => {
    const counter = new DumpRows();
    const dump = Buffer.from(DUMP);

    for (let at = 0; at < dump.length; at += size) counter.add(dump.subarray(at, at + size));

    expect(counter.rows).toEqual({ a: 2, b: 4 });
  });
});

describe('a dump that fails', () => {
  it('names the migration that changed a table meanwhile, and keeps other errors', () => {
    const changed = new Error(
      'mariadb-dump failed (3): Error 1412: Table definition has changed, please retry transaction when dumping table `zones` at row: 0',
    );
    const gone = new Error('mariadb-dump failed (2): Got error: 2013');

    expect(explainFailedDump(changed)).toMatchObject({
      message: expect.stringContaining('back up again'),
      cause: changed,
    });
    expect(explainFailedDump(gone)).toBe(gone);
  });
});
