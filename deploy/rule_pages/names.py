"""The games' names as players say them, without a house; a new game adds its own in each language."""

from __future__ import annotations

NAMES_PT = {
    "buraco-aberto": "Buraco Aberto",
    "buraco-fechado": "Buraco Fechado",
    "buraco-fechado-stbl": "Buraco Fechado STBL",
    "canastra": "Canastra",
    "tranca": "Tranca",
    "truco-paulista": "Truco Paulista",
    "truco": "Truco",
    "sueca": "Sueca",
    "domino": "Dominó",
    "mau-mau": "Mau Mau",
    "cacheta": "Cacheta",
}

NAMES_EN = {
    "buraco-aberto": "Buraco Aberto",
    "buraco-fechado": "Buraco Fechado",
    "buraco-fechado-stbl": "Buraco Fechado STBL",
    "canastra": "Canastra",
    "tranca": "Tranca",
    "truco-paulista": "Truco Paulista",
    "truco": "Truco",
    "sueca": "Sueca",
    "domino": "Dominoes",
    "mau-mau": "Mau Mau",
    "cacheta": "Cacheta",
}
