// Refuses the words and phrases of .cspell/forbidden.txt in all tracked text, and long lines in Markdown; cspell checks the
// spelling of the rest.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LIST = '.cspell/forbidden.txt';
const LONGEST_LINE = 200;
const CHECKED = /^(?:src|test|docs|bench|scripts|public|examples|clients|\.ci)\/|^[^/]+\.(?:md|ts)$|^\.env\.example$/;
// Among them generated clients, and Java, whose library has names of its kind.
const IGNORED = /^test\/fixtures\/|\.(?:png|svg|sql|gz|java)$|^clients\/.*\/api\.(?:go|php|py)$/;

const rules = readFileSync(LIST, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .map(([words, instead]) => ({ pattern: new RegExp(`(?<![A-Za-z])(?:${words})(?![A-Za-z])`, 'i'), instead }));
const any = new RegExp(rules.map(({ pattern }) => pattern.source).join('|'), 'i');

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => CHECKED.test(file) && !IGNORED.test(file));
let count = 0;
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (file.endsWith('.md') && line.length > LONGEST_LINE) {
      count += 1;
      process.stderr.write(`${file}:${index + 1}: ${line.length} characters: write at most ${LONGEST_LINE}\n`);
    }
    if (!any.test(line)) continue;
    for (const { pattern, instead } of rules) {
      const [found] = pattern.exec(line) ?? [];
      if (found === undefined) continue;
      count += 1;
      process.stderr.write(`${file}:${index + 1}: "${found}": write ${instead}\n`);
    }
  }
}
if (count > 0) process.stderr.write(`${count} findings (words and phrases: ${LIST})\n`);
process.exitCode = count === 0 ? 0 : 1;
