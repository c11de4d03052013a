"use strict";
// The words of the pages: `WORDS` has them by language and key. A word may be a function of what goes into it.

const WORDS = { en: {}, ja: {} };

/** The language in use: what the address says, else what the browser prefers. */
let language = "en";
/** The run that is compared with A, in words. */
let otherName = "B";
/** The program that judges, as users call it. */
let testerName = "tester";

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

/** The language that the address asks for, or that was chosen before. */
function askedLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked !== null && Object.hasOwn(WORDS, asked)) rememberLanguage(asked);
  return asked ?? rememberedLanguage();
}

function chooseLanguage(wanted) {
  const preferred = navigator.language.startsWith("ja") ? "ja" : "en";
  language = wanted !== null && Object.hasOwn(WORDS, wanted) ? wanted : preferred;
  document.documentElement.lang = language;
}

/** The button that changes the language names the other one. */
function labelLanguageButton(button) {
  // It does nothing without scripts.
  button.hidden = false;
  button.lang = language === "ja" ? "en" : "ja";
  button.textContent = button.lang === "ja" ? "日本語" : "English";
}

/** A word; what goes into it follows. */
function word(key, ...parts) {
  const found = WORDS[language][key];
  return typeof found === "function" ? found(...parts) : found;
}

/** Messages of the judge and of the server in Japanese, by their English text. */
const translations = new Map();

function learnTranslations(japanese) {
  for (const [english, translation] of Object.entries(japanese ?? {})) translations.set(english, translation);
}

/** A message in the language in use; without a translation it stays English. */
function translated(text) {
  return (language === "ja" && translations.get(text)) || text;
}

/** Puts words wherever the page asks for them. */
function putWords() {
  for (const place of document.querySelectorAll("[data-word]")) place.textContent = word(place.dataset.word);
}
