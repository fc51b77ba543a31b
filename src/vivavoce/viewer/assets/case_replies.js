// The different last replies of a case, and how each differs from the most frequent one.
import { answerOf, readRow, runsOf, turnsOf } from "./case_rows.js";
import { diffView } from "./diff_view.js";
import { el, fold } from "./dom.js";
import { count, moment } from "./format.js";
import { askText } from "./http.js";
import { statusMark } from "./icons.js";
import { valueBlock } from "./value_view.js";
import { inline } from "./visible_text.js";

const OPEN_FIRST = 3;
const MOST_REPLIES = 20;

export function caseReplies(story) {
  const { replies } = story;
  if (!replies.length) return null;
  const read = repliesOf(story);
  const more = replies.length - MOST_REPLIES;
  return el(
    "section",
    { class: "card case-replies", "aria-label": "Replies" },
    el("h3", {}, replies.length === 1 ? "Its last reply, always the same" : `Its ${count(replies.length)} different last replies`),
    replies.slice(0, MOST_REPLIES).map((reply, at) =>
      fold(summaryOf(reply), () => bodyOf(replies, at, read), { class: "more reply", open: at < OPEN_FIRST }),
    ),
    more > 0 && el("p", { class: "chart-note" }, `and ${count(more)} more that came as often or less`),
  );
}

function summaryOf({ times, passed, last }) {
  const verdict = passed === times ? "passed" : passed ? "skipped" : "failed";
  const words = passed === times ? "always passed" : passed ? `${count(passed)} passed` : "never passed";
  return [
    statusMark(verdict, { silent: true }),
    el("span", {}, el("b", {}, count(times, "time")), ` · ${words} · last on ${moment(new Date(last).toISOString())}`),
  ];
}

function bodyOf(replies, at, read) {
  const place = el("div", { class: "reply-body" }, el("p", { class: "nothing" }, "Reading …"));
  fill(place, replies, at, read);
  return place;
}

async function fill(place, replies, at, read) {
  try {
    const said = await read(replies[at]);
    const usual = at > 0 ? await read(replies[0]).catch(() => undefined) : undefined;
    const differs = usual !== undefined && JSON.stringify(usual) !== JSON.stringify(said);
    place.replaceChildren(
      ...(differs
        ? [el("p", { class: "facts" }, "Against the most frequent reply:"), diffView(usual, said, ["most frequent", "this one"])]
        : [valueBlock(said)]),
    );
  } catch (problem) {
    place.replaceChildren(el("p", { class: "nothing" }, inline(problem.message)));
  }
}

/** Reads a reply from a run that is still kept; each only once. */
function repliesOf({ key, agent, results }) {
  const known = new Map();
  return (reply) => {
    if (!known.has(reply.digest)) known.set(reply.digest, readReply(reply));
    return known.get(reply.digest);
  };

  async function readReply({ digest, run }) {
    if (!run) throw new Error("The runs with this reply are no longer kept.");
    const row = readRow(await askText("case/row", { run, key, agent }));
    const status = results.find((one) => one.run === run && one.reply === digest)?.status;
    const runs = runsOf(row);
    const last = turnsOf(runs.find((one) => one.status === status) ?? runs[0]).findLast((turn) => turn.skip_reason === undefined);
    const { texts, data } = last ? answerOf(last) : { texts: [] };
    return data ?? texts.join("\n\n");
  }
}
