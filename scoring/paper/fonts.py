"""The files of the fonts in which papers and pictures are set.

Names come in any alphabet, while the fonts built into PDF readers hardly go beyond Western Europe and lack
even a real minus sign. The free fonts used here come from a package and cover Latin, Greek and Cyrillic; East
Asian characters bring in further fonts.
"""

import re
from pathlib import Path
from typing import Final

import rendercv_fonts

SANS: Final = "sans"
SERIF: Final = "serif"

FOLDER: Final = Path(rendercv_fonts.__file__).parent
FACES: Final = (
    (SANS, "", "Noto Sans/NotoSans-Regular.ttf"),
    (SANS, "B", "Noto Sans/NotoSans-Bold.ttf"),
    (SERIF, "B", "Gentium Book Plus/GentiumBookPlus-Bold.ttf"),
)
# Large fonts, loaded only for texts in their scripts.
EAST_ASIA: Final = (
    ("korean", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff]"), "Noto Sans/NotoSansKR-Regular.ttf"),
    (
        "han",
        re.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"),
        "Noto Sans/NotoSansSC-Regular.ttf",
    ),
)


def font_files(text: str) -> list[Path]:
    """The files of the fonts in which this text is printed, those of its scripts among them."""
    fallbacks = [file for _family, scripts, file in EAST_ASIA if scripts.search(text)]
    return [FOLDER / file for file in [*(file for _family, _style, file in FACES), *fallbacks]]
