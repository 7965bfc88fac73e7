"""The rule pages as the gateway serves them: every preset's, in both languages, in HTML that needs no script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from deploy.rule_pages.en.sections import EN
from deploy.rule_pages.family import at_preset
from deploy.rule_pages.page import Words, page, title
from deploy.rule_pages.pt.sections import PT
from libs.rules.buraco.family import BURACO
from libs.rules.buraco.presets import BURACO_FAMILY
from libs.rules.registry import FAMILIES

DOCS = Path(__file__).parents[2] / "docs" / "rules"
LANGUAGES = (PT, EN)

_MARK = "\n<!-- Written by `python -m deploy.rule_pages generate` from the switches of the preset. -->\n"

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def written() -> Mapping[str, str]:
    """The pages that are written from the switches, by their names in docs/rules/buraco/."""
    return {
        f"{game.preset}.{words.language}.md": page(words, game.preset, game.rule_set({})) + _MARK
        for game in BURACO_FAMILY
        for words in LANGUAGES
    }


def site() -> Mapping[str, str]:
    """Every page by the name under which the gateway serves it. Reads the pages of the other families."""
    found = {}
    for words in LANGUAGES:
        texts = {game.preset: page(words, game.preset, game.rule_set({})) for game in BURACO_FAMILY}
        for family in FAMILIES:
            if family is not BURACO:
                name = f"{family.name.replace('_', '-')}.{words.language}.md"
                family_page = (DOCS / name).read_text(encoding="utf-8")
                for game in family.games:
                    switches = game.switches(game.rule_set({}))
                    texts[game.preset] = at_preset(words, game.preset, family_page, switches)
        for preset, text in texts.items():
            found[f"{preset}.{words.language}.html"] = html(words, preset, text)
    return found


def html(words: Words, preset: str, text: str) -> str:
    """A page of Markdown as a document with links to its sections and to the same page in the other language."""
    tokens = _MARKDOWN.parse(text)
    links = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            name = _id(inline)
            opening.attrSet("id", name)
            links.append(f'<li><a href="#{name}">{escape(inline.content)}</a></li>')
    body = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    other = next(one for one in LANGUAGES if one is not words)
    contents = "\n".join(links)
    heading, _, rest = body.partition("</h1>\n")
    return f"""<!doctype html>
<html lang="{words.tag}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="theme-color" content="#0d3b2a" />
    <title>{escape(title(words, preset))} · Carteado</title>
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/assets/rules.css" />
  </head>
  <body>
    <header>
      <a href="/">Carteado</a>
      <a href="/rules/{preset}.{other.language}.html" lang="{other.tag}" hreflang="{other.tag}">{other.own_name}</a>
    </header>
    <main>
{heading}</h1>
<nav aria-label="{words.on_this_page}">
<ul>
{contents}
</ul>
</nav>
{rest}    </main>
  </body>
</html>
"""


def _id(heading: Token) -> str:
    plain = unicodedata.normalize("NFD", heading.content.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def write(folder: Path) -> None:
    """Writes every page into a folder, which is made."""
    folder.mkdir()
    for name, text in site().items():
        (folder / name).write_text(text, encoding="utf-8")
