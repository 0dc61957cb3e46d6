// The page from `tandem explore --serve`: it asks once a second whether there is something new.

async function answerTo(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function follow(version) {
  const say = (text) => { document.getElementById("served").textContent = text; };
  try {
    const now = await answerTo("version");
    if (now !== version) drawExplore(await answerTo("data"));
    version = now;
    say("");
  } catch (error) {
    say("No answer: the program is running, or the server has ended.");
  }
  setTimeout(() => follow(version), 1000);
}

follow(held.version);
