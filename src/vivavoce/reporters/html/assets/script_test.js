// A script test: a list of checks, no conversation. Pure.

/** The record of a script test, or null for a conversation. */
export function scriptTest(run) {
  const judged = (run.assertions ?? []).some((verdict) => verdict.type === "script_test");
  const record = run.output ?? run.turns?.at(-1)?.output;
  return judged && record && typeof record === "object" && !Array.isArray(record) ? record : null;
}

/** Each check of the test as a verdict; a test that raised or was skipped keeps the verdict on the whole. */
export function scriptChecks(run) {
  const checks = (scriptTest(run)?.checks ?? []).map(({ check, outcome, reason, line }) => ({
    type: check,
    // Of a check that held, the reason is what the test calls it.
    ...(reason && outcome === "passed" && { name: reason }),
    ...(line && { line: `line ${line}` }),
    outcome,
    passed: outcome === "passed",
    ...(reason && outcome !== "passed" && { reason }),
  }));
  const failed = checks.some((check) => !check.passed && check.outcome !== "skipped");
  const whole = failed ? [] : (run.assertions ?? []).filter((verdict) => !verdict.passed);
  return [...checks, ...whole.map(({ outcome, reason }) => ({ type: "test", outcome, passed: false, reason }))];
}
