"use strict";
// The page of one session.

const place = (id) => document.getElementById(id);
const session = JSON.parse(place("session").textContent);
let player = null;

const asked = () => new URLSearchParams(location.hash.slice(1));

function remember(changes) {
  const said = asked();
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) said.delete(key);
    else said.set(key, value);
  }
  history.replaceState(null, "", said.size > 0 ? `#${said}` : location.pathname + location.search);
}

function show() {
  chooseLanguage(asked().get("lang"));
  const turn = asked().get("turn");
  const other = language === "ja" ? "en" : "ja";
  place("language").textContent = other === "ja" ? "日本語" : "English";
  place("language").lang = other;
  place("heading").textContent = `${session.name}: ${session.opening}`;
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
