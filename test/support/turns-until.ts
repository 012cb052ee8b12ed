/** How many turns the event loop makes until `outcome` is there. */
export async function turnsUntil(outcome: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  await outcome;
  clearImmediate(next);
  return turns;
}
