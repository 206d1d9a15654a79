"""What holds wherever Latin letters are written, and in text of an unknown language."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles that many languages share, and the English ones that names carry abroad: Please ask Dr. Okafor. Chiedi a Mr. Hale.
        "dr mr mrs ms mx prof",
        # Latin that points ahead: cf. Theorem 2, Kenya vs. Ghana, ca. 1880, e.g. Genoa.
        "cf vs ca e.g i.e viz",
    ),
    labels=words(
        # Places in a book: p. 12, fig. 3, vol. II.
        "p pp fig figs vol vols v",
        # Labels that are words in some language, and so only count with their capital: See No. 7.
        "No Nos Nr",
    ),
    numbering=words(
        # The same, but words in some language: op. 27, cap. 3, tab. 2.
        "cap art tab op",
    ),
    inner=words(
        # Companies: Northwind Inc. (“the Buyer”).
        "inc ltd corp co llc plc gmbh s.p.a s.r.l s.a",
        # Degrees and generations: a Ph.D. in botany, Carl Finch Jr. sold it.
        "ph.d b.sc m.sc ll.m jr sr",
        # Citations: Lee et al. (2020).
        "al",
    ),
    small_names=words(
        # Programs: Install Node first. npm comes with it.
        "npm npx pnpm yarn pip pipx conda git gh curl wget docker kubectl helm terraform ssh scp rsync sudo apt brew bash zsh",
        # Editors, compilers, servers: Open the config. nginx reads it.
        "vim tmux grep sed awk jq cmake gcc clang cargo rustc rustup javac nginx redis mysql sqlite postgres",
        # Parts of a system: Restart the machine. systemd starts it.
        "systemd cron ffmpeg pandoc zlib libpng dpkg",
        # Packages: It is slow. pandas reads it all.
        "numpy pandas scipy pytest mypy ruff asyncio torch matplotlib seaborn sklearn spacy flask django fastapi pydantic jquery lodash webpack vite",
    ),
    modules=words(
        # Packages whose classes are named with them: a torch.Tensor is slow, pd.DataFrame.
        "torch tensorflow tf keras jax numpy np pandas pd scipy sklearn matplotlib plt seaborn spacy nltk transformers datasets",
        # Of the standard library: an asyncio.Queue, a queue.Empty.
        "os sys io re json csv math time datetime asyncio threading multiprocessing subprocess socket ssl http urllib pathlib",
        # More of it: typing.Any, uuid.UUID.
        "typing collections functools itertools dataclasses enum abc decimal fractions logging unittest argparse queue uuid",
        # For the web: a flask.Flask object.
        "flask django fastapi starlette pydantic sqlalchemy requests httpx aiohttp pytest hypothesis rich click typer msgspec attrs anyio trio",
        # In JavaScript: react.Component.
        "react vue angular express axios redux lodash jquery electron next node three",
        # In Java, Kotlin, C++ and Rust: java.Util.
        "java javax jakarta kotlin kotlinx scala android androidx spring hibernate junit std boost qt serde tokio",
        # And what stands for an object: self.Name, this.State.
        "self this cls obj ctx app window document console module exports process props args kwargs",
    ),
    closing=words(
        # Lists that stop before their end: Bring pens, paper, etc. We start at noon.
        "etc",
        # Times of day: We close at 6 p.m. Come back tomorrow.
        "a.m p.m",
    ),
)
