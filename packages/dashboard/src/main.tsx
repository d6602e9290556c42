import { render } from "preact";
import { App, applyTheme } from "./app.tsx";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/usage.css";
import "./styles/memories.css";
import "./styles/memory.css";
import "./styles/ask.css";
import "./styles/review.css";

applyTheme();

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
