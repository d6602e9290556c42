/** Lines that use a key as they are pasted: they write a memory, and ask for it. */
export interface Snippet {
  readonly name: string;
  readonly about: string;
  textOf(url: string, key: string): string;
}

const WRITE = JSON.stringify({ content: "Alice is allergic to peanuts" });
const ASK = JSON.stringify({ question: "What is Alice allergic to?" });

export const SNIPPETS: readonly Snippet[] = [
  {
    name: "curl",
    about: "In a shell.",
    textOf: (url, key) => `export KEY=${key}
curl -s ${url}/agent/memories -H "authorization: Bearer $KEY" \\
  -H 'content-type: application/json' -d '${WRITE}'
curl -s ${url}/agent/query -H "authorization: Bearer $KEY" \\
  -H 'content-type: application/json' -d '${ASK}'
`,
  },
  {
    name: "Python",
    about: "With nothing to install.",
    textOf: (url, key) => `import json, urllib.request

def call(path, body):
    headers = {"authorization": "Bearer ${key}", "content-type": "application/json"}
    request = urllib.request.Request("${url}" + path, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))

call("/agent/memories", ${WRITE})
print(call("/agent/query", ${ASK})["answer"])
`,
  },
  {
    name: "TypeScript",
    about: "With nothing to install, in Node.js. The typed client has every method.",
    textOf: (
      url,
      key,
    ) => `const headers = { authorization: "Bearer ${key}", "content-type": "application/json" };
const call = async (path: string, body: object) => {
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch("${url}" + path, init)).json();
};

await call("/agent/memories", ${WRITE});
console.log((await call("/agent/query", ${ASK})).answer);
`,
  },
  {
    name: "MCP",
    about: "In the settings of a host of the Model Context Protocol.",
    textOf: (url, key) => {
      const headers = { Authorization: `Bearer ${key}` };
      const memory = { type: "http", url: `${url}/mcp`, headers };
      return JSON.stringify({ mcpServers: { memory } }, null, 2);
    },
  },
];
