"use strict";
// What all pages of the server share: data, language, questions to the server.

const place = (id) => document.getElementById(id);
const data = JSON.parse(place("data").textContent);

/** The language that was chosen here before, if the browser remembers. */
function rememberedLanguage() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
}

function rememberLanguage(chosen) {
  try {
    localStorage.setItem("language", chosen);
  } catch {
    // Then it is asked again next time.
  }
}

/** Shows the page: `show` is called now, and again in another language. */
function begin(show) {
  const again = () => {
    putWords();
    const other = language === "ja" ? "en" : "ja";
    place("language").textContent = other === "ja" ? "日本語" : "English";
    place("language").lang = other;
    show();
  };
  chooseLanguage(new URLSearchParams(location.search).get("lang") ?? rememberedLanguage());
  place("language").addEventListener("click", () => {
    chooseLanguage(language === "ja" ? "en" : "ja");
    rememberLanguage(language);
    again();
  });
  again();
  performance.mark("ready");
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
