// The client that the official suite starts. It hands its task to the test, which uses the product in its own process: a
// process of the product for each scenario was most of the time of the suite. The addresses of the test and of the suite's
// server are the last two arguments.
import { once } from "node:events";
import { request } from "node:http";

const [test, url] = process.argv.slice(-2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const asked = request(test, { method: "POST" });
asked.end(JSON.stringify({ scenario, url, context: JSON.parse(context ?? "{}") }));
const [response] = await once(asked, "response");
response.resume();
await once(response, "end");
