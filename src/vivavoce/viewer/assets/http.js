// Asking the server that this page came from.

const API = new URL("../api/", import.meta.url);

export async function askText(path, query = {}, signal = null) {
  const response = await fetch(address(path, query), { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim() || `the server answered ${response.status}`);
  return text;
}

export async function ask(path, query = {}, signal = null) {
  return JSON.parse(await askText(path, query, signal));
}

/** Sends something that changes something; the server hears only its own pages. */
export async function post(path, body) {
  const response = await fetch(address(path, {}), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim() || `the server answered ${response.status}`);
  return JSON.parse(text);
}

/** Hears events by name until it is closed; a broken connection is taken up again. */
export function listen(path, query, handlers) {
  const events = new EventSource(address(path, query));
  for (const [name, handle] of Object.entries(handlers))
    events.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  addEventListener("pagehide", () => events.close());
  return events;
}

function address(path, query) {
  const url = new URL(path, API);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
