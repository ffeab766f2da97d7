/** The box that an event comes from; undefined for any other element, such as an entry of a menu. */
export function nodeOf(target: EventTarget): HTMLElement | undefined {
  return target instanceof HTMLElement && target.dataset["node"] !== undefined ? target : undefined;
}

/** The box with a key, within the element that holds the graph. */
export function nodeAt(graph: HTMLElement, key: string): HTMLElement | undefined {
  return nodesIn(graph).find((node) => node.dataset["node"] === key);
}

/** The box to which a key leads: left and right in reading order, up and down to the nearest one as it is drawn. */
export function nodeFrom(graph: HTMLElement, from: HTMLElement, key: string): HTMLElement | undefined {
  const nodes = nodesIn(graph);
  const index = nodes.indexOf(from);
  switch (key) {
    case "ArrowLeft":
      return nodes[Math.max(index - 1, 0)];
    case "ArrowRight":
      return nodes[Math.min(index + 1, nodes.length - 1)];
    case "ArrowUp":
      return (
        nearest(
          from,
          nodes.filter((node) => isAbove(node, from)),
        ) ?? from
      );
    case "ArrowDown":
      return (
        nearest(
          from,
          nodes.filter((node) => isAbove(from, node)),
        ) ?? from
      );
    case "Home":
      return nodes[0];
    case "End":
      return nodes.at(-1);
    default:
      return undefined;
  }
}

function nodesIn(graph: HTMLElement): readonly HTMLElement[] {
  return [...graph.querySelectorAll<HTMLElement>("[data-node]")];
}

/** Borders may touch. */
function isAbove(node: HTMLElement, other: HTMLElement): boolean {
  return node.getBoundingClientRect().bottom <= other.getBoundingClientRect().top + 1;
}

function nearest(from: HTMLElement, nodes: readonly HTMLElement[]): HTMLElement | undefined {
  const own = from.getBoundingClientRect();
  const distance = (node: HTMLElement) => {
    const { top, left } = node.getBoundingClientRect();
    // The next row counts first, then what is nearest in it.
    return Math.abs(top - own.top) * 1_000 + Math.abs(left - own.left);
  };
  return nodes.toSorted((a, b) => distance(a) - distance(b))[0];
}
