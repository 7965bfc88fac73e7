// Makes elements node by node: nothing that comes over the wire is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (`null` and `false` leave one out, `onclick` listens) and children (text or nodes; none is left out). */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Gives an element these children. What is the same stays the same node, so that a click half done, the focus and an
 * animation go on; a focus whose node goes moves to the new one with the same data-key, or else to the hand.
 */
export function replace(parent, ...children) {
  const focusedKey = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const old = [...parent.childNodes];
  const wanted = children.filter(Boolean).map((child) => {
    const index = old.findIndex((node) => node.isEqualNode(child));
    if (index < 0) return child;
    const [same] = old.splice(index, 1);
    same.onclick = child.onclick;
    return same;
  });
  for (const node of old) node.remove();
  wanted.forEach((node, index) => {
    const present = parent.childNodes[index];
    if (present !== node) parent.insertBefore(node, present ?? null);
  });
  if (focusedKey !== undefined && !parent.contains(document.activeElement)) {
    const again = wanted.find((node) => node.dataset?.key === focusedKey && !node.disabled);
    (again ?? byId("hand")).focus({ preventScroll: true });
  }
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick") node.onclick = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter(Boolean));
  return node;
}
