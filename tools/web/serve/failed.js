"use strict";
begin(() => {
  place("heading").textContent = word("notFound");
  trouble(data.error);
  place("view").replaceChildren(element("p", {}, element("a", { href: "/" }, word("navRuns"))));
});
