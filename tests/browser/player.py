"""A person who plays through the page alone, and a witness of all that the page is sent."""

import json
import random
import re
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page, WebSocket, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

CARDS = ".hand-card:not([aria-disabled=true])"
ANSWERS = "#actions button:not([data-key=cover]):not([data-key=raise])"
RESULT = "#result[open]"

WATCH_VIOLATIONS = """
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
        window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`);
    });
"""


class Witness:
    """Reads every frame that the page is sent, and notes what must not be in it."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.sockets = 0

    def watch(self, socket: WebSocket) -> None:
        self.sockets += 1
        socket.on("framereceived", self._take)

    def _take(self, payload: str | bytes) -> None:
        message = json.loads(payload)
        if (update := message.get("update")) is None:
            return
        self.updates.append(update)
        view = update["view"]
        is_running = view["status"] == "TABLE_STATUS_PLAYING"
        if is_running and view["secret"]:
            self.faults.append(f"version {view['version']}: the secret of a running match")
        if (truco := view.get("truco")) is not None:
            self._take_truco(update, truco, is_running=is_running)
        for game in ("buraco", "mauMau", "cacheta"):
            for hand in view.get(game, {}).get("hands", ()):
                if hand["cards"] and is_running and hand["seat"] != view.get("yourSeat"):
                    self.faults.append(f"version {view['version']}: cards of seat {hand['seat']}")
        for hand in view.get("domino", {}).get("hands", ()):
            if hand["tiles"] and is_running and hand["seat"] != view.get("yourSeat"):
                self.faults.append(f"version {view['version']}: tiles of seat {hand['seat']}")
        sueca = view.get("sueca", {})
        for hand in sueca.get("hands", ()):
            shown = [sueca["trumpCard"]] if hand["seat"] == sueca["dealer"] and sueca["isTrumpHeld"] else []
            if is_running and hand["seat"] != view.get("yourSeat") and hand["cards"] not in ([], shown):
                self.faults.append(f"version {view['version']}: cards of seat {hand['seat']}")

    def _take_truco(self, update: dict[str, Any], truco: dict[str, Any], *, is_running: bool) -> None:
        view = update["view"]
        for hand in truco["hands"]:
            may_see = hand["seat"] == view["yourSeat"] and not truco["blind"]
            is_partner = (hand["seat"] - view["yourSeat"]) % 4 == 2
            looks = truco["phase"] == "PHASE_ELEVEN_HAND" and truco.get("elevenSide") == view["yourSeat"] % 2
            if hand["cards"] and is_running and not may_see and not (is_partner and looks):
                self.faults.append(f"version {view['version']}: cards of seat {hand['seat']}")
        played = [card for trick in truco["tricks"] for card in trick["cards"]]
        told = [
            event["truco"]["cardPlayed"]
            for event in update["events"]
            if "cardPlayed" in event.get("truco", {})
        ]
        for card in [*played, *told]:
            if card["covered"] and "card" in card and is_running:
                self.faults.append(f"version {view['version']}: a covered card's face")


class Player:
    """Drives one page."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        # Names are unique, and one stack serves every test.
        self.name = "Dona Zica " + "".join(random.choices("23456789", k=6))
        self.witness = Witness()
        self.complaints: list[str] = []
        page.add_init_script(WATCH_VIOLATIONS)
        page.on("websocket", self.witness.watch)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.set_default_timeout(30_000)

    def _hear(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.type}: {message.text} {message.location['url']}".strip())

    def check(self) -> None:
        """What must never have happened."""
        assert self.complaints == [], self.complaints
        assert self.page.evaluate("window.violations") == []
        assert self.witness.faults == []

    def open(self, path: str = "/") -> None:
        self.page.goto(self.url + path)

    def sit_down(self) -> None:
        """Picks a name and gets a table; without the pauses made for people."""
        self.open()
        self.ask_for(self.name)
        self.wait_for_table()
        self.page.get_by_label("Jogar sem pausas").check()

    def ask_for(self, name: str) -> None:
        self.page.get_by_label("Como quer ser chamado?").fill(name)
        self.page.get_by_role("button", name="Jogar", exact=True).click()

    def wait_for_table(self) -> None:
        expect(self.page.locator("#table")).to_be_visible()
        expect(self.page.locator("#vira .card")).to_be_visible()

    def table_id(self) -> str:
        found = re.fullmatch(r".*#mesa=([0-9a-f-]{36})", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    def score(self) -> tuple[int, int]:
        ours, theirs = self.page.locator("#score strong").all_inner_texts()
        return int(ours), int(theirs)

    def cards(self) -> list[str]:
        """My cards, by name."""
        return [str(card.get_attribute("aria-label")) for card in self.page.locator(".hand-card").all()]

    def is_over(self) -> bool:
        return self.page.locator(RESULT).count() > 0

    def wait_for_turn(self) -> None:
        """Until the page offers something, or the match is over."""
        self.page.locator(f"{CARDS}, {ANSWERS}, {RESULT}").first.wait_for(state="visible")

    def act(self) -> None:
        """Does the first thing that the page offers: an answer, or a card."""
        self.wait_for_turn()
        if self.is_over():
            return
        answer, card = self.page.locator(ANSWERS).first, self.page.locator(CARDS).first
        wanted = answer if answer.count() else card
        try:
            wanted.click(timeout=1_000 if wanted is answer else 10_000)
        except PlaywrightTimeoutError:
            # One's partner may answer first; nobody but I plays my cards.
            if wanted is card:
                raise

    def has_something_to_see(self) -> bool:
        """Whether it is my turn in the middle of a trick."""
        is_mine = self.page.locator(CARDS).count() > 1
        return is_mine and self.page.locator(".played:not(.past):not(.winner)").count() > 1

    def play_to_the_end(self) -> None:
        for _ in range(400):
            if self.is_over():
                return
            self.act()
        raise AssertionError("the match has no end")

    def look(self, folder: Path, name: str, kind: Literal["png", "jpeg"] = "png") -> None:
        """Takes a screenshot, and checks that nothing is cut off or too small for a finger. The documentation's are jpeg."""
        self.page.evaluate("scrollTo(0, 0)")
        quality = 85 if kind == "jpeg" else None
        picture = folder / f"{name}.{kind}"
        self.page.screenshot(path=picture, type=kind, quality=quality, animations="disabled")
        width = self.page.evaluate("innerWidth")
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        for button in self.page.locator("button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0, button
            assert box["x"] + box["width"] <= width, button
            assert box["height"] >= 32, button
