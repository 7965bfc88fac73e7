"""Every code that a service answers with stands in a catalogue, and the page of codes is the catalogues'."""

import ast
from pathlib import Path

import grpc
import pytest

from libs.service.catalogue import all_catalogues, render
from libs.service.errors import COMMON, Catalogue, ErrorCode

ROOT = Path(__file__).parents[3]


def sources(*folders):
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def calls(path, name):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == name:
                yield node


def literal_codes(path):
    """Codes that stand as text in a refusal: `Rejection("CODE", …)`, `SubscriptionEnded(code="CODE")`, …"""
    for name in ("Rejection", "Refused", "SubscriptionEnded"):
        for call in calls(path, name):
            given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "code")]
            for value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value


def test_every_code_in_the_sources_is_in_a_catalogue():
    known = {row.code for catalogue in all_catalogues() for row in catalogue}
    used = {
        code: path.relative_to(ROOT) for path in sources("services", "libs") for code in literal_codes(path)
    }
    assert used, "the search finds nothing: it no longer knows how refusals are written"
    assert {code: str(path) for code, path in used.items() if code not in known} == {}


def has_literal_code(call):
    return bool(call.args) and isinstance(call.args[0], ast.Constant)


def test_errors_are_made_from_a_catalogue_alone():
    allowed = ROOT / "libs/service/errors.py"
    made = [
        path
        for path in sources("services", "libs")
        if path != allowed and any(map(has_literal_code, calls(path, "ServiceError")))
    ]
    assert made == []


def test_the_page_of_codes_is_made_from_the_catalogues():
    page = (ROOT / "docs/errors.md").read_text()
    assert page == render(all_catalogues()), (
        "run `.venv/bin/python -m libs.service.catalogue > docs/errors.md`"
    )


def test_every_code_has_a_status_that_is_an_error_and_texts_in_two_languages():
    for catalogue in all_catalogues():
        for row in catalogue:
            assert row.status is not grpc.StatusCode.OK, row.code
            assert row.code == row.code.upper()
            assert row.text_pt != row.text_en, row.code
            assert "|" not in row.meaning + row.text_pt + row.text_en


def test_a_code_twice_or_without_a_text_is_refused():
    row = ErrorCode("X", "meaning", grpc.StatusCode.ABORTED, "pt", "en")
    with pytest.raises(ValueError, match="twice"):
        Catalogue("x", (row, row))
    with pytest.raises(ValueError, match="'Y' lacks"):
        Catalogue("x", (ErrorCode("Y", "meaning", grpc.StatusCode.ABORTED, "", "en"),))


def test_an_error_takes_its_texts_from_the_catalogue():
    error = COMMON["OVERLOADED"].error(field="x", facts={"most": "1"})
    assert (error.code, error.status) == ("OVERLOADED", grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert (error.field, dict(error.facts)) == ("x", {"most": "1"})
    assert "OVERLOADED" in COMMON
    assert "NOTHING" not in COMMON
