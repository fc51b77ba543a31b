// The report file: its own cases, no server.
import { embeddedSource } from "./embedded_source.js";
import { openRunPage } from "./run_page.js";

openRunPage(embeddedSource(document), document.getElementById("viva"));
