import { actorText, parseActor, type Actor } from '../../../domain/access/actor';
import { storedIn, varchar, type Column } from '../database/columns';

/** As `actorText` writes it. */
export function actor(): Column<string, Actor> {
  return storedIn(varchar(60), { read: parseActor, write: actorText });
}
