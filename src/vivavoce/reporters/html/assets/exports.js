// The listed cases as files for other programs.
import { readRow, runsOf, turnsOf, answerOf } from "./case_rows.js";
import { download } from "./download.js";

const CSV_COLUMNS = [
  "id",
  "name",
  "status",
  "fault",
  "duration_ms",
  "turns",
  "pass_rate",
  "runs",
  "tags",
  "tools",
  "file",
  "line",
  "error",
  "input",
  "output",
];

/** The rows as they are, word for word. */
export async function exportJson(source, positions) {
  const parts = [`{"start":${JSON.stringify(source.start)},"summary":${JSON.stringify(source.summary)},"results":[`];
  for (const at of positions) parts.push(parts.length > 1 ? ",\n" : "\n", await source.rowText(at));
  parts.push("\n]}\n");
  download(fileName(source, "json"), "application/json", parts);
}

export async function exportCsv(source, positions) {
  const lines = [CSV_COLUMNS.join(",")];
  for (const at of positions) {
    const fields = { ...source.heads[at], ...wordsOfCase(readRow(await source.rowText(at))) };
    lines.push(CSV_COLUMNS.map((name) => csvCell(fields[name])).join(","));
  }
  download(fileName(source, "csv"), "text/csv", ["\ufeff", lines.join("\r\n"), "\r\n"]);
}

function wordsOfCase(row) {
  const runs = runsOf(row);
  const run = runs.find((one) => one.status === row.status) ?? runs[0];
  const turns = turnsOf(run);
  const last = turns.length ? answerOf(turns.at(-1)) : { texts: [] };
  return {
    runs: row.runs,
    error: run.error ?? run.skip_reason,
    input: turns[0]?.input ?? row.input,
    output: last.data ?? last.texts.at(-1),
  };
}

function csvCell(value) {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : isListOfWords(value) ? value.join(" ") : JSON.stringify(value);
  // A cell that begins like a formula would be run by spreadsheets.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isListOfWords(value) {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

function fileName({ start }, suffix) {
  const words = `viva-${start.agent_id}-${start.run_id}`.replace(/[^\w.-]+/g, "-");
  return `${words.slice(0, 100)}.${suffix}`;
}
