// A case as a line for a test file: what was said in a run becomes its script. Pure.
import { turnsOf } from "./case_rows.js";
import { assertionOf, writtenSpec } from "./verdict_view.js";

const KEPT_FIELDS = ["agent", "user", "team", "locale", "options", "before", "after", "state", "runs", "min_pass"];

/** The test case that would hold this very conversation again. */
export function testCaseOf(row, run) {
  const rest = row.case ?? {};
  const lines = scriptOf(row, run, rest);
  return defined({
    id: row.id,
    name: row.name,
    description: row.description,
    tags: row.tags,
    metadata: row.metadata,
    ...Object.fromEntries(KEPT_FIELDS.map((name) => [name, rest[name]])),
    ...rulesOf(rest.rules ?? {}),
    ...conversationOf(row.history ?? [], lines, rest),
    expected: row.expected,
    assert: listed(rest.assertions?.map(writtenSpec) ?? run.assertions?.map(assertionOf)),
    final_assertions: listed(rest.final_assertions?.map(writtenSpec) ?? run.final_assertions?.map(assertionOf)),
    checkpoints: rest.checkpoints?.map(asWritten) ?? listed(run.checkpoints?.map(asTold)),
    simulator: turnsOf(run).some((turn) => turn.input_source === "simulator") ? undefined : rest.simulator,
    hooks: rest.hooks?.map(({ cmd, timeout_s }) => defined({ cmd, timeout_ms: timeout_s && timeout_s * 1000 })),
    tools: rest.frontend_tools,
  });
}

/** Whether the row has all of it: of a case that nobody began, the file of results has the first turn only. */
export function holdsTestCase(row, run) {
  return !row.case?.not_reached || turnsOf(run).some((turn) => turn.skip_reason === undefined);
}

function asWritten(checkpoint) {
  return { ...checkpoint, assertions: checkpoint.assertions.map(writtenSpec) };
}

/** A checkpoint of which the row shows everything. */
function asTold({ id, description, required, assertions = [] }) {
  return defined({ id, description, required: required === false ? false : undefined, assertions: assertions.map(assertionOf) });
}

/** The lines as they were said; of a run that said none, those its author wrote. */
function scriptOf(row, run, rest) {
  const said = turnsOf(run).filter((turn) => turn.skip_reason === undefined);
  if (said.length) {
    return said.map((turn) =>
      defined({
        input: lineOf(turn.input, turn.speaker),
        assertions: listed(turn.checks?.map(writtenSpec) ?? turn.assertions?.map(assertionOf)),
        options: turn.options,
        resume: turn.resume,
      }),
    );
  }
  const written = rest.turns ?? (row.input === undefined ? [] : [{ content: row.input }]);
  return written.map((turn) =>
    defined({
      input: lineOf(turn.content, turn.name),
      attachments: turn.attachments,
      assertions: listed(turn.assertions?.map(writtenSpec)),
      options: turn.options,
      resume: turn.resume,
    }),
  );
}

function conversationOf(history, lines, rest) {
  const plain = lines.length === 1 && !rest.rules?.multi_turn && Object.keys(lines[0]).join() === "input";
  if (!plain) return { messages: listed(history), turns: listed(lines) };
  const [{ input }] = lines;
  const message = input.role ? input : { role: "user", content: input };
  if (history.length) return { messages: [...history, message] };
  return { input: typeof input === "string" ? input : message };
}

/** What a user says; as a message where it must be known which one. */
function lineOf(content, name) {
  return name ? { role: "user", content, name } : content;
}

function rulesOf({ single_turn, max_turns, timeout_s, on_missing_input, stop_on_failure }) {
  return {
    type: single_turn ? "single_turn" : undefined,
    max_turns,
    timeout: timeout_s && `${timeout_s}s`,
    on_missing_input,
    stop_on_failure,
  };
}

function listed(values) {
  return values?.length ? values : undefined;
}

function defined(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
