"""What the OpenAPI document says of every answer of the API: the answer itself, and what can be refused."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from drf_spectacular.utils import OpenApiResponse

from scoring.problems import PROBLEM_TYPE, Problem

Answers: TypeAlias = dict[Any, Any]

_SAID: Final[dict[int, str]] = {
    400: "Not JSON, or not to be read.",
    401: "No token, or one that opens nothing any more.",
    403: "Not allowed to who asks.",
    404: "There is no such thing, or none that who asks may see.",
    406: "Asked for in another form than JSON.",
    409: "Busy with the same request; try again.",
    412: "Changed since it was read; read it again.",
    413: "Too large.",
    415: "Not sent as application/json.",
    422: "Refused: what is wrong, and where.",
    428: "Sent without If-Match, which a change needs.",
    429: "Too many requests; see Retry-After.",
}
READING: Final = (401, 404, 406, 422, 429)
WRITING: Final = (400, 401, 403, 404, 406, 413, 415, 422, 429)
# A row that was read before is changed.
CHANGING: Final = (*WRITING, 412, 428)


def answers(answered: Mapping[int, Any], statuses: tuple[int, ...] = READING, **said: str) -> Answers:
    """The `responses` of an operation: what it answers by status, and its problems.

    `said` describes a problem better where the general sentence says too little: `s422="…"`.
    """
    problems: Answers = {
        (status, PROBLEM_TYPE): OpenApiResponse(Problem, description=said.get(f"s{status}", _SAID[status]))
        for status in sorted(set(statuses))
    }
    return {**answered, **problems}
