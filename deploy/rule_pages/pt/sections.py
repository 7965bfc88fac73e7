"""The rules of the Buraco family in Brazilian Portuguese: the sections in which the sentences stand."""

from __future__ import annotations

from collections.abc import Iterator

from deploy.rule_pages.names import NAMES_PT
from deploy.rule_pages.page import Say, Words, bullets, numbered, paragraph, table
from deploy.rule_pages.pt.sentences import SENTENCES, facts
from libs.rules.buraco.rule_set import RuleSet

_RUNS_500 = {"ace_low": "de ás a rei", "ace_high": "de 2 a ás", "any13": "de ás a rei ou de 2 a ás"}


def sections(rules: RuleSet, say: Say) -> Iterator[str]:
    """The page, block by block."""
    yield from _beginning(rules, say)
    yield from _turn(rules, say)
    yield from _melds(rules, say)
    yield from _end(rules, say)
    yield from _time(say)


def _beginning(rules: RuleSet, say: Say) -> Iterator[str]:
    jokers = rules.jokers
    yield "## O objetivo"
    yield paragraph(
        "Jogam dois jogadores, cada um por si, ou duas duplas, com os parceiros frente a frente.",
        "Cada lado faz jogos na mesa, aumenta-os até serem **canastras**, pega o **morto** e procura bater.",
        say("match_format"),
        say("target_points"),
        say("tie_break"),
    )
    yield "## As cartas"
    yield paragraph(
        say("jokers"),
        "Cada jogador recebe 11. Duas pilhas de 11 ficam fechadas ao lado: são os **mortos**. O resto é o **monte**:",
        f"{60 + jokers} cartas com dois jogadores, {38 + jokers} com quatro.",
        say("lixo_start"),
    )
    yield paragraph("Quem começa é sorteado.", say("direction"))
    wilds = "O 2 e o curingão são **curingas**" if jokers else "O 2 é o **curinga**"
    yield f"{wilds}: {'substituem' if jokers else 'substitui'} outras cartas nos jogos."
    yield say("card_values")
    if rules.card_values == "table":
        low = "4 a 7" if rules.special_threes else "3 a 7"
        joker = (("curingão", "50"),) if jokers else ()
        values = (("ás", "15"), ("2", "10"), *joker, (low, "5"), ("8 a rei", "10"))
        yield table(tuple(name for name, _ in values), tuple(value for _, value in values))


def _turn(rules: RuleSet, say: Say) -> Iterator[str]:
    yield "## A vez"
    yield numbered(
        "**Compre** uma carta do monte, ou o lixo inteiro.",
        "**Baixe** jogos novos e acrescente cartas aos jogos do seu lado, quantas vezes quiser. Antes da compra nada se baixa; o primeiro jogo não pede pontos.",
        "**Descarte** uma carta no lixo. Um curinga também pode ser descartado.",
    )
    yield "Jogo baixado não volta para a mão, e descarte feito não se desfaz."
    yield "## O lixo"
    yield say("lixo")
    yield paragraph(say("justify_top"), say("justify_naturals_only"), say("wild_top_takeable"))
    yield paragraph(say("one_card_lixo"), say("one_card_lixo_match"))
    if not rules.justify_top:
        yield "Depois de 40 vezes seguidas em que ninguém comprou do monte nem baixou uma carta, o lixo só volta a ser comprado quando alguém tiver comprado do monte."


def _melds(rules: RuleSet, say: Say) -> Iterator[str]:
    wilds_act = rules.max_wilds_per_meld > 0
    yield "## Os jogos"
    yield bullets(say("special_threes"), paragraph(say("sets"), say("wild_in_sets")))
    yield paragraph(
        say("max_wilds_per_meld"),
        say("wild_melds"),
        say("natural_two"),
        say("natural_two_plus_wild"),
    )
    yield paragraph(
        "O curinga não tem lugar fixo: chegando a carta que ele substituía, ele passa a valer por outra, se houver lugar. Nunca volta para a mão."
        if wilds_act
        else "",
        say("duplicate_melds"),
        "Jogos não se juntam, não se dividem e não emprestam cartas.",
    )
    yield "## As canastras"
    yield paragraph("Um jogo de 7 cartas ou mais é uma **canastra**.", say("set_canastra"))
    pays_500 = rules.run500 != "none" and not rules.special_threes
    pays_1000 = rules.run1000 and not rules.special_threes
    yield table(
        ("canastra", "como é", "prêmio"),
        ("suja", "com curinga", "100") if wilds_act or rules.wild_melds else (),
        ("limpa", "toda de cartas naturais", "200"),
        ("de 500", _RUNS_500.get(rules.run500, ""), "500") if pays_500 else (),
        ("de 1000", "de ás a ás", "1000") if pays_1000 else (),
    )
    if rules.special_threes:
        yield "Por mais longa que seja, a canastra não vale mais que isso: não há prêmios de 500 nem de 1000. A suja nunca fica limpa."
    yield paragraph(say("run500"), say("run1000"), say("big_run_needs_clean"))
    yield paragraph(
        "As de 500 e de 1000 também são limpas para bater." if pays_500 or pays_1000 else "",
        "Cada jogo recebe um prêmio só.",
        say("cleaning"),
        "Um curinga acrescentado a uma canastra limpa a deixa suja." if wilds_act else "",
    )
    if rules.special_threes:
        yield "## Os três"
        yield bullets(
            paragraph(
                "O **3 vermelho** vai sozinho para a mesa, na hora em que chega à mão.",
                say("red_three_replace"),
                "Vale **100** para o lado que fez alguma canastra, e menos 100 para o que não fez nenhuma.",
                say("four_red_threes"),
            ),
            paragraph(
                "O **3 preto** não entra em jogo nenhum. Descartado, **tranca** o lixo: o próximo jogador compra do monte. Com outra carta por cima o lixo está livre de novo, e quem o comprar leva também o 3 preto.",
                say("black_three_in_hand"),
            ),
        )


def _end(rules: RuleSet, say: Say) -> Iterator[str]:
    deal = facts(rules)["deal"]
    yield "## O morto"
    yield "Quem fica sem cartas pega um morto, se o seu lado ainda não pegou nenhum; para isso não é preciso ter canastra."
    yield bullets(
        "**Batida direta**, baixando a última carta: continua a jogar na mesma vez, sem comprar.",
        "**Batida indireta**, descartando a última carta: o morto se usa na próxima vez.",
    )
    yield "Cada lado pega um morto no máximo, tenha um jogador ou dois."
    yield "## Bater"
    yield paragraph(
        f"Quem fica sem cartas depois de o seu lado ter pego o morto dá a **batida final**: ganha **100** e acaba a {deal}. Bate-se baixando a última carta ou descartando-a.",
        say("go_out"),
        "Vale também a que se completa nessa mesma jogada.",
        say("go_out_without_morto"),
    )
    yield "Quem não pode pegar o morto nem bater guarda cartas: a mesa recusa o que deixaria a mão vazia, e também baixar ou comprar o lixo ficando com uma carta só."
    yield "## O fim do monte"
    yield paragraph(
        "Se o monte está vazio quando uma vez acaba, um morto que ainda está na mesa vira monte.",
        say("stock_end"),
        f"O lixo não salva a {deal}.",
        f"Se o último morto é pego na vez que esvaziou o monte, essa vez vai até o fim, e com ela a {deal}.",
        "Se um 3 vermelho ficou sem carta no seu lugar e quem o baixou não pode descartar, a vez acaba sem descarte."
        if rules.special_threes
        else "",
    )
    yield "## Os pontos"
    yield bullets(
        "Mais o valor das cartas baixadas e os prêmios das canastras.",
        "Mais **100** da batida final.",
        "Mais ou menos os 3 vermelhos." if rules.special_threes else "",
        "Menos o valor das cartas que ficaram na mão de cada parceiro.",
        say("morto_penalty"),
    )
    yield paragraph(
        say("unplayed_morto_pays"),
        "As cartas de um morto que ninguém pegou não contam.",
        "O total pode ficar negativo.",
    )


def _time(say: Say) -> Iterator[str]:
    yield "## O tempo"
    yield paragraph(say("draw_seconds"), say("play_seconds"), "Pegar o morto não reinicia o relógio.")
    yield paragraph(
        "Passou o tempo de comprar, a mesa compra do monte. Passou o de jogar, ela descarta a última carta que chegou à mão e pode ser descartada; o que já foi baixado fica.",
        "Cada uma dessas é uma **jogada automática**: uma vez inteira deixada passar são duas.",
        say("auto_play_limit"),
    )
    yield "## A ausência"
    yield paragraph(
        "Quem perde a conexão volta quando quiser, enquanto não for eliminado. Quem sai da partida de propósito é eliminado na hora, e o eliminado não volta.",
        say("on_elimination"),
    )
    yield "Se todas as pessoas da mesa são eliminadas, a partida acaba sem vencedor."


PT = Words(
    "pt",
    "pt-BR",
    "Português",
    "Nesta mesa",
    "Nesta página",
    NAMES_PT,
    ", regras da casa {house}",
    SENTENCES,
    facts,
    sections,
)
