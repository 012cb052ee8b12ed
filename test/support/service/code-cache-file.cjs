const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '../../..');
const FOLDER = path.join(ROOT, 'node_modules/.cache/namewright-code');

/** The file with the compiled modules of a program. */
const cacheFile = (program) => path.join(FOLDER, path.relative(ROOT, path.resolve(program)).replaceAll(path.sep, '-'));

/** Changes with the version of Node, an installation and a build of the program. */
function versionOf(program) {
  const [folder] = path.relative(ROOT, path.resolve(program)).split(path.sep);
  const stamps = [path.join(folder, '.tsbuildinfo'), 'node_modules/.package-lock.json'].map((name) => {
    const { mtimeMs, size } = fs.statSync(path.join(ROOT, name), { throwIfNoEntry: false }) ?? {};
    return [mtimeMs, size];
  });
  return JSON.stringify([process.version, process.arch, ROOT, stamps]);
}

/** Version and length of the head, in the first line of a cache file. */
const MAX_FIRST_LINE = 1_024;

function isUpToDate(program) {
  const line = Buffer.alloc(MAX_FIRST_LINE);
  try {
    const file = fs.openSync(cacheFile(program), 'r');
    fs.readSync(file, line);
    fs.closeSync(file);
  } catch {
    return false;
  }
  return JSON.parse(line.toString('utf8', 0, line.indexOf('\n'))).version === versionOf(program);
}

module.exports = { ROOT, cacheFile, versionOf, isUpToDate };
