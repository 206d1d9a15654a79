"""English words and acronyms in Spanish, as Spaniards say them; those that espeak says well by itself aren't here."""

from primavoce.normalize.tongue import spellings

LOANS = spellings(
    "email: iméil; e-mail: iméil; mail: méil; online: onláin; on-line: onláin; offline: ofláin; password: pásguord; account: acáunt",
    "website: uebsáit; web site: ueb sáit; server: sérver; router: rúter; update: apdéit; upload: aplóud; download: daunlóud",
    "upgrade: apgréid; weekend: uikén; marketing: márketin; business: bísnes; computer: compiúter; smartphone: esmarfón",
    "laptop: láptop; browser: bráuser; login: lóguin; logout: logáut; backup: bácap; cookie: cuqui; cookies: cuquis",
    "database: déitabeis; desktop: désctop; developer: devéloper; default: difólt; debug: dibág; feedback: fídbac; design: disáin",
    "firewall: fáirgüol; firmware: fírmuer; framework: fréimuorc; backend: bákend; frontend: fróntend; game: guéim",
    "gaming: guéimin; home: jóum; hosting: jóstin; insight: ínsait; keyword: kíguord; live: láif; learning: lérnin; loop: lup",
    "machine: mashín; manager: mánayer; management: mánayment; master: máster; meeting: mitin; mobile: móbail; mouse: maus",
    "network: nétuorc; newsletter: niusléter; news: nius; notebook: nóutbuk; open: óupen; source: sors; partner: pártner",
    "performance: perfórmans; phishing: físhin; plugin: plaguin; plug-in: plaguin; podcast: pódcast; privacy: práivasi",
    "provider: prováider; proxy: prócsi; query: cuéri; release: rilís; report: repórt; reset: risét; roaming: róumin; runner: ráner",
    "roadmap: róudmap; screenshot: escrinshot; script: escript; scroll: escrol; share: sher; shopping: shopin; show: shou",
    "slide: esláid; smart: esmart; smartwatch: esmárguoch; sponsor: espónsor; spam: espam; stock: estoc; stop: estop; spray: esprái",
    "startup: estartáp; start-up: estartáp; storage: estórach; store: estor; streaming: estrímin; streamer: estrímer",
    "stress: estrés; team: tim; teams: tims; template: témpleit; ticket: tíquet; tickets: tíquets; timeout: taimáut",
    "timer: táimer; token: tóuken; tokens: tóukens; tool: tul; touch: tach; trading: tréidin; training: tréinin; trailer: tráiler",
    "user: yúser; voucher: váucher; wallet: uálet; wireless: uáirles; workshop: uórkshop; workflow: uórkflou; word: uord",
    "youtube: yutúb; google: gúguel; apple: ápel; github: guitjab; docker: dóker; python: páiton; java: yava; linkedin: línkedin",
    "javascript: yavascript; uber: úber; chatgpt: chat ge pe te; openai: oupen ei ai; claude: clod; gemini: yéminai; amazon: ámason",
    "bluetooth: blútuz; outlook: áutluk; windows: uíndous; burger: búrguer; smoothie: esmudi; jeans: yins; outfit: áutfit",
    "outlet: áutlet; look: luk; shampoo: champú; fitness: fítnes; jogging: yoguin; goal: gol; basketball: básketbol; bike: báik",
    "hall: jol; resort: resórt; low: lou; cost: cost; full: ful; time: táim; part-time: partáim; full-time: fultáim; coworking: coguórkin",
    "freelance: frílans; stage: estéich; budget: báchet; broker: bróker; brainstorming: breinstórmin; briefing: brífin; break: breik",
    "know-how: nóu jáu; layout: leyáut; like: laik; likes: laiks; mainstream: méinstrim; outsourcing: autsórsin; packaging: pákeyin",
    "playlist: pléilist; player: pléyer; playoff: pleyof; problem: próblem; ranking: ránkin; reminder: rimáinder; review: riviú",
    "setup: sétap; speaker: espíker; spoiler: espóiler; staff: estaf; standby: estandbái; stand-by: estandbái; style: estáil",
    "t-shirt: tíshert; tweet: tuit; vintage: víntech; welfare: uélfer; yacht: yot; trial: tráial; transfer: tránsfer; hub: jab",
    "check-in: chekín; check-out: chekáut; checkout: chekáut; checkin: chekín; thriller: tríler; megabyte: megabáit; megabytes: megabáits; terabyte: terabáit;",
    "terabytes: terabáits; kilobyte: kilobáit; kilobytes: kilobáits; bug: bag; bugs: bags; file: fail",
    # said letter by letter
    "USB: ú ese be; URL: ú erre ele; IP: i pe; UPS: ú pe ese; ATM: á te eme; JSON: yéison; JPG: jota pe ge; UTC: ú te ce",
    "HIV: hache i uve; AI: ei ai; UX: ú equis; UI: ú i; ABS: á be ese; ERP: é erre pe; SUV: ese u uve; AV: á uve; ID: i de",
    "ISO: iso; CIF: cif; IT: ai ti; API: á pe i; UHF: ú hache efe; ADN: á de ene; ARN: á erre ene; EPS: é pe ese; ITV: i te uve; XL: equis ele; gigabyte: guigabáit; gigabytes: guigabáits",
)
