"""English words and acronyms in Brazilian Portuguese, as Brazilians say them; those that espeak says well aren't here."""

from primavoce.normalize.tongue import spellings

LOANS = spellings(
    "email: e-mail; emails: e-mails; password: pássuord; account: acáunte; website: uebsáite; site: sáite; sites: sáites",
    "server: sérver; router: rúter; computer: compiúter; login: loguín; logout: logaúte; cookie: cúqui; cookies: cúquis",
    "database: deitabeise; desktop: désquitope; developer: devéloper; debug: dibâgui; feedback: fidibéque; firewall: fáieruol",
    "framework: freimuorque; hosting: róstin; insight: insáite; keyword: quiuorde; learning: lârnin",
    "machine: machin; manager: mênager; meeting: mítin; mobile: mobáile; network: nétuorque; news: niús; source: sorse",
    "newsletter: niusléter; partner: pártner; plugin: pláguin; plug-in: pláguin; privacy: práivaci; provider: prováider",
    "release: rilíse; reset: rissete; roaming: roumin; roadmap: roudmépi; screenshot: scrinxote; share: chér; startup: startápi",
    "start-up: startápi; storage: istórage; streaming: strímin; team: tim; teams: tims; template: têmpleite; thread: tréde",
    "timer: táimer; token: tôquen; tokens: tôquens; touch: tâtche; trading: trêidin; training: trêinin; user: iúzer",
    "voucher: váutcher; wallet: uólete; wireless: uáierles; wifi: uaifái; wi-fi: uaifái; workshop: uorquichópi; word: uârde",
    "youtube: iutúbi; facebook: feicebúqui; github: guitirrâbi; docker: dóquer; iphone: aifone; bluetooth: blutúfi; chrome: crôme",
    "java: djava; javascript: djavascripte; chatgpt: tchéte gê pê tê; chat: tchéte; chatbot: tchetebóte; openai: oupen ei ai",
    "claude: clóde; airbnb: er bi en bi; uber: úber; burger: bârguer; hamburger: rambârguer; cocktail: coquitel; toast: tôste",
    "sandwich: sanduíche; ketchup: quetchúpi; smoothie: smúfi; jeans: djins; outfit: autifíti; goal: gol; bike: báique",
    "jet: djéte; check-in: tchequín; check-out: tchecáute; checkin: tchequín; checkout: tchecáute; check: tchéque",
    "checklist: tchequiliste; gate: gueite; part-time: parte táime; freelance: frilânce; budget: bâdjete",
    "brainstorming: breinstórmin; briefing: brífin; layout: leiáute; outsourcing: autissórcin; packaging: páquedgin",
    "player: plêier; ranking: ránquin; reminder: rimáinder; review: riviú; speaker: spíquer; t-shirt: tichârte; tweet: tuíte",
    "job: djóbi; jobs: djóbis; live: láivi; hub: râbi; bug: bâgui; bugs: bâguis; laser: lêizer; master: máster; coworking: couórquin",
    "business: bíznes; deadline: dedláine; home: rôumi; twitter: tuíter; linkedin: linquedin; windows: uíndous; resort: rizórte",
    "megabyte: megabáite; megabytes: megabáites; terabyte: terabáite; terabytes: terabáites; kilobytes: quilobáites",
    "app: épi; apps: épis; trial: tráial; gigabyte: gigabáite; gigabytes: gigabáites; touchscreen: tâtchiscrin; hall: ról; fitness: fítines; outlet: autiléti",
    # said letter by letter
    "USB: u esse bê; URL: u erre ele; IP: i pê; ID: i dê; DNA: dê ene á; JSON: djêisson; HDMI: agá dê eme i; ATM: a tê eme",
    "UPS: u pê esse; UX: u xis; UI: u i; AI: ei ai; IA: i á; UTC: u tê cê; KPI: cá pê i; ABS: a bê esse; IOF: i ó efe",
    "CEO: ci i ôu; FGTS: efe gê tê esse; UE: u é; ERP: e erre pê; CV: cê vê; SUV: esse u vê; FBI: efe bi ai; AV: a vê; IPI: i pê i",
    # what espeak takes for Roman numerals
    "CI: ci; DI: di; LI: li; MI: mi; MIX: mix; DVI: dê vê i; MC: eme cê; XL: xis ele; XXL: xis xis ele; CM: cê eme; DC: dê cê",
    "MD: eme dê; CL: cê ele; ML: eme ele; CLI: cê ele i; DM: dê eme; CC: cê cê; CD: cê dê",
)
