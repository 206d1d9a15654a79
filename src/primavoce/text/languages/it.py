"""Italian."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: il dott. Rossi, la sig.ra Verdi, l'avv. Neri.
        "sig sigg sig.ra sig.na sig.re dott dott.ssa dott.sse dottt prof.ssa proff avv ing arch geom rag rev mons on sen",
        # More of them: il cav. Bruni, il gen. Costa, l'amm. Neri.
        "cav comm gen col cap ten serg magg amm brig dir pres arciv card",
        # Forms of address on a letter: Gent.ma Sig.ra Rossi, Egr. Sig. Bianchi, Spett.le Ditta.
        "egr gent gent.mo gent.ma gent.mi gent.me spett spett.le ill ill.mo ill.ma chiar.mo chiar.ma stim.mo stim.ma preg preg.mo preg.ma",
        # Saints and streets: S. Maria, P.zza Garibaldi, V.le Monza, C.so Como.
        "S SS p.zza p.za v.le c.so l.go",
        # Words that explain what follows: p. es., ad es. And the letter's "to the attention of": alla c.a. dell'ing. Neri.
        "es p.es cfr ibid c.a",
    ),
    labels=words(
        # A number follows: art. 5, pag. 3, n. 12, cap. IV, sez. 2, comma 1.
        "art artt pag pagg n nn num nr cap capp sez par parr lett all tav tavv fasc vol voll ed tel fig figg civ int sc",
        # Months and days, some of them words of their own: 5 sett. 2024.
        "genn febbr mar apr giu lug ago sett ott nov dic lun mart merc giov ven sab dom",
    ),
    inner=words(
        # Companies: Bianchi S.p.A. di Torino, Verdi S.r.l. Milano.
        "s.n.c s.a.s soc coop f.lli",
        # Law and history: D.Lgs. 81, a.C., d.C.
        "d.lgs d.l d.m d.p.r l.r a.c d.c",
    ),
    closing=words(
        # Lists that stop before their end: pane, olio, ecc. e poi torna.
        "ecc eccetera",
        # Words that come last: il 5 c.m., la cosiddetta n.d.r.
        "c.m u.s n.d.r",
    ),
    starters=words(
        # Articles: Lavora alla Ferri S.p.A. Il lavoro è duro.
        "il lo la i gli le un uno una l",
        # Pronouns and demonstratives: Lavora alla Ferri S.p.A. Lei è brava.
        "io tu lui lei noi voi loro egli ella essi questo questa questi queste quello quella quelli quelle ciò",
        # More of them: Lavora alla Ferri S.p.A. Ci va in treno.
        "ci si mi ti vi ne chi ognuno qualcuno nessuno tutti tutto altri",
        # Possessives: Lavora alla Ferri S.p.A. Suo padre no.
        "mio mia tuo tua suo sua nostro nostra vostro vostra",
        # Questions: Lavora alla Ferri S.p.A. Quanto guadagna?
        "che cosa come dove quando perché quale quali quanto quanti",
        # Conjunctions and prepositions: Lavora alla Ferri S.p.A. Ma è stanca.
        "e ed o ma però se anche nel nella nei nelle al alla ai alle dal dalla del della dei delle con per tra fra su in da di a",
        # More of them: Lavora alla Ferri S.p.A. Mentre viaggia, legge.
        "dopo prima mentre poiché siccome benché oppure",
        # Adverbs that lead: Lavora alla Ferri S.p.A. Poi torna.
        "poi ora oggi domani ieri qui là così quindi inoltre infine invece intanto forse allora ecco già ancora non",
        # Verbs and answers that lead: Lavora alla Ferri S.p.A. È contenta.
        "è sono era ho ha abbiamo hanno sì no grazie certo va bene ciao",
    ),
    lettered=words(
        # A letter is the name of a thing: la vitamina C. Gli agrumi…
        "vitamina piano opzione tipo gruppo classe serie sezione lettera parte punto gate binario",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … perché piove.
        "e ed o oppure ma però perché poiché mentre quando se che finché affinché benché sebbene dove anche né quindi",
    ),
)
