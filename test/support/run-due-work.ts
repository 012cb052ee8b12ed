/** All that is due now. Twice, because the first may be a run of the worker in this process that began before. */
export async function runDueWork(loop: { run(): Promise<void> }): Promise<void> {
  await loop.run();
  await loop.run();
}
