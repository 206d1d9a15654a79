"""HTML's elements, as far as reading aloud tells them apart."""

BREAKING = frozenset({
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
"""Elements that begin a line or a cell of their own: a voice pauses where they end."""

UNREAD = frozenset({
    "canvas", "iframe", "math", "noscript", "object", "script", "style", "svg", "template",
})  # fmt: skip
"""Elements of which the content is not text to read."""

INLINE = frozenset({
    "a", "abbr", "acronym", "audio", "b", "base", "basefont", "bdi", "bdo", "big", "body", "button", "cite", "code",
    "col", "colgroup", "data", "datalist", "del", "dfn", "dir", "em", "embed", "font", "frame", "frameset", "head",
    "html", "i", "img", "input", "ins", "kbd", "label", "link", "map", "mark", "meta", "meter", "noframes",
    "output", "param", "picture", "progress", "q", "rp", "rt", "ruby", "s", "samp", "select", "slot", "small",
    "source", "span", "strike", "strong", "sub", "sup", "textarea", "time", "title", "track", "tt", "u", "var",
    "video", "wbr",
})  # fmt: skip
"""Elements that leave no trace in what is heard."""

KNOWN = BREAKING | UNREAD | INLINE
"""All elements; what is none may be a placeholder that the reader should hear of, as in ``<your-name>``."""
