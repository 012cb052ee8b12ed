import type { Driver, ObjectLiteral } from 'typeorm';

/** Wrapped, a number is bound like a text. */
class BoundNumber {
  constructor(readonly value: number) {}
}

/**
 * On SQLite, TypeORM writes numbers into the text of a statement. Almost every write has a time, so each would be another
 * statement to prepare, and the writer's thread would keep hundreds of them.
 */
export function bindNumbers(driver: Driver): void {
  const escape = driver.escapeQueryWithParameters.bind(driver);
  driver.escapeQueryWithParameters = (sql, parameters) => {
    const wrapped = Object.entries(parameters).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? new BoundNumber(value) : value,
    ]);
    const [text, bound] = escape(sql, Object.fromEntries(wrapped) as ObjectLiteral);
    return [text, bound.map((value: unknown) => (value instanceof BoundNumber ? value.value : value))];
  };
}
