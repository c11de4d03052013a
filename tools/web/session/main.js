"use strict";
// The page of one session.

const place = (id) => document.getElementById(id);
const session = JSON.parse(place("session").textContent);
learnTranslations(session.japanese);
let player = null;

function addressed() {
  addressWriter.flush();
  return new URLSearchParams(location.hash.slice(1));
}

function remember(changes) {
  const parameters = new URLSearchParams(new URL(addressWriter.next ?? "", location.href).hash.slice(1));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(key);
    else parameters.set(key, value);
  }
  addressWriter.write(parameters.size > 0 ? `#${parameters}` : location.pathname + location.search);
}

function show() {
  chooseLanguage(addressed().get("lang"));
  const turn = addressed().get("turn");
  labelLanguageButton(place("language"));
  place("heading").textContent = `${session.name}: ${session.opening.split("\n", 1)[0]}`;
  place("made").textContent = word("made", session.tester);
  player?.stop();
  player = new Player(place("player"), session, (at) => {
    remember({ turn: at === session.turns.length ? null : at });
    return null;
  });
  if (turn !== null && Number.isInteger(Number(turn))) player.go(Number(turn));
  performance.mark("ready");
}

place("language").addEventListener("click", () => {
  remember({ lang: language === "ja" ? "en" : "ja" });
  show();
});
addEventListener("keydown", (event) => player.key(event));
addEventListener("hashchange", show);
show();
