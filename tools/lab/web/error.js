"use strict";
begin(() => {
  place("heading").textContent = word("notFound");
  document.title = word("notFound");
  trouble(data.error || word("noPage"));
  place("view").replaceChildren(element("p", {}, element("a", { href: "/" }, word("navRuns"))));
});
