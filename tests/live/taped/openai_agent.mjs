// A Node agent with npm's `openai` package.
import OpenAI from "openai";

const tools = ["find_order", "refund"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
let asked = "";
for await (const piece of process.stdin) asked += piece;
const line = JSON.parse(asked).messages.at(-1).content;
const system = process.env.SHOP_SYSTEM ?? "You are a shop.";
const talk = [{ role: "system", content: system }, { role: "user", content: line }];
const client = new OpenAI();
for (;;) {
  const { message } = (await client.chat.completions.create({ model: "fake-1", messages: talk, tools })).choices[0];
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  talk.push(message);
  for (const call of message.tool_calls) {
    const content = JSON.stringify({ ok: true, at: new Date().toISOString(), epoch: Date.now() });
    talk.push({ role: "tool", tool_call_id: call.id, content });
  }
}
