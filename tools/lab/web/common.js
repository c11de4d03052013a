"use strict";
// What all pages of the server share: the page's data, the language, questions to the server.

const place = (id) => document.getElementById(id);
const data = JSON.parse(place("data").textContent);
learnTranslations(data.japanese);

/** Says in the list of pages which one this is; games to play and to advise on share a path. */
function markHere() {
  const mode = new URLSearchParams(location.search).get("mode") === "play" ? "?mode=play" : "";
  document.querySelector(`nav a[href="${location.pathname}${mode}"]`)?.setAttribute("aria-current", "page");
}

/** Shows the page: `show` is called now, and again in another language. */
function begin(show) {
  const again = () => {
    putWords();
    labelLanguageButton(place("language"));
    show();
  };
  markHere();
  chooseLanguage(askedLanguage());
  place("language").addEventListener("click", () => {
    chooseLanguage(language === "ja" ? "en" : "ja");
    rememberLanguage(language);
    if (saysLanguage()) goTo(location.pathname, new URLSearchParams(location.search));
    again();
  });
  again();
  performance.mark("ready");
}

/** What was typed; full-width digits and signs of a Japanese keyboard are taken as plain ones. The key of the minus gives the
 * sign of a long vowel while kana are typed. */
const plain = (text) => text.normalize("NFKC").replace(/[ー−]/g, "-").replaceAll("、", ",").trim();

/** What a field with `list: "games"` offers. */
const gameList = (games) => element("datalist", { id: "games" }, games.map((game) => element("option", { value: game })));

const saysLanguage = () => new URLSearchParams(location.search).has("lang");

/** Writes the address; if it named the language, it still does. */
function goTo(path, parameters) {
  if (saysLanguage()) parameters.set("lang", language);
  history.replaceState(null, "", parameters.size > 0 ? `${path}?${parameters}` : path);
}

/** Shows what went wrong; null hides it. */
function trouble(text) {
  place("trouble").textContent = translated(text ?? "");
  place("trouble").hidden = !text;
}

/** The server's answer; an error if it refuses (then `refused` is true), or is gone. */
async function ask(path, parts) {
  return answerTo(`${path}?${new URLSearchParams(parts)}`);
}

/** The same, where the question does not fit into an address. */
async function post(path, body) {
  return answerTo(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function answerTo(address, how) {
  let answer;
  try {
    answer = await fetch(address, how);
  } catch {
    throw new Error(word("serverGone"));
  }
  const content = await answer.json().catch(() => null);
  if (answer.ok && content) return content;
  learnTranslations(content?.japanese);
  throw Object.assign(new Error(content?.error ?? `${answer.status} ${answer.statusText}`), { refused: answer.status === 400 });
}
