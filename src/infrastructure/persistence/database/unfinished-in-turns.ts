/** A query for unfinished jobs, with one parameter, how many: the oldest of each group, then the second of each, and so on. */
export function unfinishedInTurns(table: string, columns: string, group: string): string {
  const places = `SELECT id AS job_id, ROW_NUMBER() OVER (PARTITION BY ${group} ORDER BY created_at, id) AS place FROM ${table} WHERE finished_at IS NULL`;
  return `SELECT ${columns} FROM ${table} JOIN (${places}) p ON p.job_id = id ORDER BY p.place, created_at, id LIMIT ?`;
}
