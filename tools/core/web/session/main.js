"use strict";
// The page of one session.

const session = JSON.parse(document.getElementById("session").textContent);
startSession(
  session,
  () => `${session.name}: ${session.opening.split("\n", 1)[0]}`,
  () => null,
);
