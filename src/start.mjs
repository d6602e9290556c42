// What `npm start` runs: plain JavaScript, so that an older Node.js can say what is missing.
const MIN_NODE_MAJOR = 24;

if (Number(process.versions.node.split(".")[0]) < MIN_NODE_MAJOR) {
  console.error(
    `This service needs Node.js ${MIN_NODE_MAJOR} or later; this is ${process.version}.`,
  );
  process.exit(1);
}
await import("./main.ts");
