// Why a run of a case did not pass: one reason a line, each with the turn it belongs to. Pure.
import { turnsOf } from "./case_rows.js";

/** [{turn, reason}] of every check that did not hold; `turn` is null for a check of the whole conversation. */
export function reasonsOf(run) {
  const found = [];
  for (const turn of turnsOf(run)) {
    for (const verdict of turn.assertions ?? []) if (didNotHold(verdict)) found.push({ turn: turn.turn, reason: verdict.reason });
    if (turn.error && !found.some((one) => one.turn === turn.turn)) found.push({ turn: turn.turn, reason: turn.error });
  }
  for (const verdict of [...(run.assertions ?? []), ...(run.final_assertions ?? [])])
    if (didNotHold(verdict)) found.push({ turn: callOf(verdict)?.turn ?? null, reason: verdict.reason });
  return found.filter((one) => one.reason);
}

function didNotHold(verdict) {
  return !verdict.passed && verdict.outcome !== "skipped";
}

/** The call that a check is about: the one nearest to what was wanted, or the one that should not have been made. */
function callOf(verdict) {
  return verdict.details?.nearest ?? verdict.details?.wrong_call;
}

/** What the error says beyond these reasons: empty where it only joins them. */
export function restOfError(error, reasons) {
  let rest = error;
  for (const { turn, reason } of [...reasons].sort((left, right) => right.reason.length - left.reason.length))
    for (const said of [`turn ${turn}: ${reason}`, reason]) rest = rest.split(said).join("");
  return /^[;:\s]*$/.test(rest) ? "" : rest.replace(/[;\s]*$/, "").replace(/(; )+/g, "; ");
}

/** The calls that differ from what a check wanted: [{turn, name, args, diff}]. */
export function nearestCalls(run) {
  const verdicts = [...turnsOf(run).flatMap((turn) => turn.assertions ?? []), ...(run.assertions ?? []), ...(run.final_assertions ?? [])];
  return verdicts
    .filter((verdict) => didNotHold(verdict) && callOf(verdict) && verdict.details.diff?.length)
    .map((verdict) => ({ ...callOf(verdict), diff: verdict.details.diff }));
}

/** What differs in this call, by the name of the argument; empty for a call that no check complains of. */
export function differencesIn(call, turn, nearest) {
  const same = nearest.find(
    (one) => one.name === call.name && (one.turn ?? turn) === turn && JSON.stringify(one.args) === JSON.stringify(call.args),
  );
  return new Map((same?.diff ?? []).map((part) => [/^[^.[\]]*/.exec(part.path ?? "")[0], part]));
}
