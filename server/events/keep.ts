/** Keeping lists of a snapshot current. Pure: clients run it too. */

/** The list with the item in place of the one of the same key, or at its end. */
export const withItem = <Item>(list: readonly Item[], item: Item, keyOf: (item: Item) => unknown): Item[] =>
  list.some((one) => keyOf(one) === keyOf(item))
    ? list.map((one) => (keyOf(one) === keyOf(item) ? item : one))
    : [...list, item]
