import { ROOT } from './record-name';
import type { RecordType } from './types/record-types';

/** How many records of a type a name has. */
export interface RecordSetSize {
  /** Relative to the zone; `@` for the apex. */
  readonly name: string;
  readonly type: RecordType;
  readonly records: number;
}

export interface NameNode {
  readonly name: string;
  /** Of the name itself; none if only names below it have records. */
  readonly sets: readonly Pick<RecordSetSize, 'type' | 'records'>[];
  readonly children: readonly NameNode[];
  /** Names with records at or below it. */
  readonly names: number;
}

interface Draft {
  readonly sets: RecordSetSize[];
  readonly children: Map<string, Draft>;
}

/** Collects the names of a zone, and then builds the tree of them. */
export class NameTree {
  private readonly root: Draft = { sets: [], children: new Map() };

  add(set: RecordSetSize): void {
    let node = this.root;
    if (set.name !== ROOT)
      for (const label of set.name.split('.').toReversed()) {
        const child = node.children.get(label) ?? { sets: [], children: new Map() };
        node.children.set(label, child);
        node = child;
      }
    node.sets.push(set);
  }

  /** The node at a name, with all below it. Undefined if the zone has nothing there. */
  at(name: string): NameNode | undefined {
    let node: Draft | undefined = this.root;
    if (name !== ROOT) for (const label of name.split('.').toReversed()) node = node?.children.get(label);
    return node && toNode(name, node);
  }
}

function toNode(name: string, { sets, children }: Draft): NameNode {
  const nodes = [...children]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, child]) => toNode(name === ROOT ? label : `${label}.${name}`, child));
  const names = nodes.reduce((sum, node) => sum + node.names, sets.length > 0 ? 1 : 0);
  return { name, sets: sets.map(({ type, records }) => ({ type, records })), children: nodes, names };
}
