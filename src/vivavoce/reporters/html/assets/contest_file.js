// The comparison of agents as a file: its own data, no server.
import { openContest } from "./contest_page.js";

const contestRows = [...document.querySelectorAll("script.row")];

openContest(
  {
    ...JSON.parse(document.getElementById("contest").textContent),
    rowText: async (position) => contestRows[position].textContent,
  },
  document.getElementById("viva"),
);
