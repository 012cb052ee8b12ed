import type { WriteStream } from 'node:tty';

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Color = keyof typeof CODES;
export type Paint = (color: Color, text: string) => string;

/** Colors for a terminal; none for a file, a pipe or with NO_COLOR. */
export function paintFor(stream: NodeJS.WritableStream, env: NodeJS.ProcessEnv): Paint {
  const terminal = stream as Partial<WriteStream>;
  if (terminal.isTTY !== true || terminal.hasColors?.(env) !== true) return (_color, text) => text;
  return (color, text) => `\x1b[${CODES[color][0]}m${text}\x1b[${CODES[color][1]}m`;
}
