// paper.js - the page as a picture: without what only the pointer uses, and light.

export function setBare(app, isBare) {
  document.documentElement.classList.toggle("bare", isBare);
  app.timelines.forEach(({ picture }) => picture.recolor());
  app.resize();
  app.draw();
  if (app.panes.flame) app.flame.draw();
}

// Paper is as large as the screen: names are beside the rows that are drawn now.
export function listenToPrinter(app) {
  const [sheet] = document.styleSheets;
  onbeforeprint = () => {
    sheet.insertRule(`@page { size: ${innerWidth}px ${innerHeight}px; margin: 0; }`, 0);
    app.setBare(true);
  };
  onafterprint = () => {
    sheet.deleteRule(0);
    app.setBare(false);
  };
}
