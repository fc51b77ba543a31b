// Reading the rows of a result file. Pure.

const SEARCHED_FIELDS = [
  ...[
    "name",
    "description",
    "tags",
    "file",
    "metadata",
    "history",
    "error",
    "skip_reason",
    "warnings",
    "retries",
    "logs",
  ],
  ...[
    "input",
    "speaker",
    "note",
    "output",
    "response",
    "texts",
    "exchange_error",
    "violations",
    "tool_calls",
    "late_results",
    "trace",
    "state",
  ],
  ...["assertions", "final_assertions", "checkpoints"],
];
const UNSAFE_NUMBER = /\d{16}/;

/** Gives each head a key for links: its id, or where several files use the id, `file::id`. */
export function withKeys(heads) {
  const times = new Map();
  for (const { id } of heads) times.set(id, (times.get(id) ?? 0) + 1);
  return heads.map((head) => ({ ...head, key: times.get(head.id) === 1 ? head.id : `${head.file ?? ""}::${head.id}` }));
}

/** Keeps whole numbers that JavaScript would round: as a JSON.parse reviver. */
function exactly(_key, value, context) {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(context?.source ?? "") && JSON.rawJSON ? JSON.rawJSON(context.source) : value;
}

export function readRow(text) {
  return UNSAFE_NUMBER.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

/** Every run of a case; a case that ran once is its own. */
export function runsOf(row) {
  return row.run_details ?? [row];
}

/** Every turn of a run. A conversation of one plain turn stands flat in its row. */
export function turnsOf(run) {
  if (run.turns) return run.turns;
  if (!run.total_turns) return [];
  const ms = (run.turn_end_ts ?? 0) - (run.turn_start_ts ?? 0);
  const { error: _error, warnings: _warnings, logs: _logs, ...turn } = run;
  return [{ ...turn, turn: 1, duration_ms: ms, assertions: [] }];
}

/** What the agent said in a turn: its texts in order, then its structured answer if there was one. */
export function answerOf(turn) {
  const final = turn.response ?? (typeof turn.output === "string" ? turn.output : "");
  const texts = turn.texts?.length ? turn.texts : final ? [final] : [];
  const saysMore = turn.structured || (turn.output !== final && turn.output !== "");
  return { texts, data: saysMore ? turn.output : undefined };
}

/** All the words of a case in lower case, those of its conversation included. */
export function everyWordOf(head, row) {
  const words = [head.id];
  for (const part of [row, ...(row.run_details ?? [])]) {
    for (const place of [part, ...(part.turns ?? [])]) {
      for (const field of SEARCHED_FIELDS) collect(place[field], words);
    }
  }
  return words.join("\n").toLowerCase();
}

function collect(value, words) {
  if (typeof value === "string") words.push(value);
  else if (typeof value === "number") words.push(String(value));
  else if (Array.isArray(value)) for (const inner of value) collect(inner, words);
  else if (JSON.isRawJSON?.(value)) words.push(value.rawJSON);
  else if (value !== null && typeof value === "object") for (const name in value) collect(value[name], words);
}
