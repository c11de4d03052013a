"use strict";
// The player of a page, and how a page starts that shows one session and nothing else.

/** The player that the page shows; null before the first. */
let player = null;

/** Replaces the session in `board` by another, after `turn` turns if that is a number. See `Player` for `moved`. */
function showPlayer(board, session, moved, turn) {
  player?.stop();
  player = new Player(board, session, moved);
  if (turn !== null && Number.isInteger(Number(turn))) player.go(Number(turn));
}

/**
 * Starts the page of one session, whose address holds the turn and the language. `heading` returns the heading, and `beside`
 * what stands beside the board at a turn, an element or null; both are asked again in another language.
 */
function startSession(session, heading, beside) {
  const place = (id) => document.getElementById(id);
  const moved = (at) => {
    remember({ turn: at === session.turns.length ? null : at });
    return beside(at);
  };
  const show = () => {
    chooseLanguage(addressed().get("lang") ?? askedLanguage());
    const turn = addressed().get("turn");
    labelLanguageButton(place("language"));
    place("heading").textContent = heading();
    place("made").textContent = word("made", session.tester);
    showPlayer(place("player"), session, moved, turn);
    performance.mark("ready");
  };
  learnTranslations(session.japanese);
  place("language").addEventListener("click", () => {
    const chosen = language === "ja" ? "en" : "ja";
    rememberLanguage(chosen);
    remember({ lang: chosen });
    show();
  });
  addEventListener("keydown", (event) => player.key(event));
  addEventListener("hashchange", show);
  show();
}
