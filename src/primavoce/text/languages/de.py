"""German, where every noun has a capital, and ordinals a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: Hr. Weber, Dipl.-Ing. Kraus. Fr. and Mag. are words in lowercase.
        "hr hrn Fr frl dipl dipl.-ing Mag hl st",
        # Abbreviations of several words, spaced or not, which a noun may follow: z. B. Äpfel.
        "z.b d.h u.a i.d.r u.u z.t z.zt o.ä v.a m.e i.a",
        # Words that explain or compare what follows: Montag bzw. Dienstag, ggf. Regen, inkl. Frühstück.
        "bzw bspw entspr zuzügl vergl betr evtl ggf inkl exkl zzgl vgl sog allg insb insbes geb gest einschl",
    ),
    labels=words(
        # A number follows: Nr. 7, S. 12, Abs. 2, Kap. IV.
        "nr S abs abb kap bd bde aufl tel art tab ziff jh str max min mind",
        # Months: 5. Okt. 2024.
        "jan feb mär apr jun jul aug sept okt nov dez",
    ),
    inner=words(
        # Streets and companies: Hauptstr. 5.
        "hauptstr bahnhofstr",
        # Eras: 44 v. Chr.
        "chr n.chr v.chr",
    ),
    closing=words(
        # Lists that stop before their end: Brot, Milch usw. Alles ist da.
        "usw usf u.s.w",
    ),
    starters=words(
        # Articles, pronouns and demonstratives: Er mag Brot usw. Der Rest bleibt.
        "der die das ein eine ich du er sie es wir ihr man dies dieser diese dieses jener jeder jede alle niemand jemand",
        # Possessives: Brot usw. Meine Mutter kommt.
        "mein meine dein sein seine unser unsere ihre",
        # Questions, conjunctions, prepositions: bei der Bau GmbH. Was kostet es?
        "was wer wie wo wann warum wieso welche und oder aber denn wenn weil obwohl während nachdem bevor ob in im am an auf aus bei mit",
        # More of them: bei der Bau GmbH. Nach dem Essen gehen wir.
        "nach von vor zu zum zur für um ohne seit",
        # Adverbs and answers that lead: Er mag Brot usw. Dann geht er.
        "dann danach jetzt heute morgen gestern hier dort auch außerdem deshalb daher so nun ja nein doch bitte danke nicht noch",
    ),
    lettered=words(
        # A letter is the name of a thing: Nimm Vitamin C. Orangen haben es.
        "vitamin plan option typ gruppe klasse abschnitt teil",
    ),
    ordinal_nouns=words(
        # Dates: am 3. Oktober.
        "januar jänner februar märz april mai juni juli august september oktober november dezember",
        # Shortened: am 3. Okt. 2024.
        "jan feb mär apr jun jul aug sept okt nov dez",
        # What is counted: die 3. Klasse, im 19. Jahrhundert, der 2. Weltkrieg.
        "jahrhundert jahrtausend klasse stock etage platz auflage kapitel weltkrieg tag woche monat geburtstag mal liga bundesliga",
        # And in more places: die 2. Runde, im 3. Bezirk, am 4. Advent.
        "runde bezirk semester schuljahr lebensjahr advent",
    ),
    ordinal_leads=words(
        # Articles and what melts with them: vom 3. bis 5. Mai.
        "am der die das dem den des zum zur im vom beim ins ans bis seit ab jeder jede jedes jeden ihr ihre ihren sein seine seinen",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: …, weil es regnet.
        "und oder aber denn sondern weil dass wenn als ob während obwohl damit wo",
    ),
)
