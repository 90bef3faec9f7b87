"""The words of sheets and settlements, in English and Russian."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "ru")

_WORDS: Mapping[str, tuple[str, str]] = {
    "player": ("player", "игрок"),
    "pool": ("pool", "пуля"),
    "mountain": ("mountain", "гора"),
    "whists": ("whists on", "висты на"),
    "whists alone": ("whists", "висты"),
    "to": ("to {}", "до {}"),
    "by time": ("by time", "на время"),
    "to by time": ("to {} and by time", "до {} и на время"),
    "together": ("to {} together", "до {} в сумме"),
    "deals": ("deals: {}", "сдач: {}"),
    "over": ("the pulka is over", "пулька сыграна"),
    "stopped": ("stopped by consent", "прекращена по общему согласию"),
    "running": (
        "not over yet; settled as if stopped here",
        "не сыграна; расчёт, как если бы её прекратили здесь",
    ),
    "dealer": ("{} deals", "сдаёт {}"),
    "raspas": ("raspas", "распасы"),
    "raspas in a row": ("raspas, number {} in a row", "распасы, {}-е подряд"),
    "dark": ("dark pass", "тёмный пас"),
    "no trump": ("NT", "БК"),
    "misere": ("misere", "мизер"),
    "without talon": ("{} without the talon", "{} без прикупа"),
    "whist": ("whist", "вист"),
    "pass": ("pass", "пас"),
    "half": ("half-whist", "полвиста"),
    "whist open": ("whist open", "вист открыто"),
    "whist blind": ("whist blind", "вист втёмную"),
    "thrown in": ("thrown in", "пересдача"),
    "conceded": ("conceded without {}", "уход без {}"),
    "unplayed": ("not played", "без розыгрыша"),
    "open": ("open", "в светлую"),
    "talon": ("talon bonus {}", "платный прикуп {}"),
    "off mountain": ("off the mountain", "списано с горы"),
    "misrecord": (
        "{player} writes {amount} wrongly: {column}",
        "{player} ошибается на {amount}: {column}",
    ),
    "correction": (
        "corrected: {player}, {amount}, {column}",
        "исправлено: {player}, {amount}, {column}",
    ),
    "warning": ("no penalty", "без штрафа"),
    "penalty on mountain": ("penalty: {amount} on his mountain", "штраф: {amount} в гору"),
    "penalty in whists": (
        "penalty: {by} writes {amount} on him",
        "штраф: {by} пишет на него {amount}",
    ),
    "join": ("{} joins", "подсаживается {}"),
    "time": ("time is up", "время истекло"),
    "stop": ("stopped by consent", "игра прекращена по согласию"),
    "value": ("value of the deal", "цена сдачи"),
    "sheet": ("sheet", "запись"),
    "settlement": ("settlement", "расчёт"),
    "carried": ("pool carried over, {} each", "недописанное в пулю, по {}"),
    "carried mountain": ("mountain with it", "гора с учётом пули"),
    "amnestied": ("less the smallest (amnesty)", "после амнистии"),
    "moved": ("point moved (Code 4.2.12)", "сдвинутое очко (Кодекс 4.2.12)"),
    "share": ("costs its owner to each", "проигрыш каждому за гору"),
    "first way": ("first way, by pairs", "первый способ, попарно"),
    "second way": ("second way, by the mean", "второй способ, по средней горе"),
    "against": ("against {}", "с игроком {}"),
    "mountain part": ("mountain, mean {}", "по горе, средняя {}"),
    "whist part": ("whists", "по вистам"),
    "result": ("result, whists", "итог, висты"),
    "money": ("money, {} a whist", "деньги, {} за вист"),
    "payments": ("who pays whom", "кто кому платит"),
    "pays": ("{} pays {}: {}", "{} платит {}: {}"),
    "nobody pays": ("nobody owes anything", "никто никому не должен"),
    "whist unit": ("{} whists", "вистов: {}"),
    "point unit": ("{} points", "очков: {}"),
    "game and price": ("game (price of a trick)", "игра (цена взятки)"),
    "sum": ("sum", "сумма"),
    "points": ("points", "очки"),
    "wins by": ("{} wins by {}", "выигрывает {}: {}"),
    "nobody wins": ("nobody wins", "ничья"),
    "result in points": ("result, points", "итог, очки"),
    "money a point": ("money, {} a point", "деньги, {} за очко"),
    "table": ("table", "стол"),
    "tables": ("tables", "столов"),
    "place": ("place", "место"),
    "raspas won": ("raspas won", "выиграно распасов"),
    "raspas tricks": ("raspas tricks", "взяток на распасах"),
    "remises": ("remises", "ремизов"),
    "misere tricks": ("misere tricks", "взяток на мизерах"),
}


class Words:
    """The words of one language: ``words("pays", "Anna", "Boris", "12")``."""

    def __init__(self, language: str = "en") -> None:
        self._index = LANGUAGES.index(language)

    def __call__(self, key: str, *values: object, **named: object) -> str:
        return _WORDS[key][self._index].format(*values, **named)
