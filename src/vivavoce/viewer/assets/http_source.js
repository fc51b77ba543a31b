// The cases of a run from the server: the same seam as the report's own source, and a way to follow what comes.
import { ask, askText, listen } from "./http.js";

const SHOWN_EVERY_MS = 500;
const TYPING_MS = 150;

/** Reads all heads first; `onProgress` hears how many are there. */
export async function httpSource(runId, onProgress) {
  const path = `runs/${encodeURIComponent(runId)}`;
  const heads = keyedHeads();
  let run = await ask(path);
  const source = {
    heads: heads.list,
    get start() {
      return run.start;
    },
    get summary() {
      return run.summary;
    },
    get inFlight() {
      return run.in_flight;
    },
    get live() {
      return run.state === "running";
    },
    rowText: (at) => askText(`${path}/rows/${at}`),
    find: searcher(`${path}/search`),
    follow,
  };
  while (heads.list.length < run.results) {
    const more = await ask(`${path}/heads`, { start: heads.list.length });
    if (!more.length) break;
    heads.add(more);
    onProgress(heads.list.length, run.results);
  }
  return source;

  /** Tells `onChange` of new cases and totals, not more often than anybody can read. */
  function follow(onChange) {
    if (run.state === "finished") return;
    let waiting = null;
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = null;
        onChange();
      }, SHOWN_EVERY_MS);
    };
    const events = listen(`${path}/events`, { start: heads.list.length }, {
      heads: (more) => {
        heads.add(more);
        soon();
      },
      run: (now) => {
        run = now;
        if (run.state === "finished") events.close();
        soon();
      },
    });
  }
}

/** Asks when the typing pauses, and lets go of what was asked before. */
function searcher(path) {
  let last = new AbortController();
  return async (q) => {
    last.abort();
    const mine = new AbortController();
    last = mine;
    await new Promise((done) => setTimeout(done, TYPING_MS));
    if (mine.signal.aborted) return new Set();
    try {
      return new Set((await ask(path, { q }, mine.signal)).positions);
    } catch (problem) {
      if (!mine.signal.aborted) throw problem;
      return new Set();
    }
  };
}

/** Heads that come in parts; each has a key for links: its id, or where several files use the id, `file::id`. */
function keyedHeads() {
  const list = [];
  const first = new Map();
  const add = (more) => {
    for (const head of more) {
      const earlier = first.get(head.id);
      if (earlier) earlier.key = withFile(earlier);
      else first.set(head.id, head);
      head.key = earlier ? withFile(head) : head.id;
      list.push(head);
    }
  };
  return { list, add };
}

function withFile(head) {
  return `${head.file ?? ""}::${head.id}`;
}
