// Updates code in the documentation: blocks "```ts FILE" in docs/adding-a-registrar.md, which are matched by their text
// without white space, and whole files after "<!-- the whole of FILE -->".
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const squashed = (code) => code.replaceAll(/[\s,]/g, '');

function locate(source, code) {
  const lines = source.split('\n');
  const wanted = squashed(code);
  for (let first = 0; first < lines.length; first += 1) {
    let found = '';
    for (let last = first; last < lines.length && found.length < wanted.length; last += 1) {
      found += squashed(lines[last]);
      if (found === wanted && squashed(lines[first]) !== '') return lines.slice(first, last + 1).join('\n');
    }
  }
  return undefined;
}

const guide = 'docs/adding-a-registrar.md';
writeFileSync(
  guide,
  readFileSync(guide, 'utf8').replaceAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm, (block, file, code) => {
    const found = locate(readFileSync(join('examples/registrar', file), 'utf8'), code);
    if (found === undefined) throw new Error(`${guide}: a block of ${file} is not in that file`);
    return `\`\`\`ts ${file}\n${found}\n\`\`\``;
  }),
);

for (const page of ['docs/architecture.md', 'docs/api/webhooks.md'])
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replaceAll(
      /(<!-- the whole of (\S+) -->\n```\w+\n)[\s\S]*?```/g,
      (_, head, file) => `${head}${readFileSync(file, 'utf8')}\`\`\``,
    ),
  );
