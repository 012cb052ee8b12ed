import type { Page } from 'playwright-core';

/** What a screen reader announces, and where it is drawn. */
export interface ReadElement {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const ROLES = new Set(['heading', 'link', 'button', 'checkbox', 'combobox', 'searchbox', 'textbox']);

/** Headings and controls of the accessibility tree, in its order, without those that are not drawn. */
export async function readingOrder(page: Page): Promise<readonly ReadElement[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const found: ReadElement[] = [];
  const visit = async (id: string): Promise<void> => {
    const node = byId.get(id);
    if (!node) return;
    const { role, name, backendDOMNodeId: backendNodeId, ignored, childIds = [] } = node;
    if (!ignored && backendNodeId !== undefined && ROLES.has(String(role?.value))) {
      const box = await session.send('DOM.getBoxModel', { backendNodeId }).catch(() => undefined);
      const [left = 0, top = 0, , , right = 0, bottom = 0] = box?.model.border ?? [];
      if (right - left > 1 && bottom - top > 1)
        found.push({ text: `${role?.value} ${name?.value}`, left, top, right, bottom });
    }
    for (const child of childIds) await visit(child);
  };
  await visit(nodes[0]?.nodeId ?? '');
  await session.detach();
  return found;
}

/** What is drawn above, and in the same column as, something that is read before it. */
export function outOfOrder(elements: readonly ReadElement[]): readonly string[] {
  return elements.flatMap((later, index) =>
    elements
      .slice(0, index)
      .filter((earlier) => later.bottom <= earlier.top && later.left < earlier.right && earlier.left < later.right)
      .map((earlier) => `${later.text} is above ${earlier.text}`),
  );
}
