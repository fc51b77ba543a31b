// What changed between two lists of lines (or words). Pure.

const MOST_COMPARISONS = 4_000_000;

/** Steps [kind, text] from one list to the other; kind is "same", "gone" or "new". */
export function changes(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  return [
    ...before.slice(0, start).map((line) => ["same", line]),
    ...changedMiddle(before.slice(start, endBefore), after.slice(start, endAfter)),
    ...before.slice(endBefore).map((line) => ["same", line]),
  ];
}

function changedMiddle(before, after) {
  // Beyond this a comparison would hang the page: then everything is gone and everything is new.
  if (before.length * after.length > MOST_COMPARISONS) return replaced(before, after);
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const steps = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      steps.push(["same", before[row]]);
      row += 1;
      column += 1;
    } else if (common[(row + 1) * width + column] >= common[row * width + column + 1]) {
      steps.push(["gone", before[row]]);
      row += 1;
    } else {
      steps.push(["new", after[column]]);
      column += 1;
    }
  }
  return [...steps, ...replaced(before.slice(row), after.slice(column))];
}

function replaced(before, after) {
  return [...before.map((line) => ["gone", line]), ...after.map((line) => ["new", line])];
}

/** For each pair of positions, the length of the longest common subsequence of what follows. */
function commonLengths(before, after) {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  }
  return lengths;
}
