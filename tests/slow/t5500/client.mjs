// client.mjs OPENAI ANTHROPIC: what the official clients read at these base URLs, whole and as a
// stream.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const [, , openaiUrl, anthropicUrl] = process.argv;
const openai = new OpenAI({ apiKey: "sk-test", baseURL: openaiUrl, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: "sk-test", baseURL: anthropicUrl, maxRetries: 0 });
const asked = { model: "test", messages: [{ role: "user", content: "Go on." }] };
const responses = { model: "test", input: asked.messages, store: false };

async function joined(stream, word) {
  let text = "";
  for await (const event of stream) text += word(event) ?? "";
  return text;
}

const chat = await openai.chat.completions.create(asked);
console.log("chat:", chat.choices[0].message.content, chat.usage.total_tokens);
const chunks = await openai.chat.completions.create({ ...asked, stream: true });
console.log("chat stream:", await joined(chunks, (chunk) => chunk.choices[0]?.delta.content));

const message = await anthropic.messages.create({ ...asked, max_tokens: 9 });
console.log("messages:", message.content[0].text, message.stop_reason, message.usage.output_tokens);
const final = await anthropic.messages.stream({ ...asked, max_tokens: 9 }).finalMessage();
console.log("messages stream:", final.content[0].text, final.stop_reason, final.usage.output_tokens);

const response = await openai.responses.create(responses);
console.log("responses:", response.output_text, response.status, response.usage.total_tokens);
const events = await openai.responses.create({ ...responses, stream: true });
console.log("responses stream:", await joined(events, (event) =>
  event.type === "response.output_text.delta" ? event.delta : ""));
