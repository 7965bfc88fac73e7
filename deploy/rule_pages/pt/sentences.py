"""What each value of each switch is in Brazilian Portuguese, as a player of these games would say it."""

from __future__ import annotations

from collections.abc import Mapping

from deploy.rule_pages.page import NUMBER, Sentences
from libs.rules.buraco.rule_set import RuleSet

SENTENCES: Sentences = {
    "direction": {
        "cw": "A vez passa para a esquerda, no sentido horário.",
        "ccw": "A vez passa para a direita, no sentido anti-horário.",
    },
    "match_format": {
        "single": "As cartas são dadas uma vez só: vence a partida o lado que fizer mais pontos.",
        "target": "As cartas são dadas várias vezes, e a cada vez começa o jogador seguinte. Quando uma rodada acaba com um lado no alvo ou acima, vence quem tem mais; com totais iguais joga-se outra, e a partida acaba no máximo com a 25ª.",
    },
    "target_points": {NUMBER: "O alvo é de {value} pontos."},
    "tie_break": {
        "draw": "Se a partida acaba com totais iguais, é empate, mesmo que alguém tenha batido.",
        "batida": "Se a partida acaba com totais iguais, vence o lado que bateu; se ninguém bateu, é empate.",
    },
    "jokers": {NUMBER: "Joga-se com dois baralhos de 52 cartas, {with_jokers}: {cards} cartas ao todo."},
    "lixo_start": {
        "empty": "O **lixo** começa vazio: lixo vazio não se compra, e por isso a primeira vez compra do monte.",
        "one_turned": "Vira-se uma carta do monte para começar o **lixo**{turned_red_three}.",
    },
    "card_values": {
        "table": "O que cada carta vale, na mesa ou na mão{threes_apart}:",
        "all_ten": "Todas as cartas valem **10** pontos, na mesa ou na mão{threes_apart}.",
    },
    "lixo": {
        "open": "O lixo fica **aberto**: todos veem todas as cartas dele.",
        "closed": "O lixo fica **fechado**: vê-se só a carta de cima, e quantas cartas há.",
    },
    "justify_top": {
        False: "Quem compra o lixo leva todas as cartas para a mão, sem obrigação de baixar nada.",
        True: "Para comprar o lixo é preciso **justificar** a carta de cima: ela vai direto para a mesa, num jogo novo com pelo menos duas cartas da sua mão, ou num jogo do seu lado. Só então as outras cartas vêm para a mão, e todas elas.",
    },
    "justify_naturals_only": {
        False: "Entre as cartas da mão que justificam pode haver um curinga.",
        True: "As cartas da mão que justificam não podem fazer as vezes de curinga.",
    },
    "wild_top_takeable": {
        True: "{a_wild} em cima do lixo se justifica como qualquer outra carta.",
        False: "{a_wild} em cima do lixo não se justifica: é preciso comprar do monte.",
    },
    "one_card_lixo": {
        True: "Quando o lixo tem uma carta só, quem a compra pode baixá-la ou guardá-la, mas não descartá-la na mesma vez; e ela não pode ser tudo o que fica na mão depois de baixar.",
        False: "Quando o lixo tem uma carta só, quem a compra pode até descartá-la de novo na mesma vez.",
    },
    "one_card_lixo_match": {
        "physical": "A carta igual a ela, do outro baralho, pode ser descartada.",
        "face": "A carta igual a ela, do outro baralho, também não pode ser descartada; quem só tem cartas assim acaba a vez sem descartar.",
    },
    "special_threes": {
        False: "**Sequência**: de 3 a 14 cartas seguidas do mesmo naipe, na ordem A 2 3 … Q K A. O ás vale antes do 2 ou depois do rei, e pode estar nas duas pontas; K A 2 não vale.",
        True: "**Sequência**: de 3 a 11 cartas seguidas do mesmo naipe, do 4 ao ás: 4 5 6 … Q K A. O 3 não entra em jogo nenhum, o 2 só entra como curinga, e nenhum curinga vale por um 2 ou por um 3.",
    },
    "sets": {
        False: "Só sequências são jogos: trincas não valem.",
        True: "**Trinca** (lavadeira): de 3 a {longest_set} cartas do mesmo valor, de quaisquer naipes, que podem se repetir.",
    },
    "wild_in_sets": {
        True: "A trinca também aceita curinga.",
        False: "A trinca não aceita curinga.",
    },
    "max_wilds_per_meld": {NUMBER: "{wilds_per_meld}"},
    "wild_melds": {
        False: "Todo jogo tem pelo menos duas cartas naturais: só de curingas não há jogo.",
        True: "Três ou mais curingas iguais também são um jogo, sempre sujo; os outros jogos têm pelo menos duas cartas naturais.",
    },
    "natural_two": {
        "slot": "O 2 do próprio naipe, no lugar dele na sequência, é carta natural, também na ponta: 2 3 4 de copas não tem curinga.",
        "between_ace_and_three": "O 2 do próprio naipe só é carta natural entre o ás e o 3: em A 2 3 de copas não há curinga, em 2 3 4 o 2 é curinga.",
        "never": "O 2 é sempre curinga, também no seu próprio naipe.",
    },
    "natural_two_plus_wild": {
        True: "Um jogo com um 2 natural ainda pode ter curinga.",
        False: "Um jogo com um 2 natural não aceita curinga.",
    },
    "duplicate_melds": {
        True: "Um lado pode ter mais de uma sequência do mesmo naipe{and_sets_too}.",
        False: "Um lado tem no máximo uma sequência de cada naipe{nor_sets_too}.",
    },
    "set_canastra": {
        True: "A trinca de 7 cartas ou mais também é canastra.",
        False: "A trinca nunca é canastra, por mais cartas que tenha.",
    },
    "cleaning": {
        "recompute": "A canastra suja com um 2 do próprio naipe fica limpa assim que o 2 cabe no seu próprio lugar, antes do 3, sem que falte outra carta.",
        "not_from_end": "A canastra suja com um 2 do próprio naipe fica limpa quando o 2 cabe no seu próprio lugar; mas o que ficou numa ponta como curinga nunca mais volta a ele.",
        "never": "O 2 que entrou como curinga fica curinga: a canastra suja não se limpa.",
    },
    "run500": {
        "ace_low": "A limpa de ás a rei (A 2 3 … Q K) é a **canastra de 500**; mas o ás que já estava na mesa depois do rei fica lá, e ela é uma limpa comum.",
        "ace_high": "A limpa de 2 a ás (2 3 4 … K A) é a **canastra de 500**; mas o ás que já estava na mesa antes do 2 fica lá, e ela é uma limpa comum.",
        "any13": "Qualquer limpa de 13 cartas, de ás a rei ou de 2 a ás, é a **canastra de 500**.",
        "none": "Não há canastra de 500.",
    },
    "run1000": {
        True: "A limpa de ás a ás, com 14 cartas, é a **canastra de 1000**.",
        False: "Não há canastra de 1000.",
    },
    "big_run_needs_clean": {
        True: "Com curinga, por mais longa que seja, a sequência é canastra suja.",
        False: "Esses prêmios valem também para a sequência com curinga.",
    },
    "red_three_replace": {
        True: "Vem outra carta do monte no lugar de cada um, enquanto houver monte.",
        False: "Nenhuma carta vem no lugar dele.",
    },
    "four_red_threes": {NUMBER: "Os quatro do mesmo lado valem {value}, a favor ou contra."},
    "black_three_in_hand": {NUMBER: "Na mão, no fim, {black_three}."},
    "go_out": {
        "clean": "Para bater, o lado precisa de uma canastra **limpa** na mesa.",
        "any": "Para bater basta ao lado uma canastra qualquer na mesa, limpa ou **suja**.",
    },
    "go_out_without_morto": {
        "never": "O lado que não pegou o morto não bate.",
        "both_became_stock": "O lado que não pegou o morto só bate se os dois mortos tiverem virado monte.",
        "if_none_left": "O lado que não pegou o morto só bate se não houver mais morto na mesa.",
    },
    "stock_end": {
        "immediate": "Sem morto na mesa, a {deal} acaba na hora em que sai a última carta do monte, e ninguém ganha os 100 da batida.",
        "after_turn": "Sem morto na mesa, quem compra a última carta do monte termina a sua vez, e pode até bater; depois dela a {deal} acaba.",
    },
    "morto_penalty": {
        "always": "Menos **100** para cada lado que não pegou o morto, mesmo que ele tenha virado monte.",
        "not_who_goes_out": "Menos **100** para cada lado que não pegou o morto, mesmo que ele tenha virado monte; o lado que bateu nunca paga.",
    },
    "unplayed_morto_pays": {
        False: "O morto pego na batida indireta conta como pego, mesmo que os outros batam antes de ele ser jogado: as cartas dele se descontam como as outras da mão.",
        True: "Se os outros batem antes da próxima vez de quem pegou o morto na batida indireta, ele conta como não pego: o lado perde os 100, e as cartas dele não contam para ninguém{unplayed_red_threes}.",
    },
    "draw_seconds": {NUMBER: "Para comprar há **{value} segundos**{with_justifying}."},
    "play_seconds": {NUMBER: "Para baixar e descartar há mais **{value} segundos**."},
    "auto_play_limit": {NUMBER: "A **{value}ª** jogada automática da mesma partida elimina o jogador."},
    "on_elimination": {
        "by_seats": "Com quatro jogadores, um robô joga no lugar do eliminado até o fim, e o parceiro fica com o resultado; com dois, o outro vence na hora.",
        "bot": "Um robô joga no lugar do eliminado até o fim.",
        "forfeit": "O outro lado vence na hora.",
    },
}


def facts(rules: RuleSet) -> Mapping[str, str]:
    """Words that depend on more than one switch, or on a number."""
    jokers, wilds, black = rules.jokers, rules.max_wilds_per_meld, rules.black_three_in_hand
    threes = rules.special_threes
    return {
        "with_jokers": f"com {_COUNTS[jokers]} {'curingão' if jokers == 1 else 'curingões'}"
        if jokers
        else "sem curingões",
        "cards": str(104 + jokers),
        "threes_apart": "; os 3 se contam à parte" if threes else "",
        "a_wild": "Um 2 ou um curingão" if jokers else "Um 2",
        "longest_set": str(8 + (wilds if rules.wild_in_sets else 0)),
        "wilds_per_meld": _WILDS[wilds],
        "turned_red_three": "; um 3 vermelho vai para baixo do monte, e vira-se outra" if threes else "",
        "and_sets_too": ", e mais de uma trinca do mesmo valor" if rules.sets else "",
        "nor_sets_too": ", e uma trinca de cada valor" if rules.sets else "",
        "black_three": f"custa {black} pontos" if black else "não custa nada",
        "unplayed_red_threes": ", nem os 3 vermelhos que vieram com ele" if threes else "",
        "deal": "rodada" if rules.match_format == "target" else "partida",
        "with_justifying": ", e neles se justifica também o lixo" if rules.justify_top else "",
    }


_COUNTS = ("nenhum", "um", "dois", "três", "quatro")
_WILDS = (
    "Nenhum jogo aceita curinga.",
    "Em cada jogo cabe **um curinga** só.",
    "Em cada jogo cabem até **dois curingas**.",
    "Em cada jogo cabem até **três curingas**.",
    "Em cada jogo cabem até **quatro curingas**.",
)
