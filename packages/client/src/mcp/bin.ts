#!/usr/bin/env node
/** `npx agent-memory mcp`, as the package of the clients has it. */
const [command] = process.argv.slice(2);
if (command === "mcp") {
  await import("./main.ts");
} else {
  console.error(
    "Usage: agent-memory mcp\n\nServes the Model Context Protocol on standard input and output. AGENT_MEMORY_URL is the address of the service (http://127.0.0.1:8080 if unset), AGENT_MEMORY_KEY an API key.",
  );
  process.exit(2);
}
