"""English words and acronyms in Italian, as Italians say them; those that espeak says well by itself aren't here."""

from primavoce.normalize.tongue import spellings

LOANS = spellings(
    "email: imèil; e-mail: imèil; mail: mèil; gmail: gimèil; website: uebsàit; online: onlàin; on-line: onlàin; offline: oflàin",
    "il file: il fàil; i file: i fàil; un file: un fàil; del file: del fàil; dei file: dei fàil; nel file: nel fàil",
    "al file: al fàil; dal file: dal fàil; sul file: sul fàil; ai file: ai fàil; nei file: nei fàil; sui file: sui fàil",
    "questo file: questo fàil; questi file: questi fàil; quel file: quel fàil; quei file: quei fàil; tuo file: tuo fàil",
    "suo file: suo fàil; nuovo file: nuovo fàil; ogni file: ogni fàil; altri file: altri fàil; tuoi file: tuoi fàil",
    "chat: ciàt; live chat: làiv ciàt; upgrade: apgrèid; update: apdèit; business: bìsnes; bug: bag; hub: ab; cookie: cùki",
    "cookies: cùki; developer: devèloper; default: difòlt; debug: dibàg; firmware: fèrmuer; framework: frèimuork",
    "gaming: ghèiming; backend: bèkend; back-end: bèkend; insight: insàit; keyword: kìuord; learning: lèrning; meeting: mìting",
    "news: niùs; newsletter: niuslètter; notebook: nòtbuk; source: sors; phishing: fìscing; popup: popàp",
    "pop-up: popàp; queue: chiù; ranking: rènking; release: rilìs; roaming: ròming; roadmap: ròdmap; screenshot: scrìnsciot",
    "security: sechiùriti; share: scèr; slide: slàid; social: sòscial; startup: startàp; start-up: startàp",
    "store: stor; storage: stòregi; streaming: strìming; streamer: strìmer; team: tim; teams: tims; template: templèit; thread: tred",
    "timeout: taimàut; tool: tul; toolbar: tùlbar; touch: tatch; touchscreen: tatchscrìn; trading: trèiding; trial: tràial",
    "voucher: vàucer; wallet: uòllet; wireless: uàirless; wifi: uaifài; wi-fi: uaifài; google: gùgol; apple: èppol",
    "facebook: fèisbuk; python: pàiton; firefox: fàirfox; booking: bùking; uber: ùber; github: ghitàb; docker: dòker",
    "linkedin: linkdìn; chrome: crom; outlook: àutluk; powerpoint: pàuerpoint; chatgpt: ciàt gi pi ti; openai: òpen ei ài",
    "claude: clod; gemini: gèminai; airbnb: èr bi en bi; toast: tost; smoothie: smùti; outfit: àutfit; outlet: àutlet; look: luk",
    "make-up: meicàp; goal: gol; checkin: cekìn; check-in: cekìn; checkout: cekàut; check-out: cekàut; checklist: ceklìst",
    "checkup: cekàp; check-up: cekàp; lounge: làungi; duty-free: diùti frì; happy: èppi; hour: àuar; pick-up: picàp",
    "brainstorming: breinstòrming; briefing: brìfing; break: brec; speaker: spìker; layout: leiàut; mainstream: mèinstrim",
    "nickname: niknèim; outsourcing: autsòrsing; packaging: pèkeging; playlist: pleilìst; playoff: pleiòf; reminder: rimàinder",
    "restyling: restàiling; spread: spred; teaser: tìser; t-shirt: tisciért; uptime: aptàim; welfare: uèlfer; yacht: iòt",
    "thread: tred; burger: bùrgher; cheddar: cèddar; pancake: penkèik; coffee: còfi; low cost: lou cost; screen: scrin",
    "supporter: suppòrter; runner: rànner; rapper: rèpper; style: stàil; celsius: cèlsius; time: tàim; gigabyte: gigabàit; megabyte: megabàit; kilobyte: chilobàit; terabyte: terabàit; byte: bàit; player: plèier; trainer: trèiner",
    "file di testo: fàil di testo; file di log: fàil di log; file pdf: fàil PDF; file excel: fàil Excel; file csv: fàil CSV; file zip: fàil zip; il tuo file: il tuo fàil",
    # said letter by letter, or as letters in English
    "IP: ài pì; IT: ài tì; AI: ei ài; UI: iù ài; UX: iù ics; HDMI: acca di emme i; KPI: cappa pi i; CGIL: cigièlle",
    "IGP: i gi pi; IGT: i gi ti; ABS: a bi esse; UPS: u pi esse; ATM: a ti emme; JPG: gèipeg; JPEG: gèipeg; JSON: gèison",
    "CEO: si i ò; CIE: ci i e; CTO: si ti ò; HIV: acca i vu; SPA: esse pi a; IMEI: ìmei; ISEE: isèe; ERP: e erre pi",
    "spa: spà; UTC: u ti ci; CAF: caf; AV: a vi; AIRE: àire; RSA: erre esse a; UE: u è; NB: enne bi; EU: e u; UK: iù chei; XL: ics elle",
)
