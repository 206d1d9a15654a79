"""English."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: Please ask Dr. Okafor.
        "messrs mme mlle rt ven",
        # Titles that are also words or names in lowercase, or French: Sen. Lee met Gen. Kim. It is a new gen. Older ones…
        "Fr Rev Gen Col Lt Sgt Capt Cpl Cmdr Maj Adm Hon Pres Gov Sen Rep Reps Supt Insp Det Amb Atty Pvt",
        # Places that begin with an abbreviation: Mt. Everest, Ft. Worth.
        "Mt Mts Ft Pt",
        # Where it was published: Proc. Royal Society, IEEE Trans. Consumer Electronics.
        "Proc Trans Conf Symp",
        # Words that explain or compare what follows: approx. 40, eg. Genoa.
        "eg ie approx esp incl excl resp misc",
    ),
    labels=words(
        # A number follows: See No. 7 on page 12.
        "eq eqs ch paras eds pg pgs rm",
        # Words of their own in lowercase: Apt. 4, Ext. 12. It is apt. Words follow.
        "Ln Bk Pl Pls Apt Ste Ext Tel Item",
    ),
    numbering=words(
        # The same, but words elsewhere: take bus no. 9, rooms nos. 4 and 5, in sec. 4. The answer is no.
        "no nos sec secs chap chaps para ver ed ex app arts ser pt",
        # Units before a smaller one: 5 ft. 3 in., 2 hr. 10 min.
        "ft yd lb lbs hr hrs",
    ),
    inner=words(
        # Streets and saints: Main St. is one, St. Louis the other.
        "St Ste Ave Blvd Rd Sq Hwy Pkwy",
        # Institutions: the Dept. of Parks, Warner Bros. Pictures.
        "dept univ assn bros mfg intl natl govt",
        # Honours after a name: Ana Kim, M.D. Anderson is next door.
        "esq m.d d.d.s m.a b.a r.n",
        # Months and days, which are words in lowercase: Jan. 5, Sat. morning.
        "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun",
        # Places of the map: the U.S. Army, Washington, D.C. Metro, San Jose, Calif. Mayor Lee.
        "u.s u.k u.n e.u d.c Calif Fla Mass Conn",
        # Eras: 300 B.C. Rome was small.
        "a.d b.c b.c.e c.e",
    ),
    continuers=words(
        # A time goes on with a day or a zone: 7 p.m. Monday, 6 a.m. EST.
        "monday tuesday wednesday thursday friday saturday sunday",
        # The same, shortened: 7 p.m. Mon. to Fri.
        "mon tue tues wed thu thur thurs fri sat sun",
        # Zones: 6 a.m. EST, 10 A.M. Eastern.
        "est edt cst cdt mst mdt pst pdt et ct mt pt gmt utc bst cet cest ist jst aest eastern central pacific mountain",
    ),
    starters=words(
        # Pronouns: She moved back to the U.S. They stayed.
        "i you he she it we they this that these those there here who everyone everybody nobody somebody someone anyone",
        # More of them: It left the U.S. Everything changed.
        "everything nothing something one both each all most many some several few others another",
        # With their verbs: I work at Acme Inc. It's small.
        "i'm i've i'll i'd you're you've you'll he's she's it's it'll we're we've we'll they're they've that's there's here's",
        # Articles, possessives and numbers: She joined Brightfield Inc. The company makes lamps.
        "the a an my your his her its our their no two three",
        # Questions: It ships to the U.S. When will it come?
        "what when where why how which whose is are was were do does did has have had could would should",
        # Conjunctions and prepositions: It ships to the U.S. But not today.
        "and but or nor so yet for if because since although though while after before until unless once as at by from in",
        # More of them: It shipped to the U.K. Without a label it came back.
        "into of on to with without about during despite under over between through across against among around",
        # Adverbs that lead: It is on Elm St. Then turn left.
        "then now next later today tomorrow yesterday also however therefore otherwise instead finally first second third",
        # More of them: It shipped to the U.K. Meanwhile, nobody signed.
        "meanwhile moreover still perhaps maybe just only not never always often sometimes usually again even",
        # The long ones: It is on Elm St. Alternatively, take the bus.
        "additionally alternatively afterwards",
        # Answers and greetings, and what tells someone to do something: It is on Elm St. Please ring. See the map.
        "yes yeah ok okay sure well hello hi thanks sorry please see let let's remember note don't can't isn't",
    ),
    lettered=words(
        # A letter is the name of a thing: take vitamin C. Oranges have it.
        "vitamin plan option type grade class group team part section appendix exhibit figure step hepatitis answer choice",
        # More of them: It leaves from gate B. Hurry.
        "point side building gate terminal room row block",
    ),
    attributions=words(
        # A question in quotes goes on with its speaker: “Is it ready?” I asked.
        "said asked replied answered cried shouted whispered wondered added called exclaimed demanded yelled says asks",
    ),
    exclaimed=words(
        # Brands with a mark of their own before another name: Yahoo! Finance.
        "Yahoo Jeopardy Wham Yum Guess",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: …, because it rains.
        "and but or nor so yet because although though while when where if unless until since than that which who as",
    ),
)
