// gemini.mjs URL: what Google's client reads there, whole and as a stream.
import { GoogleGenAI } from "@google/genai";

const ai = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: process.argv[2] } });
const asked = { model: "gemini-test", contents: "Go on." };

const whole = await ai.models.generateContent(asked);
console.log("gemini:", whole.text, whole.usageMetadata.promptTokenCount);
let text = "";
for await (const chunk of await ai.models.generateContentStream(asked)) text += chunk.text ?? "";
console.log("gemini stream:", text);
