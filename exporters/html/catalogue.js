// Shows the games whose text contains every word typed.

const games = [...document.querySelectorAll("#games > li")];
const search = document.getElementById("search");
const texts = games.map((game) => game.textContent.toLowerCase());

function show() {
  const words = search.value.toLowerCase().split(/\s+/);
  games.forEach((game, at) => {
    game.hidden = !words.every((word) => texts[at].includes(word));
  });
  const shown = games.filter((game) => !game.hidden).length;
  document.getElementById("count").textContent = `${shown} of ${games.length}`;
}

search.addEventListener("input", show);
search.parentElement.hidden = false;
show();
