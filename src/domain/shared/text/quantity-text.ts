/** “1 year”, “2 years”. @param noun in the singular, with a plural in “s” */
export function quantityText(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
