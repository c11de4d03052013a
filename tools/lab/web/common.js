"use strict";
// What all pages of the server share: data, language, questions to the server.

const place = (id) => document.getElementById(id);
const data = JSON.parse(place("data").textContent);

/** Shows the page: `show` is called now, and again in another language. */
function begin(show) {
  const again = () => {
    putWords();
    const other = language === "ja" ? "en" : "ja";
    place("language").textContent = other === "ja" ? "日本語" : "English";
    place("language").lang = other;
    show();
  };
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

const saysLanguage = () => new URLSearchParams(location.search).has("lang");

/** Writes the address anew; where it has said the language, it goes on to. */
function goTo(path, said) {
  if (saysLanguage()) said.set("lang", language);
  history.replaceState(null, "", said.size > 0 ? `${path}?${said}` : path);
}

/** Says what went wrong, or that nothing did. */
function trouble(text) {
  place("trouble").textContent = text ?? "";
  place("trouble").hidden = !text;
}

/** What the server answers; an error if it refuses (`refused` says so), or is gone. */
async function ask(path, parts) {
  return answerTo(`${path}?${new URLSearchParams(parts)}`);
}

/** The same, where what is told does not fit into an address. */
async function tell(path, told) {
  return answerTo(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told) });
}

async function answerTo(address, how) {
  let answer;
  try {
    answer = await fetch(address, how);
  } catch {
    throw new Error(word("serverGone"));
  }
  const said = await answer.json().catch(() => null);
  if (answer.ok && said) return said;
  throw Object.assign(new Error(said?.error ?? `${answer.status} ${answer.statusText}`), { refused: answer.status === 400 });
}
