// The results of a part: `{ claim, measured, aim, met }`, all text but `met`.

export function atLeast(claim, ratio, aim) {
  return { claim, measured: ratio.toFixed(2), aim: `≥ ${aim}`, met: ratio >= aim };
}

export function atMost(claim, value, aim, unit = '') {
  return { claim, measured: `${value.toFixed(2)}${unit}`, aim: `≤ ${aim}${unit}`, met: value <= aim };
}

export function printLine(text) {
  process.stdout.write(`  ${text}\n`);
}

export function printSummary(results) {
  const width = Math.max(...results.map(({ claim }) => claim.length));
  process.stdout.write('\nclaim, measured, aim\n');
  for (const { claim, measured, aim, met } of results)
    printLine(`${claim.padEnd(width)}  ${measured.padStart(10)}  ${aim.padStart(10)}  ${met ? 'met' : 'MISSED'}`);
}
