import { closeSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf } from '../../../../src/infrastructure/backup/binary-logs';
import { openUnnamedFile } from '../../../../src/infrastructure/backup/private-files';

describe('the lines of a file', () => {
  it('are its octets with their ends, from the start each time', async () => {
    const long = 'x'.repeat(200_000);
    const file = await openUnnamedFile(`one\n\n${long}\nlast`);
    const read = async () => {
      const lines: string[] = [];
      for await (const line of linesOf(file)) lines.push(line.toString());
      return lines;
    };

    expect(await read()).toEqual(['one\n', '\n', `${long}\n`, 'last']);
    expect((await read()).length).toBe(4);
    await file.close();
  });

  it('can be left early: nothing that is opened afterwards is closed', async () => {
    const file = await openUnnamedFile('one\ntwo\n');
    expect((await linesOf(file).next()).value?.toString()).toBe('one\n');
    for await (const line of linesOf(file)) if (line.length > 0) break;
    await file.close();

    const other = openSync(__filename, 'r');
    await sleep(20);

    expect(fstatSync(other).isFile()).toBe(true);
    closeSync(other);
  });
});
